#include "copse/treebank/evaluation/lines.h"

#include <algorithm>

namespace copse {

Lines::Lines(std::string_view text) : rest_(text) {
  if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
}

std::optional<std::string_view> Lines::next() {
  if (rest_.empty()) return std::nullopt;
  const std::size_t end = std::min(rest_.find('\n'), rest_.size());
  std::string_view line = rest_.substr(0, end);
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  ++number_;
  return line;
}

std::size_t Lines::remaining() const {
  const auto ends = static_cast<std::size_t>(std::count(rest_.begin(), rest_.end(), '\n'));
  return ends + (rest_.empty() || rest_.ends_with('\n') ? 0 : 1);
}

std::vector<std::string_view> split_blanks(std::string_view line) {
  std::vector<std::string_view> fields;
  std::size_t at = 0;
  while (true) {
    while (at < line.size() && is_blank(line[at])) ++at;
    if (at == line.size()) return fields;
    const std::size_t begin = at;
    while (at < line.size() && !is_blank(line[at])) ++at;
    fields.push_back(line.substr(begin, at - begin));
  }
}

std::vector<std::string_view> split_at(std::string_view line, char separator) {
  std::vector<std::string_view> fields;
  while (true) {
    const std::size_t end = line.find(separator);
    fields.push_back(line.substr(0, end));
    if (end == std::string_view::npos) return fields;
    line.remove_prefix(end + 1);
  }
}

}  // namespace copse
