#include "copse/learning/exponentiated_gradient.h"

#include "copse/base/error.h"

namespace copse {

double DualWeights::penalty() const {
  double sum = 0;
  for (const double weight : weights_) sum += weight * weight;
  return sum / 2;
}

double DualWeights::penalty_change(std::span<const FeatureValue> change, double scale) const {
  double sum = 0;
  for (const auto& [feature, value] : change) {
    const double by = scale * value;
    sum += by * (weights_[feature] + by / 2);
  }
  return sum;
}

void DualWeights::add(std::span<const FeatureValue> change, double scale) {
  for (const auto& [feature, value] : change) {
    weights_[feature] += scale * value;
    rounded_[feature] = static_cast<float>(weights_[feature]);
  }
}

void DualWeights::round() {
  rounded_.assign(weights_.begin(), weights_.end());
}

namespace detail {
namespace {

double dual_of(const ExponentiatedGradientState& state, const ExponentiatedGradientOptions& options,
               const DualWeights& weights) {
  const double gain = std::accumulate(state.gains.begin(), state.gains.end(), 0.0);
  const double dual = options.variance * gain - weights.penalty();
  if (std::isfinite(dual)) return dual;
  throw usage_error("exponentiated gradient has left the numbers that it can hold",
                    "try a smaller variance");
}

void keep_best(ExponentiatedGradientState& state, const ExponentiatedGradientOptions& options,
               const DualWeights& weights) {
  state.best_dual = state.dual;
  if (options.loss != DualLoss::max_margin) return;
  state.best_weights.assign(weights.rounded().begin(), weights.rounded().end());
}

}  // namespace

void check(const ExponentiatedGradientOptions& options) {
  if (!(options.variance > 0) || !std::isfinite(options.variance)) {
    throw usage_error("the variance of the prior must be above 0 and finite");
  }
  if (!std::isfinite(options.start)) throw usage_error("the start of theta must be finite");
}

bool resumes(const ExponentiatedGradientState& state, const ExponentiatedGradientOptions& options,
             std::size_t examples, std::size_t parts, std::size_t dimension) {
  if (state == ExponentiatedGradientState{}) return false;
  const bool margin = options.loss == DualLoss::max_margin;
  if (state.theta.size() != parts || state.marginals.size() != parts ||
      state.gains.size() != examples || state.weights.size() != dimension ||
      state.best_weights.size() != (margin ? dimension : 0) ||
      state.rates.size() != (margin ? 0 : examples)) {
    throw usage_error("the state to go on from belongs to other data or another loss");
  }
  return true;
}

void start(ExponentiatedGradientState& state, const ExponentiatedGradientOptions& options,
           const DualWeights& weights) {
  if (options.loss == DualLoss::max_margin) {
    state.rate = 1 / options.variance;
  } else {
    state.rates.assign(state.gains.size(), kFirstRate);
  }
  state.dual = dual_of(state, options, weights);
  keep_best(state, options, weights);
}

void finish_pass(ExponentiatedGradientState& state, const ExponentiatedGradientOptions& options,
                 const DualWeights& weights) {
  const double last = state.dual;
  state.dual = dual_of(state, options, weights);
  if (state.dual < last) state.rate /= 2;
  if (state.dual > state.best_dual) keep_best(state, options, weights);
  ++state.passes;
}

double dot(std::span<const float> left, std::span<const float> right) {
  double sum = 0;
  for (std::size_t a = 0; a < left.size(); ++a) sum += double{left[a]} * right[a];
  return sum;
}

}  // namespace detail
}  // namespace copse
