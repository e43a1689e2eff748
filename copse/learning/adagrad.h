// AdaGrad (Duchi et al. 2011): the step of a coordinate shrinks with the root of the squared slopes
// it has seen,
//
//   w_j += eta_j slope_j       eta_j = rate / ( sqrt(sum of slope_j^2) + 1e-6 )
//
// under a Gaussian prior, whose pull on each of N examples is -w_j / (N variance). The pull comes
// lazily: a weight is pulled when it is met, by all that has gathered since, so that an example
// costs no more than its own features. Many small pulls, which never overshoot zero:
//
//   w_j += w_j ( e^(-eta_j gap / (N variance)) - 1 )           gap: steps since the last pull
//
// Weights are anything that can say weight(j), change(j, by) and steps(), the steps ended so far.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace copse {

// What has to be kept to go on later.
struct AdaGradSums {
  std::vector<float> squares;         // by coordinate: sums of squared slopes
  std::vector<std::uint32_t> pulled;  // up to which step the prior has been applied

  void resize(std::size_t dimension) {
    squares.resize(dimension);
    pulled.resize(dimension);
  }
  bool operator==(const AdaGradSums&) const = default;
};

class AdaGrad {
 public:
  AdaGrad(double rate, double variance, std::size_t examples)
      : rate_(rate),
        pull_(1 / (variance * static_cast<double>(std::max<std::size_t>(examples, 1)))) {}

  // Along the slope, uphill.
  template <class Weights>
  void step(Weights& weights, AdaGradSums& sums, std::size_t j, double slope) const {
    const auto rounded = static_cast<float>(slope);
    sums.squares[j] += rounded * rounded;
    pull(weights, sums, j);
    weights.change(static_cast<std::uint32_t>(j), rate_of(sums, j) * slope);
  }

  // The pull on all weights, those too that were not met lately.
  template <class Weights>
  void pull_all(Weights& weights, AdaGradSums& sums) const {
    if (pull_ == 0) return;
    for (std::size_t j = 0; j < sums.squares.size(); ++j) pull(weights, sums, j);
  }

 private:
  // Keeps a coordinate whose slopes are mere rounding from taking long steps.
  static constexpr double kLeastRoot = 1e-6;

  double rate_of(const AdaGradSums& sums, std::size_t j) const {
    return rate_ / (std::sqrt(double{sums.squares[j]}) + kLeastRoot);
  }

  template <class Weights>
  void pull(Weights& weights, AdaGradSums& sums, std::size_t j) const {
    if (sums.squares[j] == 0) return;
    const auto now = static_cast<std::uint32_t>(weights.steps());
    const double gap = now - sums.pulled[j];
    const auto place = static_cast<std::uint32_t>(j);
    const double weight = weights.weight(place);
    weights.change(place, weight * std::expm1(-rate_of(sums, j) * pull_ * gap));
    sums.pulled[j] = now;
  }

  double rate_;
  double pull_;  // of the prior, per example
};

}  // namespace copse
