// The parts of a phrase label, as views of it:
//
//   NP-SBJ-1     base NP, function tag SBJ, coindex 1
//   NP=2         base NP, gap index 2
//   ADVP|PRT-CLR base ADVP (the first of two alternatives), function tag CLR
//   -LRB-        base -LRB-: a label that begins with '-' has no other parts
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

namespace copse {

inline constexpr std::string_view kTraceTag = "-NONE-";

// One part behind the base: `mark` is the '-', '=' or '|' before it.
struct LabelPart {
  char mark;
  std::string_view text;

  bool is_index() const {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  }
  bool is_function_tag() const { return mark == '-' && !text.empty() && !is_index(); }
};

namespace detail {

inline std::size_t label_mark(std::string_view label, std::size_t from) {
  return std::min(label.find_first_of("-=|", from), label.size());
}

}  // namespace detail

// The label without function tags, indices and second alternatives. The first character always
// belongs to the base, so "-LRB-", "-NONE-", "=" and "|" are whole.
inline std::string_view base_label(std::string_view label) {
  if (label.empty() || label.front() == '-') return label;
  return label.substr(0, detail::label_mark(label, 1));
}

// Calls visit(LabelPart) for each part behind the base, left to right.
template <class Visit>
void for_each_label_part(std::string_view label, Visit visit) {
  std::size_t mark = base_label(label).size();
  while (mark < label.size()) {
    const std::size_t next = detail::label_mark(label, mark + 1);
    visit(LabelPart{label[mark], label.substr(mark + 1, next - mark - 1)});
    mark = next;
  }
}

inline std::vector<std::string_view> function_tags(std::string_view label) {
  std::vector<std::string_view> tags;
  for_each_label_part(label, [&](LabelPart part) {
    if (part.is_function_tag()) tags.push_back(part.text);
  });
  return tags;
}

inline bool has_function_tag(std::string_view label, std::string_view tag) {
  bool found = false;
  for_each_label_part(label,
                      [&](LabelPart part) { found |= part.is_function_tag() && part.text == tag; });
  return found;
}

namespace detail {

inline std::optional<int> label_index(std::string_view label, char mark) {
  std::optional<int> index;
  for_each_label_part(label, [&](LabelPart part) {
    int value = 0;
    const char* end = part.text.data() + part.text.size();
    if (part.mark == mark && part.is_index() &&
        std::from_chars(part.text.data(), end, value).ec == std::errc{}) {
      index = value;
    }
  });
  return index;
}

}  // namespace detail

inline std::optional<int> coindex(std::string_view label) {
  return detail::label_index(label, '-');
}
inline std::optional<int> gap_index(std::string_view label) {
  return detail::label_index(label, '=');
}

// Labels that stand for "the whole tree" rather than for a phrase; "" is the unlabelled outer
// bracket of the Penn Treebank files.
inline bool is_outer_label(std::string_view label) {
  constexpr std::array<std::string_view, 5> kOuter = {"", "TOP", "ROOT", "S1", "VROOT"};
  return std::find(kOuter.begin(), kOuter.end(), label) != kOuter.end();
}

// The tags that the Penn Treebank gives to punctuation, round brackets included.
inline bool is_punctuation_tag(std::string_view tag) {
  constexpr std::array<std::string_view, 7> kTags = {",", ":", "``", "''", ".", "-LRB-", "-RRB-"};
  return std::find(kTags.begin(), kTags.end(), tag) != kTags.end();
}

}  // namespace copse
