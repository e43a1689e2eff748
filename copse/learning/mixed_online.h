// Online learning by many at once: iterative parameter mixing (McDonald, Hall & Mann 2010, Figure
// 3). The examples are cut into K blocks. In each pass every block learns by itself (online.h),
// starting from the same weights w, and ends with w + d_k; then
//
//   w += 1/K sum_k d_k                                            the sum along a tree, block_sum.h
//
// Passive-aggressive steps may be K times as long within a block, so that what is left of them is as
// long as without blocks. The result depends on K, never on the number of processes or threads: these only share the
// blocks. What is handed out is averaged over all steps of all blocks: with the moment u_k of
// lazy_average.h and s_k steps so far in block k, a mixing is one more change of every w_k, and
//
//   average = sum_k s_k ( w - u_k / s_k ) / sum_k s_k = w - u / s          u = sum_k u_k, s = sum_k s_k
//
// so that one moment for all blocks is enough, and the state is that of a single learner. A pass
// moves two numbers for each weight up the tree and down.
#pragma once

#include <utility>
#include <vector>

#include "copse/base/block_sum.h"
#include "copse/base/group.h"
#include "copse/base/pace.h"
#include "copse/learning/online.h"
#include "copse/learning/problem_block.h"

namespace copse {

namespace detail {

// The options for a block: each has an order of examples of its own, and a longest step of which the
// K-th part, which is left after mixing, is the one asked for.
OnlineOptions options_of_block(OnlineOptions options, std::size_t block, std::size_t blocks);
// What a block has learnt, from `start`: d_k, then what it adds to u but for the mixing.
void subtract_start(const OnlineState& start, const OnlineState& learnt, std::span<double> out);
// The end of a pass of all blocks, from the sum of those.
void mix(OnlineState& state, std::span<const double> sums, std::size_t blocks,
         std::size_t examples);

}  // namespace detail

template <PartProblem Problem>
class MixedOnlineLearner {
 public:
  // The references must outlive the learner; an empty state is the beginning. `blocks` is a power
  // of two. For the perceptron and the passive-aggressive rule, whose state is weights alone. All
  // members of the group do the same.
  MixedOnlineLearner(const Problem& problem, const OnlineOptions& options, std::size_t blocks,
                     ThreadTeam& team, Group& group, OnlineState state = {})
      : problem_(problem), options_(options), sum_(blocks, group, team), state_(std::move(state)) {
    OnlineUpdate(options, problem.size(), problem.dimension(), state_);  // checks, makes room
  }

  // All examples once, by whoever has them. `during` is told of every block done here.
  PassResult pass(const WorkDone& during = {}) {
    const std::size_t dimension = problem_.dimension();
    const std::size_t blocks = sum_.tree().blocks();
    std::vector<double> total(2 * dimension + 2);  // at the end: loss and mistakes
    SharedWork work(problem_.size(), during);
    sum_.evaluate(total, [&](std::size_t block, BlockSum::Sums& sums) {
      learn_block(block, sums);
      work.add(part_of(problem_.size(), block, blocks).size());
    });
    detail::mix(state_, std::span(total).first(2 * dimension), blocks, problem_.size());
    if (during && sum_.own().size() < blocks) during(problem_.size(), problem_.size());
    return {total[2 * dimension], static_cast<std::size_t>(total[2 * dimension + 1])};
  }

  const OnlineState& state() const { return state_; }

 private:
  void learn_block(std::size_t block, BlockSum::Sums& sums) const {
    const Range examples = part_of(problem_.size(), block, sum_.tree().blocks());
    const ProblemBlock<Problem> part(problem_, examples);
    ThreadTeam alone(1);  // the threads are with the blocks
    OnlineState start = state_;
    start.moments.assign(start.moments.size(), 0.0);
    start.steps = std::uint64_t{state_.passes} * examples.size();
    const std::size_t blocks = sum_.tree().blocks();
    OnlineLearner learner(part, detail::options_of_block(options_, block, blocks), alone, start);
    const PassResult result = learner.pass();
    detail::subtract_start(start, learner.state(), std::span(sums).first(sums.size() - 2));
    sums[sums.size() - 2] = result.loss;
    sums[sums.size() - 1] = static_cast<double>(result.mistakes);
  }

  const Problem& problem_;
  OnlineOptions options_;
  BlockSum sum_;
  OnlineState state_;
};

}  // namespace copse
