#include "copse/learning/online.h"

namespace copse {

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
    case OnlineRule::passive_aggressive: {
      double norm = 0;
      for (const FeatureValue& entry : answer.difference) norm += double{entry.value} * entry.value;
      const double wanted = std::max(0.0, answer.loss - answer.margin);
      if (norm > 0) step_by(answer, std::min(options_.aggressiveness, wanted / norm));
      break;
    }
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

void OnlineUpdate::step_by(const Answer& answer, double length) {
  if (length == 0) return;
  for (const FeatureValue& entry : answer.difference) change(entry.feature, length * entry.value);
}

// The prior pulls a weight only when it is met, by all that has gathered since: many small pulls,
// which never overshoot zero.
void OnlineUpdate::pull(FeatureId feature) {
  if (state_.squares[feature] == 0) return;
  const double rate = options_.rate / std::sqrt(state_.squares[feature]);
  const auto now = static_cast<std::uint32_t>(state_.steps);
  const double gap = now - state_.pulled[feature];
  const double weight = state_.weights[feature];
  change(feature, weight * std::expm1(-rate * pull_ * gap));
  state_.pulled[feature] = now;
}

void OnlineUpdate::step_adaptively(const Answer& answer) {
  for (const auto& [feature, slope] : answer.difference) {
    state_.squares[feature] += slope * slope;
    pull(feature);
    change(feature, options_.rate / std::sqrt(state_.squares[feature]) * slope);
  }
}

void OnlineUpdate::finish_pass() {
  if (options_.rule != OnlineRule::log_linear || std::isinf(options_.variance)) return;
  for (std::size_t j = 0; j < state_.weights.size(); ++j) pull(static_cast<FeatureId>(j));
}

}  // namespace copse
