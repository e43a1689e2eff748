#include "copse/learning/online.h"

#include "copse/base/error.h"

namespace copse {
namespace {

// Keeps a coordinate whose slopes are mere rounding from taking long steps.
constexpr double kLeastRoot = 1e-6;

void check(const OnlineOptions& options) {
  if (options.batch < 1) throw usage_error("a batch needs at least one example");
  if (!(options.variance > 0)) throw usage_error("the variance of the prior must be above 0");
  if (!(options.rate > 0)) throw usage_error("the rate of learning must be above 0");
  if (!(options.aggressiveness > 0)) throw usage_error("the aggressiveness must be above 0");
}

}  // namespace

std::vector<float> OnlineState::averaged() const {
  std::vector<float> average(weights);
  if (steps == 0) return average;
  for (std::size_t j = 0; j < average.size(); ++j) {
    average[j] = static_cast<float>(weights[j] - moments[j] / static_cast<double>(steps));
  }
  return average;
}

OnlineUpdate::OnlineUpdate(const OnlineOptions& options, std::size_t examples,
                           std::size_t dimension, OnlineState& state)
    : options_(options),
      pull_(1 / (options.variance * static_cast<double>(std::max<std::size_t>(examples, 1)))),
      state_(state) {
  check(options);
  if (state.weights.size() > dimension) {
    throw usage_error("the state to go on from has more features than the problem");
  }
  state.weights.resize(dimension);
  state.moments.resize(dimension);
  if (options.rule != OnlineRule::log_linear) return;
  state.squares.resize(dimension);
  state.pulled.resize(dimension);
}

void OnlineUpdate::apply(const Answer& answer) {
  switch (options_.rule) {
    case OnlineRule::perceptron:
      step_by(answer, 1);
      break;
    case OnlineRule::passive_aggressive:
      step_by(answer, passive_aggressive_length(answer));
      break;
    case OnlineRule::log_linear:
      step_adaptively(answer);
      break;
  }
  ++state_.steps;
}

void OnlineUpdate::change(FeatureId feature, double by) {
  const auto before = state_.weights[feature];
  state_.weights[feature] += static_cast<float>(by);
  // What was really added, so that the average is that of the weights as they were rounded.
  const double added = double{state_.weights[feature]} - before;
  state_.moments[feature] += static_cast<double>(state_.steps) * added;
}

double OnlineUpdate::passive_aggressive_length(const Answer& answer) const {
  double margin = 0;
  double norm = 0;
  for (const auto& [feature, value] : answer.difference) {
    margin += double{value} * state_.weights[feature];
    norm += double{value} * value;
  }
  if (norm == 0) return 0;
  return std::min(options_.aggressiveness, std::max(0.0, answer.loss - margin) / norm);
}

void OnlineUpdate::step_by(const Answer& answer, double length) {
  if (length == 0) return;
  for (const FeatureValue& entry : answer.difference) change(entry.feature, length * entry.value);
}

double OnlineUpdate::rate_of(FeatureId feature) const {
  return options_.rate / (std::sqrt(double{state_.squares[feature]}) + kLeastRoot);
}

// The prior pulls a weight only when it is met, by all that has gathered since: many small pulls,
// which never overshoot zero.
void OnlineUpdate::pull(FeatureId feature) {
  if (state_.squares[feature] == 0) return;
  const auto now = static_cast<std::uint32_t>(state_.steps);
  const double gap = now - state_.pulled[feature];
  const double weight = state_.weights[feature];
  change(feature, weight * std::expm1(-rate_of(feature) * pull_ * gap));
  state_.pulled[feature] = now;
}

void OnlineUpdate::step_adaptively(const Answer& answer) {
  for (const auto& [feature, slope] : answer.difference) {
    state_.squares[feature] += slope * slope;
    pull(feature);
    change(feature, rate_of(feature) * slope);
  }
}

void OnlineUpdate::finish_pass() {
  if (options_.rule != OnlineRule::log_linear || std::isinf(options_.variance)) return;
  for (std::size_t j = 0; j < state_.weights.size(); ++j) pull(static_cast<FeatureId>(j));
}

}  // namespace copse
