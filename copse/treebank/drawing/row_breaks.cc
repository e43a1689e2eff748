#include "copse/treebank/drawing/row_breaks.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace copse::drawing {
namespace {

// Relative prices. A row more is worth some ten arcs left whole; tokens are cut only in need.
constexpr std::int64_t kRow = 12;
constexpr std::int64_t kCutArc = 1;
constexpr std::int64_t kCutToken = 1000;
constexpr std::int64_t kRagged = 16;  // for an empty row; falls with the square of what is missing

// price[i] of breaking after word i.
std::vector<std::int64_t> break_prices(int words, std::span<const ArcShape> arcs,
                                       std::span<const TokenShape> tokens) {
  std::vector<std::int64_t> steps(static_cast<std::size_t>(words) + 2, 0);
  const auto span = [&](int first, int last, std::int64_t price) {
    if (first < 1 || last > words || first >= last) return;
    steps[static_cast<std::size_t>(first)] += price;
    steps[static_cast<std::size_t>(last)] -= price;
  };
  for (const ArcShape& arc : arcs) {
    span(std::min(arc.head, arc.modifier), std::max(arc.head, arc.modifier), kCutArc);
  }
  for (const TokenShape& token : tokens) span(token.first, token.last, kCutToken);
  for (std::size_t i = 1; i < steps.size(); ++i) steps[i] += steps[i - 1];
  return steps;
}

}  // namespace

std::vector<int> break_rows(std::span<const int> left, std::span<const int> right,
                            std::span<const ArcShape> arcs, std::span<const TokenShape> tokens,
                            int max_width) {
  const int words = static_cast<int>(left.size());
  if (words == 0) return {};
  const auto width = [&](int first, int last) {  // of a row of words first..last
    return std::int64_t{right[static_cast<std::size_t>(last) - 1]} -
           left[static_cast<std::size_t>(first) - 1];
  };
  if (max_width <= 0 || width(1, words) <= max_width) return {words};

  const auto prices = break_prices(words, arcs, tokens);
  // best[i]: cheapest way to set words 1..i; from[i]: the end of the row before the last.
  std::vector<std::int64_t> best(static_cast<std::size_t>(words) + 1,
                                 std::numeric_limits<std::int64_t>::max());
  std::vector<int> from(static_cast<std::size_t>(words) + 1, 0);
  best[0] = 0;
  for (int last = 1; last <= words; ++last) {
    const auto end = static_cast<std::size_t>(last);
    for (int first = last; first >= 1; --first) {
      if (first < last && width(first, last) > max_width) break;
      const std::int64_t missing = std::max<std::int64_t>(0, max_width - width(first, last));
      const std::int64_t ragged =
          last == words ? 0 : kRagged * missing * missing / (std::int64_t{max_width} * max_width);
      const std::int64_t cut = last == words ? 0 : prices[end];
      const std::int64_t cost = best[static_cast<std::size_t>(first) - 1] + kRow + ragged + cut;
      if (cost < best[end]) {
        best[end] = cost;
        from[end] = first - 1;
      }
    }
  }
  std::vector<int> ends;
  for (int end = words; end > 0; end = from[static_cast<std::size_t>(end)]) ends.push_back(end);
  std::reverse(ends.begin(), ends.end());
  return ends;
}

}  // namespace copse::drawing
