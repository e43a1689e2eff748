// One sentence of the binary form of n-best lists; see n_best_list.h.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace copse {

struct NBestList;

inline constexpr std::size_t kNBestChecksumBytes = 8;

// The number of bytes, the bytes, the checksum.
void append_n_best_record(const NBestList& list, std::string& out);
// From the bytes and the checksum. Throws data_error for a record that is not whole.
NBestList read_n_best_record(std::string_view record);

}  // namespace copse
