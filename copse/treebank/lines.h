// What the line-driven readers (plain text, JSON lines) share.
#pragma once

#include <cstddef>
#include <string_view>

namespace copse {

// Bytes up to and including the last line end.
inline std::size_t whole_lines(std::string_view buffer, std::size_t searched) {
  const auto newline = buffer.rfind('\n');
  return newline == std::string_view::npos || newline < searched ? 0 : newline + 1;
}

// Does an empty line end the buffer? Then the sentence before it is whole.
inline bool ends_with_empty_line(std::string_view buffer) {
  if (!buffer.ends_with('\n')) return false;
  buffer.remove_suffix(1);
  if (buffer.ends_with('\r')) buffer.remove_suffix(1);
  return buffer.empty() || buffer.ends_with('\n');
}

// Position behind the line end of `line`, a line of `bytes` without it.
inline std::size_t after_line(std::string_view bytes, std::string_view line) {
  const auto end = static_cast<std::size_t>(line.data() - bytes.data()) + line.size();
  const auto newline = bytes.find('\n', end);
  return newline == std::string_view::npos ? bytes.size() : newline + 1;
}

// Calls visit(line without its end, line number) for each line of `bytes`.
template <class Visit>
void for_each_line(std::string_view bytes, std::size_t first_line, Visit visit) {
  for (std::size_t number = first_line; !bytes.empty(); ++number) {
    const auto newline = bytes.find('\n');
    std::string_view line = bytes.substr(0, newline);
    if (line.ends_with('\r')) line.remove_suffix(1);
    visit(line, number);
    bytes.remove_prefix(newline == std::string_view::npos ? bytes.size() : newline + 1);
  }
}

}  // namespace copse
