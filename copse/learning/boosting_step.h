// What the boosting algorithms share: the gain and the step of two sums, and margins from weights.
#pragma once

#include <algorithm>
#include <cmath>

#include "copse/base/error.h"
#include "copse/learning/ranking_pairs.h"

namespace copse::boosting {

// W+ and W- of a feature, side by side: both change together and are read together.
struct Sums {
  double plus = 0, minus = 0;
};

// Differences may leave -1e-18 where 0 belongs.
inline double gain(const Sums& sums) {
  return std::abs(std::sqrt(std::max(0.0, sums.plus)) - std::sqrt(std::max(0.0, sums.minus)));
}

inline double step(const Sums& sums, double smoothing_times_loss) {
  const double plus = std::max(0.0, sums.plus) + smoothing_times_loss;
  const double minus = std::max(0.0, sums.minus) + smoothing_times_loss;
  if (plus == 0 || minus == 0) {
    throw usage_error("without smoothing the weight of a feature that is never wrong is infinite",
                      "choose a smoothing above 0");
  }
  return 0.5 * std::log(plus / minus);
}

// The margin of a pair under weights.
inline double margin(const RankingPairs& pairs, std::size_t p, double log_probability_weight,
                     std::span<const double> weights) {
  double sum = log_probability_weight * pairs.log_ratio(p);
  for (const auto k : pairs.plus(p)) sum += weights[k];
  for (const auto k : pairs.minus(p)) sum -= weights[k];
  return sum;
}

// A sum that does not lose the small among the large (Neumaier).
class CarefulSum {
 public:
  void add(double value) {
    const double next = sum_ + value;
    lost_ += std::abs(sum_) >= std::abs(value) ? (sum_ - next) + value : (value - next) + sum_;
    sum_ = next;
  }
  double value() const { return sum_ + lost_; }

 private:
  double sum_ = 0, lost_ = 0;
};

inline constexpr double kTinyLoss = 1e-300;
inline constexpr std::size_t kRefreshRounds = 25'000;
inline constexpr double kRefreshFall = 1024;  // ten halvings

}  // namespace copse::boosting
