// A triangle of values (a row for each i, a column for each j < i) that answers where the least
// one is, ties going to the pair with the smaller ids, without looking at all of them: for every
// row a lower bound is known, and the row is searched only when its bound is the least of all.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "copse/cluster/fixed_log.h"

namespace copse {

// The triangle alone.
class PairTable {
 public:
  PairTable(std::uint32_t size, Fixed value)
      : size_(size), values_(std::size_t{size} * (size - 1) / 2, value) {}

  Fixed operator()(std::uint32_t i, std::uint32_t j) const { return i > j ? row(i)[j] : row(j)[i]; }
  std::span<Fixed> row(std::uint32_t i) { return {values_.data() + start(i), i}; }
  std::span<const Fixed> row(std::uint32_t i) const { return {values_.data() + start(i), i}; }

  // Everything that concerns `i`, the value with j at values[j]; values[i] is not read.
  void replace(std::uint32_t i, std::span<const Fixed> values);

 private:
  static std::size_t start(std::uint32_t i) { return std::size_t{i} * (i - (i > 0 ? 1U : 0U)) / 2; }

  std::uint32_t size_;
  std::vector<Fixed> values_;
};

class PairLosses {
 public:
  // No pair. Not the largest number, so that something may be added to it.
  static constexpr Fixed kNever = std::numeric_limits<Fixed>::max() / 2;
  struct Least {
    std::uint32_t first;  // the one with the smaller id
    std::uint32_t second;
    Fixed loss;
  };

  explicit PairLosses(std::uint32_t size)
      : values_(size, kNever), bounds_(size, kNever), best_(size, kUnknown) {}

  Fixed operator()(std::uint32_t i, std::uint32_t j) const { return values_(i, j); }

  // Rows may be changed in place, by many threads if each has its own rows. Afterwards changed()
  // must be told the least of those values that may have become less.
  std::span<Fixed> row(std::uint32_t i) { return values_.row(i); }
  void changed(std::uint32_t i, Fixed least_new) {
    if (least_new <= bounds_[i]) {
      bounds_[i] = least_new;
      best_[i] = kUnknown;
    } else if (best_[i] != kUnknown && row(i)[best_[i]] != bounds_[i]) {
      best_[i] = kUnknown;  // it rose; the bound still holds
    }
  }

  // Everything that concerns `i`, the value with j at losses[j]; losses[i] is not read.
  void replace(std::uint32_t i, std::span<const Fixed> losses);
  // No pair contains `i` from now on.
  void remove(std::uint32_t i);

  // `ids` by index. There must be a pair.
  Least least(std::span<const std::uint32_t> ids);

 private:
  static constexpr std::uint32_t kUnknown = UINT32_MAX;
  void search(std::uint32_t i, std::span<const std::uint32_t> ids);

  PairTable values_;
  std::vector<Fixed> bounds_;        // no value in the row is less
  std::vector<std::uint32_t> best_;  // column of the least value if known: it equals the bound then
};

}  // namespace copse
