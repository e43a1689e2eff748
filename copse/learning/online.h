// Learning one example at a time from structures made of parts (part_problem.h). With z the best
// structure for the current weights, y the right one, d = f(y) - f(z):
//
//   perceptron           w += d                                                 perceptron.h
//   passive-aggressive   w += min(C, max(0, L(z) - w.d) / |d|^2) d              perceptron.h
//   log-linear           w += AdaGrad step along f(y) - sum_a mu(a) f(a) - w / (N variance)
//                                                                               adagrad.h
//
// The first two search with a margin if `cost_weight` is not 0: z maximises score + cost_weight *
// cost, and L(z) is cost_weight times the cost of z, the margin that z was found to break. Without
// it L(z) is the cost itself. The weights handed out are averaged over all examples seen (lazy_average.h): the mean of
// the weights after each example.
//
// Threads: a batch of examples is answered for the same weights by whoever is free, and the changes
// are made in the order of the examples: the same bytes for any number of threads. The w.d of the
// passive-aggressive step is that of the weights at the time of the change. The members of a group
// share a batch in the same way and tell each other their answers: the same bytes again, and many
// small messages. mixed_online.h has fewer of them, for another result.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "copse/base/group.h"
#include "copse/base/pace.h"
#include "copse/base/pool.h"
#include "copse/base/thread_team.h"
#include "copse/learning/adagrad.h"
#include "copse/learning/part_problem.h"
#include "copse/learning/pass_order.h"
#include "copse/learning/perceptron.h"
#include "copse/model/lazy_average.h"

namespace copse {

enum class OnlineRule { perceptron, passive_aggressive, log_linear };

struct OnlineOptions {
  OnlineRule rule = OnlineRule::perceptron;
  double cost_weight = 0;       // perceptron, passive-aggressive
  double aggressiveness = 0.1;  // C of passive-aggressive
  double rate = 0.1;            // log-linear
  double variance = 1;          // log-linear: of the prior; infinity for none
  double least_slope = 1e-4;    // log-linear: parts whose |gold - mu| is below are passed over
  int batch = 16;               // examples answered for the same weights
  std::uint64_t seed = 1;       // of the order of the examples
};

// Everything that has to be kept to go on learning later.
struct OnlineState : AdaGradSums {  // their sums are of the log-linear rule
  std::vector<float> weights;
  std::vector<double> moments;  // of lazy_average.h
  std::uint64_t steps = 0;
  std::uint32_t passes = 0;

  std::vector<float> averaged() const;
  bool operator==(const OnlineState&) const = default;
};

struct PassResult {
  double loss = 0;           // cost of what was found, or minus the log-likelihood
  std::size_t mistakes = 0;  // examples not answered rightly, or (log-linear) with a right part
                             // whose probability is below one half
};

// How the weights change for an answer; the part of learning that needs no problem.
class OnlineUpdate {
 public:
  // Throws a usage error for options that make no sense, or a state of more features than these.
  OnlineUpdate(const OnlineOptions& options, std::size_t examples, std::size_t dimension,
               OnlineState& state);

  struct Answer {
    std::vector<FeatureValue> difference;  // each feature once
    double loss = 0;
    bool right = true;
  };
  // One step, whether or not anything changes.
  void apply(const Answer& answer);
  // The prior's pull on weights that were not met lately.
  void finish_pass();

 private:
  // The state as the rules see it.
  struct Weights {
    OnlineState& state;
    float weight(FeatureId feature) const { return state.weights[feature]; }
    void change(FeatureId feature, double by) {
      change_weight(state.weights[feature], state.moments[feature], by, state.steps);
    }
    std::uint64_t steps() const { return state.steps; }
  };

  OnlineRule rule_;
  PerceptronOptions perceptron_;
  double margin_;  // for each unit of cost
  AdaGrad adagrad_;
  OnlineState& state_;
};

// Answers k, k + size, k + 2 size ... are those of member k: from here on everybody has all.
void exchange_answers(Group& group, std::span<OnlineUpdate::Answer> answers);

template <PartProblem Problem>
class OnlineLearner {
 public:
  // The references must outlive the learner. An empty state is the beginning. `group`: the
  // processes that share the work, all of which do the same; null if this is the only one.
  OnlineLearner(const Problem& problem, const OnlineOptions& options, ThreadTeam& team,
                OnlineState state = {}, Group* group = nullptr)
      : problem_(problem),
        options_(options),
        team_(team),
        group_(group),
        state_(std::move(state)),
        update_(options, problem.size(), problem.dimension(), state_) {}
  OnlineLearner(const OnlineLearner&) = delete;
  OnlineLearner& operator=(const OnlineLearner&) = delete;

  // All examples once, in an order drawn from the seed and the number of the pass. `during` is told
  // of every batch, if it is set.
  PassResult pass(const WorkDone& during = {}) {
    std::vector<std::uint32_t> order(problem_.size());
    std::iota(order.begin(), order.end(), 0U);
    pass_order(options_.seed, state_.passes).shuffle(std::span(order));
    PassResult result;
    std::vector<OnlineUpdate::Answer> answers(static_cast<std::size_t>(options_.batch));
    for (std::size_t begin = 0; begin < order.size(); begin += answers.size()) {
      const std::size_t size = std::min(answers.size(), order.size() - begin);
      answer_batch(std::span(order).subspan(begin, size), std::span(answers).first(size));
      for (std::size_t k = 0; k < size; ++k) {
        update_.apply(answers[k]);
        result.loss += answers[k].loss;
        result.mistakes += answers[k].right ? 0 : 1;
      }
      if (during) during(begin + size, order.size());
    }
    update_.finish_pass();
    ++state_.passes;
    return result;
  }

  const OnlineState& state() const { return state_; }

 private:
  struct Scratch {
    std::vector<float> scores, cost, found;
    SparseSum sum;
  };

  void answer_batch(std::span<const std::uint32_t> examples,
                    std::span<OnlineUpdate::Answer> answers) {
    if (group_ == nullptr || group_->size() == 1) {
      team_.for_each(examples.size(), [&](std::size_t k) { answer(examples[k], answers[k]); });
      return;
    }
    const auto rank = static_cast<std::size_t>(group_->rank());
    const auto members = static_cast<std::size_t>(group_->size());
    const std::size_t own = (examples.size() + members - 1 - rank) / members;
    team_.for_each(own, [&](std::size_t turn) {
      const std::size_t k = rank + turn * members;
      answer(examples[k], answers[k]);
    });
    exchange_answers(*group_, answers);
  }

  void answer(std::size_t i, OnlineUpdate::Answer& out) {
    const auto scratch = scratch_.take();
    for (auto* values : {&scratch->scores, &scratch->cost, &scratch->found}) {
      values->assign(problem_.parts(i), 0.0F);
    }
    problem_.score(i, std::span<const float>(state_.weights), std::span(scratch->scores));
    if (options_.rule == OnlineRule::log_linear) {
      find_slopes(i, *scratch, out);
    } else {
      find_best(i, *scratch, out);
    }
    SparseSum& sum = scratch->sum;
    sum.resize(problem_.dimension());
    problem_.for_each_feature(i, std::span<const float>(scratch->found),
                              [&sum](FeatureId f, float value) { sum.add(f, value); });
    out.difference.clear();
    sum.drain(out.difference);
  }

  // scratch.found becomes gold - mu.
  void find_slopes(std::size_t i, Scratch& scratch, OnlineUpdate::Answer& out) const {
    const auto gold = problem_.gold(i);
    const std::span<const float> scores = scratch.scores;
    const std::span<float> found = scratch.found;
    out.loss = problem_.marginals(i, scores, found);
    out.right = true;
    for (std::size_t a = 0; a < found.size(); ++a) {
      out.loss -= double{gold[a]} * scores[a];
      if (gold[a] > 0 && found[a] < 0.5F) out.right = false;
      found[a] = gold[a] - found[a];
      if (std::abs(found[a]) < options_.least_slope) found[a] = 0;
    }
  }

  // scratch.found becomes gold - the best structure.
  void find_best(std::size_t i, Scratch& scratch, OnlineUpdate::Answer& out) const {
    const auto gold = problem_.gold(i);
    const std::span<float> found = scratch.found;
    problem_.cost(i, std::span(scratch.cost));
    if (options_.cost_weight != 0) {
      for (std::size_t a = 0; a < found.size(); ++a) {
        scratch.scores[a] += static_cast<float>(options_.cost_weight) * scratch.cost[a];
      }
    }
    problem_.best(i, std::span<const float>(scratch.scores), found);
    out.loss = 0;
    out.right = true;
    for (std::size_t a = 0; a < found.size(); ++a) {
      if (found[a] != gold[a]) out.right = false;
      out.loss += double{found[a]} * scratch.cost[a];
      found[a] = gold[a] - found[a];
    }
  }

  const Problem& problem_;
  OnlineOptions options_;
  ThreadTeam& team_;
  Group* group_;
  OnlineState state_;
  OnlineUpdate update_;
  Pool<Scratch> scratch_;
};

}  // namespace copse
