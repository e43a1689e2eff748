// One sentence of the binary form of n-best lists; see n_best_list.h.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace copse {

struct NBestList;

// An id as both forms write it: one token.
std::string n_best_id(std::string_view id);

inline constexpr std::size_t kNBestChecksumBytes = 8;

// The number of bytes, the bytes, the checksum.
void append_n_best_record(const NBestList& list, std::string& out);
// From the bytes and the checksum. Throws data_error for a record that is not whole, or that holds
// what the text form could not: blanks in words, numbers that are none.
NBestList read_n_best_record(std::string_view record);

}  // namespace copse
