// Exponentiated gradient over structures made of parts (part_problem.h): training in the dual. Each
// example i has a distribution over its structures, P_i(y) ~ e^(sum of theta_ia over the parts a of
// y), of which the marginals mu_ia are all that is ever needed; and always
//
//   w = C sum_i sum_a ( gold_ia - mu_ia ) f(i, a)
//
// Max-margin (Koo, Globerson, Carreras & Collins 2007, Figure 2), l the cost of the parts:
//   primal   C sum_i max_y [ l(y) + w.f(y) - w.f(gold) ] + |w|^2/2
//   dual     C sum_i sum_a l_ia mu_ia  -  |w|^2/2
//   step     theta_ia += eta C ( l_ia + w.f(i,a) );  eta = 1/C, halved when a pass lets the dual
//            fall. The weights handed out are those of the best dual so far.
// Log-linear (Globerson et al. 2007; Collins et al. 2008), H the entropy:
//   primal   C sum_i ( log Z_i - w.f(gold) ) + |w|^2/2
//   dual     C sum_i H(P_i)  -  |w|^2/2,         H = log Z(theta_i) - sum_a theta_ia mu_ia
//   step     theta_ia = (1 - eta_i) theta_ia + eta_i w.f(i,a);  eta_i is halved, at most five
//            times, until the dual does not fall, else the example is passed over; it grows by 5 %
//            after a success. The examples are visited in a random order.
//
// The weights change after every example: exact and sequential, the same bytes always; blocks of
// examples that learn side by side are in block_gradient.h. Costs one
// inference per example and pass (more where a log-linear step has to be halved) and two floats per
// part. The marginals are rounded to floats before w learns of them, so that w is what the formula
// says for those that are kept, up to the rounding of sums.
//
// In max-margin theta grows with every pass. To add a constant to all of an example is not safe in
// general, because structures may differ in their number of parts; only the problem knows what is:
// it may offer recentre(). Without it theta stays as it is, and what is lost is the precision of
// a float of that size; the marginals are always those of the theta that is kept.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "copse/base/pace.h"
#include "copse/learning/part_problem.h"
#include "copse/learning/pass_order.h"

namespace copse {

enum class DualLoss { max_margin, log_linear };

struct ExponentiatedGradientOptions {
  DualLoss loss = DualLoss::max_margin;
  double variance = 1;  // C: how much the losses count against |w|^2/2; finite
  // Theta of the right parts at the beginning; that of the others is 0. The paper's value, meant
  // for arcs alone: where a wrong choice changes several parts at once, the advantages add up, and
  // a smaller start saves the first passes.
  double start = 9;
  // Marginals that move by less than this stay as they were: fewer features to extract, and a
  // dual that is only nearly that of theta. 0: exact.
  double least_change = 0;
  std::uint64_t seed = 1;  // log-linear: of the order of the examples
};

// Everything that has to be kept to go on learning later.
struct ExponentiatedGradientState {
  std::vector<float> theta;         // by part, example after example
  std::vector<float> marginals;     // of theta, as w knows them
  std::vector<double> gains;        // by example: its term of the dual, without C
  std::vector<double> weights;      // w above
  std::vector<float> best_weights;  // max-margin: those of best_dual
  std::vector<double> rates;        // log-linear: eta_i
  double rate = 0;                  // max-margin: eta
  double dual = 0;                  // after the last pass
  double best_dual = 0;
  std::uint32_t passes = 0;

  bool operator==(const ExponentiatedGradientState&) const = default;
};

struct DualPass {
  double dual = 0;
  std::size_t passed_over = 0;  // log-linear: examples for which no step was short enough
};

// w, and the rounded copy that problems score with.
class DualWeights {
 public:
  explicit DualWeights(std::vector<double>& weights) : weights_(weights) {}

  std::span<const float> rounded() const { return rounded_; }
  double penalty() const;  // |w|^2/2
  // By how much w += scale * change would raise the penalty.
  double penalty_change(std::span<const FeatureValue> change, double scale) const;
  void add(std::span<const FeatureValue> change, double scale);
  void round();  // after changes of w from outside

 private:
  std::vector<double>& weights_;
  std::vector<float> rounded_;
};

namespace detail {

inline constexpr double kFirstRate = 0.5;
inline constexpr double kRateGrowth = 1.05;
inline constexpr int kHalvings = 5;

// Throws a usage error unless the options make sense.
void check(const ExponentiatedGradientOptions& options);
// A state made for these numbers is to be gone on from; false if it is empty, a usage error if it
// is made for others.
bool resumes(const ExponentiatedGradientState& state, const ExponentiatedGradientOptions& options,
             std::size_t examples, std::size_t parts, std::size_t dimension);
// The end of a pass: the dual, the best weights, the rate. Throws a usage error if the numbers
// have left what a float can hold.
void finish_pass(ExponentiatedGradientState& state, const ExponentiatedGradientOptions& options,
                 const DualWeights& weights);
// The same for the beginning.
void start(ExponentiatedGradientState& state, const ExponentiatedGradientOptions& options,
           const DualWeights& weights);
// sum_a left_a right_a
double dot(std::span<const float> left, std::span<const float> right);

}  // namespace detail

// The steps of one example, and the memory they need. Weights are anything that can say rounded(),
// penalty_change() and add() as DualWeights does.
template <PartProblem Problem>
class ExampleStep {
 public:
  // The problem must outlive this.
  ExampleStep(const Problem& problem, const ExponentiatedGradientOptions& options)
      : problem_(problem), options_(options) {
    sum_.resize(problem.dimension());
  }

  // What belongs to an example.
  struct Slot {
    std::size_t example;
    std::span<float> theta, marginals;
    double& gain;
  };

  // Before the first pass.
  template <class Weights>
  void begin(const Slot& slot, Weights& weights) {
    const auto gold = problem_.gold(slot.example);
    make_room(slot.example);
    for (std::size_t a = 0; a < slot.theta.size(); ++a) {
      slot.theta[a] = static_cast<float>(options_.start) * gold[a];
      slot.marginals[a] = gold[a];  // so that w starts as the step from gold to the marginals
    }
    const double log_z = infer(slot, slot.theta);
    problem_.cost(slot.example, std::span(cost_));
    keep(slot, gain_of(slot.theta, log_z), weights);
  }

  template <class Weights>
  void max_margin(const Slot& slot, double rate, Weights& weights) {
    const std::span<float> theta = slot.theta;
    make_room(slot.example);
    problem_.score(slot.example, weights.rounded(), std::span(scores_));
    problem_.cost(slot.example, std::span(cost_));
    const double step = rate * options_.variance;
    for (std::size_t a = 0; a < theta.size(); ++a) {
      theta[a] = static_cast<float>(theta[a] + step * (double{cost_[a]} + scores_[a]));
    }
    if constexpr (Recentring<Problem>) problem_.recentre(slot.example, theta);
    const double log_z = infer(slot, theta);
    keep(slot, gain_of(theta, log_z), weights);
  }

  // False if no step was short enough.
  template <class Weights>
  bool log_linear(const Slot& slot, double& rate, Weights& weights) {
    const std::span<float> theta = slot.theta;
    make_room(slot.example);
    problem_.score(slot.example, weights.rounded(), std::span(scores_));
    for (int halvings = 0;; ++halvings) {
      for (std::size_t a = 0; a < theta.size(); ++a) {
        trial_[a] = static_cast<float>((1 - rate) * theta[a] + rate * scores_[a]);
      }
      const double log_z = infer(slot, trial_);
      const double gain = gain_of(trial_, log_z);
      const double rise = options_.variance * (gain - slot.gain) -
                          weights.penalty_change(change_, options_.variance);
      if (rise >= 0) {
        std::ranges::copy(trial_, theta.begin());
        keep(slot, gain, weights);
        rate = std::min(rate * detail::kRateGrowth, 1.0);
        return true;
      }
      if (halvings == detail::kHalvings) return false;
      rate /= 2;
    }
  }

 private:
  void make_room(std::size_t i) {
    for (auto* values : {&scores_, &cost_, &found_, &slopes_, &trial_}) {
      values->assign(problem_.parts(i), 0.0F);
    }
  }

  // The marginals of theta, and what they would change: sum_a ( mu_ia - found_a ) f(i, a).
  double infer(const Slot& slot, std::span<const float> theta) {
    const std::size_t i = slot.example;
    const double log_z = problem_.marginals(i, theta, std::span(found_));
    const std::span<const float> mu = slot.marginals;
    for (std::size_t a = 0; a < found_.size(); ++a) {
      slopes_[a] = mu[a] - found_[a];
      if (std::abs(slopes_[a]) < options_.least_change) {
        slopes_[a] = 0;
        found_[a] = mu[a];
      }
    }
    problem_.for_each_feature(i, std::span<const float>(slopes_),
                              [this](FeatureId f, float value) { sum_.add(f, value); });
    change_.clear();
    sum_.drain(change_);
    return log_z;
  }

  // The term of the dual that belongs to the marginals found for theta.
  double gain_of(std::span<const float> theta, double log_z) const {
    if (options_.loss == DualLoss::max_margin) return detail::dot(cost_, found_);
    return log_z - detail::dot(theta, found_);
  }

  template <class Weights>
  void keep(const Slot& slot, double gain, Weights& weights) {
    weights.add(change_, options_.variance);
    std::ranges::copy(found_, slot.marginals.begin());
    slot.gain = gain;
  }

  const Problem& problem_;
  ExponentiatedGradientOptions options_;
  std::vector<float> scores_, cost_, found_, slopes_, trial_;  // of the example at hand
  std::vector<FeatureValue> change_;                           // of w, without C
  SparseSum sum_;
};

template <PartProblem Problem>
class ExponentiatedGradient {
 public:
  // The problem must outlive the learner. An empty state is the beginning.
  ExponentiatedGradient(const Problem& problem, const ExponentiatedGradientOptions& options,
                        ExponentiatedGradientState state = {})
      : problem_(problem),
        options_(options),
        state_(std::move(state)),
        weights_(state_.weights),
        step_(problem, options),
        first_part_(problem.size() + 1, 0) {
    detail::check(options);
    for (std::size_t i = 0; i < problem.size(); ++i) {
      first_part_[i + 1] = first_part_[i] + problem.parts(i);
    }
    if (detail::resumes(state_, options, problem.size(), first_part_.back(), problem.dimension())) {
      weights_.round();
    } else {
      begin();
    }
  }
  ExponentiatedGradient(const ExponentiatedGradient&) = delete;
  ExponentiatedGradient& operator=(const ExponentiatedGradient&) = delete;

  // All examples once. `during` is told of every one, if it is set.
  DualPass pass(const WorkDone& during = {}) {
    std::vector<std::uint32_t> order(problem_.size());
    std::iota(order.begin(), order.end(), 0U);
    DualPass result;
    if (options_.loss == DualLoss::max_margin) {
      for (std::size_t k = 0; k < order.size(); ++k) {
        step_.max_margin(slot_of(order[k]), state_.rate, weights_);
        if (during) during(k + 1, order.size());
      }
    } else {
      pass_order(options_.seed, state_.passes).shuffle(std::span(order));
      for (std::size_t k = 0; k < order.size(); ++k) {
        const std::uint32_t i = order[k];
        const bool stepped = step_.log_linear(slot_of(i), state_.rates[i], weights_);
        result.passed_over += stepped ? 0 : 1;
        if (during) during(k + 1, order.size());
      }
    }
    detail::finish_pass(state_, options_, weights_);
    result.dual = state_.dual;
    return result;
  }

  // Max-margin: those of the best dual so far. Log-linear: the dual never falls, the last.
  std::vector<float> weights() const {
    if (options_.loss == DualLoss::max_margin) return state_.best_weights;
    return {weights_.rounded().begin(), weights_.rounded().end()};
  }

  // The primal objective of weights(), never below any dual. One inference per example.
  double primal() const {
    const std::vector<float> w = weights();
    std::vector<float> scores;
    std::vector<float> found;
    double losses = 0;
    for (std::size_t i = 0; i < problem_.size(); ++i) {
      scores.assign(problem_.parts(i), 0.0F);
      found.assign(problem_.parts(i), 0.0F);
      problem_.score(i, std::span<const float>(w), std::span(scores));
      losses -= detail::dot(problem_.gold(i), scores);
      losses += options_.loss == DualLoss::max_margin ? best_with_cost(i, scores, found)
                                                      : log_partition(i, scores, found);
    }
    return options_.variance * losses + detail::dot(w, w) / 2;
  }

  const ExponentiatedGradientState& state() const { return state_; }

 private:
  typename ExampleStep<Problem>::Slot slot_of(std::size_t i) {
    const std::size_t first = first_part_[i], parts = first_part_[i + 1] - first;
    return {i, std::span(state_.theta).subspan(first, parts),
            std::span(state_.marginals).subspan(first, parts), state_.gains[i]};
  }

  void begin() {
    const std::size_t parts = first_part_.back();
    state_.theta.assign(parts, 0.0F);
    state_.marginals.assign(parts, 0.0F);
    state_.gains.assign(problem_.size(), 0.0);
    state_.weights.assign(problem_.dimension(), 0.0);
    weights_.round();
    for (std::size_t i = 0; i < problem_.size(); ++i) step_.begin(slot_of(i), weights_);
    detail::start(state_, options_, weights_);
  }

  double best_with_cost(std::size_t i, std::vector<float>& scores,
                        std::vector<float>& found) const {
    std::vector<float> cost(scores.size());
    problem_.cost(i, std::span(cost));
    for (std::size_t a = 0; a < scores.size(); ++a) scores[a] += cost[a];
    problem_.best(i, std::span<const float>(scores), std::span(found));
    return detail::dot(scores, found);
  }

  double log_partition(std::size_t i, const std::vector<float>& scores,
                       std::vector<float>& found) const {
    return problem_.marginals(i, std::span<const float>(scores), std::span(found));
  }

  const Problem& problem_;
  ExponentiatedGradientOptions options_;
  ExponentiatedGradientState state_;
  DualWeights weights_;
  ExampleStep<Problem> step_;
  std::vector<std::size_t> first_part_;
};

}  // namespace copse
