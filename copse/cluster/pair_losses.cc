#include "copse/cluster/pair_losses.h"

#include <algorithm>
#include <utility>

namespace copse {
namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;

Pair ordered(std::uint32_t a, std::uint32_t b) {
  return {std::min(a, b), std::max(a, b)};
}

// A plain loop, because compilers know how to do several at a time.
Fixed least_of(std::span<const Fixed> values) {
  Fixed least = PairLosses::kNever;
  for (const Fixed value : values) least = value < least ? value : least;
  return least;
}

}  // namespace

void PairTable::replace(std::uint32_t i, std::span<const Fixed> values) {
  std::copy_n(values.begin(), i, row(i).begin());
  for (std::uint32_t j = i + 1; j < size_; ++j) row(j)[i] = values[j];
}

void PairLosses::replace(std::uint32_t i, std::span<const Fixed> losses) {
  values_.replace(i, losses);
  const std::span<const Fixed> own = row(i);
  bounds_[i] = least_of(own);
  best_[i] = kUnknown;
  for (std::uint32_t j = i + 1; j < losses.size(); ++j) {
    if (best_[j] == i) best_[j] = kUnknown;
    if (losses[j] < bounds_[j]) {
      bounds_[j] = losses[j];
      best_[j] = i;
    } else if (losses[j] == bounds_[j]) {
      best_[j] = kUnknown;  // a tie
    }
  }
}

void PairLosses::remove(std::uint32_t i) {
  const std::span<Fixed> own = row(i);
  std::fill(own.begin(), own.end(), kNever);
  bounds_[i] = kNever;
  best_[i] = kUnknown;
  for (std::uint32_t j = i + 1; j < bounds_.size(); ++j) {
    row(j)[i] = kNever;
    if (best_[j] == i) best_[j] = kUnknown;
  }
}

void PairLosses::search(std::uint32_t i, std::span<const std::uint32_t> ids) {
  const std::span<const Fixed> values = values_.row(i);
  const Fixed least = least_of(values);
  bounds_[i] = least;
  best_[i] = kUnknown;
  if (least == kNever) return;
  for (std::uint32_t j = 0; j < i; ++j) {
    if (values[j] != least) continue;
    if (best_[i] == kUnknown || ordered(ids[i], ids[j]) < ordered(ids[i], ids[best_[i]])) {
      best_[i] = j;
    }
  }
}

// Once through the rows, from the one with the least bound on, which is likely to be the answer:
// rows with a bound above the least value found so far cannot hold a lesser one. A bound that
// equals it may hide a tie, so that row is searched, too.
PairLosses::Least PairLosses::least(std::span<const std::uint32_t> ids) {
  const auto rows = static_cast<std::uint32_t>(bounds_.size());
  const auto start = static_cast<std::uint32_t>(
      std::find(bounds_.begin(), bounds_.end(), least_of(bounds_)) - bounds_.begin());
  Fixed least = kNever;
  std::uint32_t chosen = start;
  const auto visit = [&](std::uint32_t i) {
    if (best_[i] == kUnknown) search(i, ids);
    if (bounds_[i] > least || best_[i] == kUnknown) return;
    if (bounds_[i] < least ||
        ordered(ids[i], ids[best_[i]]) < ordered(ids[chosen], ids[best_[chosen]])) {
      least = bounds_[i];
      chosen = i;
    }
  };
  visit(start);
  for (std::uint32_t i = 0; i < rows; ++i) {
    if (bounds_[i] <= least && i != start) visit(i);
  }
  const std::uint32_t other = best_[chosen];
  return ids[chosen] < ids[other] ? Least{chosen, other, least} : Least{other, chosen, least};
}

}  // namespace copse
