// Conditional log-linear training of structures made of parts (part_problem.h) by L-BFGS:
//
//   minimise   sum_i ( log Z_i(w) - score_i(gold) )  +  |w|^2 / (2 variance)
//   gradient   sum_i sum_a ( mu_i(a) - gold_i(a) ) f(i, a)  +  w / variance
//
// `variance` is the C of Koo, Globerson, Carreras & Collins (2007), whose objective is this one
// times C. Convex: one minimum. The same bytes for any number of threads and of processes
// (block_sum.h), and for a run that was broken off and went on from its state (resumable_lbfgs.h).
// Processes: each needs the examples of its own blocks only; all hold the weights and the memory of
// L-BFGS, and an evaluation moves one gradient up the tree and one down.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "copse/base/block_sum.h"
#include "copse/base/error.h"
#include "copse/base/group.h"
#include "copse/base/pool.h"
#include "copse/base/thread_team.h"
#include "copse/learning/minimise.h"
#include "copse/learning/part_problem.h"
#include "copse/learning/resumable_lbfgs.h"

namespace copse {

struct LogLinearOptions {
  double variance = 1;  // of the Gaussian prior; infinity for none
  int iterations = 100;
  double tolerance = 1e-5;  // relative gain over three iterations that ends it
  // Called after each iteration with the objective above and the weights, which hold for the time
  // of the call; false ends the training. Which iteration was best is for the caller to decide.
  std::function<bool(int iteration, double value, std::span<const float> weights)> progress;
  // The same with all that is needed to go on from here to the same result.
  std::function<bool(const LbfgsState& state, double value, std::span<const float> weights)> save;
};

// The sum of the losses without the prior, and its gradient. Problems score with floats: the
// weights are rounded once for each evaluation.
template <PartProblem Problem>
class LogLinearObjective {
 public:
  // All must outlive the objective.
  LogLinearObjective(const Problem& problem, ThreadTeam& team, Group& group)
      : problem_(problem), sum_(blocks_for(problem.size()), group, team) {}

  // Writes all of the gradient; both spans are as long as the problem has features.
  double operator()(std::span<const double> w, std::span<double> gradient) {
    rounded_.assign(w.begin(), w.end());
    total_.resize(gradient.size() + 1);  // the value at the end
    sum_.evaluate(total_, [this](std::size_t block, BlockSum::Sums& sums) {
      const auto scratch = scratch_.take();
      const Range range = part_of(problem_.size(), block, sum_.tree().blocks());
      for (std::size_t i = range.begin; i < range.end; ++i) add_example(i, *scratch, sums);
    });
    std::copy_n(total_.begin(), gradient.size(), gradient.begin());
    return total_.back();
  }

 private:
  struct Scratch {
    std::vector<float> scores, marginals;
  };

  void add_example(std::size_t i, Scratch& scratch, BlockSum::Sums& sums) const {
    scratch.scores.assign(problem_.parts(i), 0.0F);
    scratch.marginals.assign(problem_.parts(i), 0.0F);
    const auto gold = problem_.gold(i);
    const std::span<const float> scores = scratch.scores;
    const std::span<float> slopes = scratch.marginals;
    double& value = sums.back();
    problem_.score(i, std::span<const float>(rounded_), std::span(scratch.scores));
    value += problem_.marginals(i, scores, slopes);
    for (std::size_t a = 0; a < slopes.size(); ++a) {
      value -= double{gold[a]} * scores[a];
      slopes[a] -= gold[a];
    }
    problem_.for_each_feature(i, std::span<const float>(slopes),
                              [&](FeatureId f, float slope) { sums[f] += double{slope}; });
  }

  const Problem& problem_;
  std::vector<float> rounded_;
  std::vector<double> total_;
  BlockSum sum_;
  Pool<Scratch> scratch_;
};

// From a state that was saved; `iterations` of the options counts those before it too. All members
// of the group must call it with the same.
template <PartProblem Problem>
Minimum learn_log_linear(const Problem& problem, LbfgsState start, std::vector<float>& weights,
                         const LogLinearOptions& options, ThreadTeam& team, Group& group) {
  if (!(options.variance > 0)) throw usage_error("the variance of the prior must be above 0");
  if (options.iterations < 1) throw usage_error("L-BFGS needs at least one iteration");
  start.w.resize(problem.dimension());
  LbfgsOptions lbfgs;
  lbfgs.variance = options.variance;
  lbfgs.max_iterations = options.iterations;
  lbfgs.tolerance = options.tolerance;
  LogLinearObjective<Problem> objective(problem, team, group);
  ResumableLbfgs run(std::ref(objective), lbfgs, std::move(start));
  std::vector<float> rounded(run.state().w.begin(), run.state().w.end());
  bool go_on = true;
  while (go_on && run.iterate()) {
    rounded.assign(run.state().w.begin(), run.state().w.end());
    if (options.progress) go_on = options.progress(run.state().iterations, run.value(), rounded);
    if (options.save) go_on = options.save(run.state(), run.value(), rounded) && go_on;
  }
  weights = std::move(rounded);
  if (!go_on) return {run.value(), run.state().iterations, false, "asked to stop"};
  return {run.value(), run.state().iterations, run.converged(), run.reason()};
}

// `weights` holds the start (0 where it is shorter than the problem's dimension) and receives the
// result; it is unchanged if the problem or the progress report throws. In one process.
template <PartProblem Problem>
Minimum learn_log_linear(const Problem& problem, std::vector<float>& weights,
                         const LogLinearOptions& options, ThreadTeam& team) {
  LbfgsState start;
  start.w.assign(weights.begin(), weights.end());
  Alone alone;
  return learn_log_linear(problem, std::move(start), weights, options, team, alone);
}

}  // namespace copse
