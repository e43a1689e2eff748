#include "copse/learning/online.h"

#include "copse/base/error.h"

namespace copse {
namespace {

void check(const OnlineOptions& options) {
  if (options.batch < 1) throw usage_error("a batch needs at least one example");
  if (!(options.variance > 0)) throw usage_error("the variance of the prior must be above 0");
  if (!(options.rate > 0)) throw usage_error("the rate of learning must be above 0");
  if (!(options.aggressiveness > 0)) throw usage_error("the aggressiveness must be above 0");
}

}  // namespace

std::vector<float> OnlineState::averaged() const {
  std::vector<float> average(weights.size());
  for (std::size_t j = 0; j < average.size(); ++j) {
    average[j] = average_weight(weights[j], moments[j], steps);
  }
  return average;
}

OnlineUpdate::OnlineUpdate(const OnlineOptions& options, std::size_t examples,
                           std::size_t dimension, OnlineState& state)
    : rule_(options.rule),
      perceptron_{options.rule == OnlineRule::passive_aggressive, options.aggressiveness},
      margin_(options.cost_weight != 0 ? options.cost_weight : 1),
      adagrad_(options.rate, options.variance, examples),
      state_(state) {
  check(options);
  if (state.weights.size() > dimension) {
    throw usage_error("the state to go on from has more features than the problem");
  }
  state.weights.resize(dimension);
  state.moments.resize(dimension);
  if (rule_ == OnlineRule::log_linear) state.AdaGradSums::resize(dimension);
}

void OnlineUpdate::apply(const Answer& answer) {
  Weights weights{state_};
  if (rule_ == OnlineRule::log_linear) {
    for (const auto& [feature, slope] : answer.difference) {
      adagrad_.step(weights, state_, feature, slope);
    }
  } else {
    perceptron_step(weights, answer.difference, margin_ * answer.loss, perceptron_);
  }
  ++state_.steps;
}

void OnlineUpdate::finish_pass() {
  Weights weights{state_};
  if (rule_ == OnlineRule::log_linear) adagrad_.pull_all(weights, state_);
}

}  // namespace copse
