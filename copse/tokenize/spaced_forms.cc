#include "copse/tokenize/spaced_forms.h"

#include <algorithm>

#include "copse/base/utf8.h"
#include "copse/tokenize/boundary_table.h"

namespace copse {
namespace {

// Code points, runs of blanks as one ' '.
std::u32string normalised(std::string_view form) {
  std::u32string points;
  for_each_code_point(form, [&](char32_t point) {
    if (!is_white_space(point)) {
      points += point;
    } else if (!points.empty() && points.back() != U' ') {
      points += U' ';
    }
  });
  while (points.ends_with(U' ')) points.pop_back();
  return points;
}

}  // namespace

SpacedForms::SpacedForms(std::vector<std::string> forms) : forms_(std::move(forms)) {
  Characters characters;
  for (const std::string& form : forms_) {
    characters.read(form);
    if (characters.chunks().size() < 2) continue;
    const auto [begin, end] = characters.chunks()[0];
    by_first_chunk_[characters.lower_hash(begin, end)].push_back(normalised(form));
  }
  for (auto& [hash, list] : by_first_chunk_) {
    std::ranges::sort(list, [](const auto& a, const auto& b) {
      return a.size() != b.size() ? a.size() > b.size() : a < b;
    });
  }
}

int SpacedForms::match(const Characters& text, int begin, const std::u32string& form) const {
  const int size = static_cast<int>(form.size());
  if (begin + size > text.size()) return 0;
  for (int i = 0; i < size; ++i) {
    const bool blank = is_blank(text.cls(begin + i));
    if (blank ? form[static_cast<std::size_t>(i)] != U' '
              : form[static_cast<std::size_t>(i)] != text.point(begin + i)) {
      return 0;
    }
  }
  const CharClass after = text.cls(begin + size);
  const bool goes_on =
      is_letter(after) || after == CharClass::digit || after == CharClass::extender;
  return goes_on ? 0 : begin + size;
}

void SpacedForms::mark(const Characters& text, std::vector<std::uint8_t>& labels) const {
  if (by_first_chunk_.empty()) return;
  int done = 0;
  for (const auto [begin, end] : text.chunks()) {
    if (begin < done) continue;
    const auto found = by_first_chunk_.find(text.lower_hash(begin, end));
    if (found == by_first_chunk_.end()) continue;
    for (const std::u32string& form : found->second) {
      const int stop = match(text, begin, form);
      if (stop == 0) continue;
      std::fill(labels.begin() + begin, labels.begin() + stop - 1,
                static_cast<std::uint8_t>(Boundary::inside));
      done = stop;
      break;
    }
  }
}

}  // namespace copse
