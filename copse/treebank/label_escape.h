// Transforms that put more than one thing into a label mark the joints with a special character;
// where a label has that character of its own, a backslash goes before it, so that every
// transform can be undone exactly. Ordinary labels stay as they are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace copse {

// A backslash before every backslash and every character of `specials`.
inline std::string escape_label(std::string_view label, std::string_view specials) {
  std::string escaped;
  escaped.reserve(label.size());
  for (char c : label) {
    if (c == '\\' || specials.find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

inline std::string unescape_label(std::string_view label) {
  std::string plain;
  plain.reserve(label.size());
  for (std::size_t i = 0; i < label.size(); ++i) {
    if (label[i] == '\\' && i + 1 < label.size()) ++i;
    plain += label[i];
  }
  return plain;
}

// The parts between those separators that no backslash precedes; still escaped. At least one.
inline std::vector<std::string_view> split_escaped_label(std::string_view label, char separator) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < label.size(); ++i) {
    if (label[i] == '\\') {
      ++i;
    } else if (label[i] == separator) {
      parts.push_back(label.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  parts.push_back(label.substr(begin));
  return parts;
}

}  // namespace copse
