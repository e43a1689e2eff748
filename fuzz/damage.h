// Damage to a model file that its checksums do not see: sections are changed, and the file is written
// anew around them. The changes are told by bytes, so that a fuzzer can look for the worst ones:
//
//   change:  which section u8, how u8, where u32, what u8, bytes up to its end or the next change
//
//   how: 0 overwrite a byte, 1 a number (2, 4 or 8 bytes), 2 cut off the end, 3 take bytes out,
//        4 put bytes in, 5 a value of a section that is JSON, 6 leave the section out
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace copse::fuzz {

std::string damaged_model(const std::string& model, std::string_view changes);

// Changes by a random seed: one to three, half of them near the beginning of a section.
std::string random_changes(std::uint64_t seed);

}  // namespace copse::fuzz
