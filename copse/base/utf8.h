// UTF-8 without undefined behaviour: every function takes any bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace copse {

inline constexpr char32_t kReplacementCharacter = U'\uFFFD';

// Offset of the first byte that does not begin a well-formed sequence (RFC 3629: no overlong
// forms, no surrogates, nothing above U+10FFFF), or npos when all is well.
std::size_t find_invalid_utf8(std::string_view bytes);

struct CodePoint {
  char32_t value = 0;
  int size = 0;  // bytes it takes; 1 for an invalid byte, whose value is U+FFFD
};

// The code point at `position`, which must be inside `bytes`.
CodePoint decode_utf8(std::string_view bytes, std::size_t position);

// Calls visit(char32_t) for every code point.
template <class Visit>
void for_each_code_point(std::string_view bytes, Visit visit) {
  for (std::size_t i = 0; i < bytes.size();) {
    const CodePoint point = decode_utf8(bytes, i);
    visit(point.value);
    i += static_cast<std::size_t>(point.size);
  }
}

std::size_t count_code_points(std::string_view bytes);
void append_utf8(char32_t point, std::string& out);
// Invalid bytes become U+FFFD, one each.
std::string replace_invalid_utf8(std::string_view bytes);
// Unicode lower case, code point by code point.
std::string lower_utf8(std::string_view bytes);

// Columns of a terminal: 2 for East Asian wide characters and emoji, 0 for combining marks.
int terminal_width(std::string_view bytes);

// Every code point is punctuation (Unicode category P*), and there is at least one.
bool is_all_punctuation(std::string_view bytes);

}  // namespace copse
