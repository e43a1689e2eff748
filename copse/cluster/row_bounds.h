// Where in a triangle of pairs (a row for each i, a column for each j < i) the least value is,
// without computing all of them: for every row a lower bound is known, and only rows whose bound
// does not exceed the least value found are searched.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "copse/cluster/fixed_log.h"

namespace copse {

class RowBounds {
 public:
  struct Least {
    Fixed value;
    std::uint32_t row;
    std::uint32_t column;
  };
  // No value. Not the largest number, so that something may be added to it.
  static constexpr Fixed kNever = std::numeric_limits<Fixed>::max() / 2;

  explicit RowBounds(std::uint32_t size) : bounds_(size, kNever) {}

  // No value of the row has fallen by more than this.
  void lower(std::uint32_t row, Fixed by) { bounds_[row] -= by; }
  // There is a new value in the row.
  void admit(std::uint32_t row, Fixed value) { bounds_[row] = std::min(bounds_[row], value); }
  void set(std::uint32_t row, Fixed bound) { bounds_[row] = bound; }
  // Nothing is known of the row.
  void forget(std::uint32_t row) { bounds_[row] = kUnbounded; }

  // The first pair in the first `rows` rows by the order `before`, which is one by value and says
  // what ties mean. search(i) gives the first of the row i, with the value kNever if it has no
  // pair; `known`, if given, is the answer for its row.
  template <class Before, class Search>
  Least least(std::uint32_t rows, const std::optional<Least>& known, const Before& before,
              Search&& search);

 private:
  static constexpr Fixed kUnbounded = std::numeric_limits<Fixed>::min() / 2;

  // A plain loop, because compilers know how to do several at a time.
  static Fixed least_of(std::span<const Fixed> values) {
    Fixed least = kNever;
    for (const Fixed value : values) least = value < least ? value : least;
    return least;
  }

  std::vector<Fixed> bounds_;
  std::vector<Fixed> unsearched_;  // scratch: bounds of the rows not yet searched
};

// The row of the least bound first: so no row is searched in vain.
template <class Before, class Search>
RowBounds::Least RowBounds::least(std::uint32_t rows, const std::optional<Least>& known,
                                  const Before& before, Search&& search) {
  unsearched_.assign(bounds_.begin(), bounds_.begin() + rows);
  Least least{kNever, 0, 0};
  if (known) {
    least = *known;
    unsearched_[known->row] = kNever;
  }
  for (;;) {
    const Fixed bound = least_of(unsearched_);
    if (bound > least.value || bound == kNever) return least;
    const auto row = static_cast<std::uint32_t>(
        std::find(unsearched_.begin(), unsearched_.end(), bound) - unsearched_.begin());
    unsearched_[row] = kNever;
    const Least found = search(row);
    bounds_[row] = found.value;
    least = std::min(least, found, before);
  }
}

}  // namespace copse
