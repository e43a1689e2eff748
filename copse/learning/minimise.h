// Minimising a regularised sum of losses,
//
//   L(w) = sum over examples i of loss_i(w)  +  |w|^2 / (2 variance)
//
// by L-BFGS over all examples at once (libLBFGS) or by AdaGrad, one example at a time.
//
// A problem is anything that can say
//   dimension()                  the length of w
//   size()                       the number of examples
//   loss(i, w, add)              loss_i(w); calls add(index, slope) for its gradient, as often as
//                                it likes for an index. Called by many threads at once for
//                                different i.
// The result does not depend on the number of threads: the sum is cut into the same pieces always.
// Exceptions thrown by a loss or a progress report come out as they are, `w` unchanged by L-BFGS.
// `w` holds the start and receives the result; where it is shorter than dimension(), it starts at
// 0.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "copse/base/random.h"
#include "copse/base/stream.h"
#include "copse/base/thread_team.h"
#include "copse/learning/adagrad.h"
#include "copse/learning/sharded_sum.h"

namespace copse {

struct LbfgsOptions {
  double variance = 1;  // of the Gaussian prior; infinity for none
  int max_iterations = 150;
  int memory = 10;
  double tolerance = 1e-5;  // relative gain ...
  int patience = 3;         // ... over that many iterations ends it
  int threads = 1;
  std::function<void(int iteration, double value)> progress;
  // Asked after each iteration, with the weights it came to: shall it go on?
  std::function<bool(int iteration, double value, std::span<const double> w)> go_on;
};

struct Minimum {
  double value = 0;
  int iterations = 0;
  bool converged = false;
  std::string reason;  // why it ended
};

using ValueAndGradient =
    std::function<double(std::span<const double> w, std::span<double> gradient)>;

// The bare routine: `w` holds the start and receives the result. The objective writes all of the
// gradient; the prior is added here.
Minimum run_lbfgs(const ValueAndGradient& objective, std::vector<double>& w,
                  const LbfgsOptions& options);

template <class Problem>
Minimum minimise_by_lbfgs(const Problem& problem, std::vector<double>& w,
                          const LbfgsOptions& options) {
  w.resize(problem.dimension());
  ThreadTeam team(std::min<int>(resolve_threads(options.threads), kShards));
  ShardedSum<> sum(problem.size(), problem.dimension(), team);
  const auto objective = [&](std::span<const double> at, std::span<double> gradient) {
    return sum.evaluate(gradient, [&](std::size_t i, Shard& shard) {
      shard.value +=
          problem.loss(i, at, [&](std::size_t j, double slope) { shard.gradient[j] += slope; });
    });
  };
  return run_lbfgs(objective, w, options);
}

struct AdaGradOptions {
  double variance = 1;
  int epochs = 10;
  double rate = 0.1;
  std::uint64_t seed = 1;
  std::function<void(int epoch, double loss)> progress;  // the sum of the losses met on the way
};

// One example after the other (adagrad.h), each pass in an order of its own.
template <class Problem>
void minimise_by_adagrad(const Problem& problem, std::vector<double>& w,
                         const AdaGradOptions& options) {
  struct PlainWeights {
    std::vector<double>& w;
    std::uint64_t ended = 0;
    double weight(std::size_t j) const { return w[j]; }
    void change(std::size_t j, double by) { w[j] += by; }
    std::uint64_t steps() const { return ended; }
  };
  w.resize(problem.dimension());
  PlainWeights weights{w};
  const AdaGrad rule(options.rate, options.variance, problem.size());
  AdaGradSums sums;
  sums.resize(w.size());
  std::vector<std::uint32_t> order(problem.size());
  std::iota(order.begin(), order.end(), 0U);
  Random random(options.seed);
  // The gradient of one example: its slopes by coordinate, and the coordinates that have one. A
  // coordinate whose slopes cancelled on the way may be listed twice; the second time it is 0.
  std::vector<double> slopes(w.size(), 0.0);
  std::vector<std::size_t> coordinates;
  const auto add = [&](std::size_t at, double slope) {
    if (slopes[at] == 0) coordinates.push_back(at);
    slopes[at] += slope;
  };
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    random.shuffle(std::span(order));
    double total = 0;
    for (const std::uint32_t example : order) {
      coordinates.clear();
      total += problem.loss(example, std::span<const double>(w), add);
      ++weights.ended;
      for (const std::size_t j : coordinates) {
        const double slope = std::exchange(slopes[j], 0.0);
        if (slope != 0) rule.step(weights, sums, j, -slope);
      }
    }
    if (options.progress) options.progress(epoch + 1, total);
  }
  rule.pull_all(weights, sums);
}

}  // namespace copse
