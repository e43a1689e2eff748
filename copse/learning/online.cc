#include "copse/learning/online.h"

#include <cstring>

#include "copse/base/error.h"

namespace copse {
namespace {

void check(const OnlineOptions& options) {
  if (options.batch < 1) throw usage_error("a batch needs at least one example");
  if (!(options.variance > 0)) throw usage_error("the variance of the prior must be above 0");
  if (!(options.rate > 0)) throw usage_error("the rate of learning must be above 0");
  if (!(options.aggressiveness > 0)) throw usage_error("the aggressiveness must be above 0");
}

using Answer = OnlineUpdate::Answer;

// One answer after the other: loss, whether it is right, the length of the difference, itself.
struct AnswerHead {
  double loss;
  std::uint64_t right, features;
};

void append(const Answer& answer, std::string& out) {
  const AnswerHead head{answer.loss, answer.right ? 1U : 0U, answer.difference.size()};
  append_values(out, std::span(&head, 1));
  append_values(out, std::span<const FeatureValue>(answer.difference));
}

void take(std::string_view& bytes, Answer& out) {
  AnswerHead head{};
  std::memcpy(&head, bytes.data(), sizeof head);
  bytes.remove_prefix(sizeof head);
  out.loss = head.loss;
  out.right = head.right != 0;
  out.difference.resize(head.features);
  const std::size_t size = head.features * sizeof(FeatureValue);
  if (size > 0) std::memcpy(out.difference.data(), bytes.data(), size);
  bytes.remove_prefix(size);
}

}  // namespace

void exchange_answers(Group& group, std::span<Answer> answers) {
  const auto members = static_cast<std::size_t>(group.size());
  std::string mine;
  for (auto k = static_cast<std::size_t>(group.rank()); k < answers.size(); k += members) {
    append(answers[k], mine);
  }
  const std::vector<std::string> all = gather_for_all(group, mine);
  for (std::size_t member = 0; member < members; ++member) {
    std::string_view rest = all[member];
    for (std::size_t k = member; k < answers.size(); k += members) take(rest, answers[k]);
  }
}

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
