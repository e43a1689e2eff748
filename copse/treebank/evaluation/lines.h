// Text by the line, and lines by the blank: what the readers of evaluation files share.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace copse {

// Hands out the lines of a text without their ends ("\n", "\r\n"); a byte order mark before the
// first line is dropped. A text that does not end in a line end has its last line all the same.
class Lines {
 public:
  explicit Lines(std::string_view text);

  std::optional<std::string_view> next();
  std::size_t number() const { return number_; }  // of the line handed out last, from 1
  // How many lines are left, the empty ones included.
  std::size_t remaining() const;

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

// ASCII white space, as isspace() in the C locale has it.
inline bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

// The maximal runs of non-blank bytes.
std::vector<std::string_view> split_blanks(std::string_view line);

// The pieces between single separators; at least one piece.
std::vector<std::string_view> split_at(std::string_view line, char separator);

}  // namespace copse
