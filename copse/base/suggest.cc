#include "copse/base/suggest.h"

#include <algorithm>

namespace copse {

int typing_distance(std::string_view a, std::string_view b) {
  // Rows of the table of prefixes of `a` against prefixes of `b`; two back for a swap.
  std::vector<int> two_before, before(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) before[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int changed = before[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({before[j] + 1, row[j - 1] + 1, changed});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], two_before[j - 2] + 1);
      }
    }
    two_before = before;
    before = row;
  }
  return before[b.size()];
}

std::optional<std::string> nearest(std::string_view typed,
                                   const std::vector<std::string>& candidates) {
  const std::string* best = nullptr;
  int best_distance = 0;
  for (const std::string& candidate : candidates) {
    const int distance = typing_distance(typed, candidate);
    if (best != nullptr && distance >= best_distance) continue;
    best = &candidate;
    best_distance = distance;
  }
  const auto near_enough = static_cast<int>(std::max<std::size_t>(1, (typed.size() + 1) / 3));
  if (best != nullptr && best_distance <= near_enough) return *best;
  for (const std::string& candidate : candidates) {
    if (typed.size() >= 3 && (candidate.starts_with(typed) || typed.starts_with(candidate))) {
      return candidate;
    }
  }
  return std::nullopt;
}

}  // namespace copse
