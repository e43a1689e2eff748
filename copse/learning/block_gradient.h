// Exponentiated gradient (exponentiated_gradient.h) by many at once. The examples are cut into K
// blocks; within a round the blocks learn side by side, and their changes of w are added:
//
//   w += sum_k d_k                                                the sum along a tree, block_sum.h
//
// While it learns, block k sees w + K d_k, as if all others did what it does. Because of
// |sum_k d_k|^2 <= K sum_k |d_k|^2 the dual then rises by at least what the blocks take themselves
// to have gained (Ma et al. 2015, with sigma' = K), so that the log-linear dual never falls, as in
// the sequential form; the fixed point is the same. A pass has several rounds: the blocks hear of
// each other more often, for one vector of weights up the tree and down each time.
//
// The result depends on K, never on the number of processes or threads, which only share the
// blocks. A member keeps theta and the marginals of its own examples alone.
#pragma once

#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "copse/base/block_sum.h"
#include "copse/base/group.h"
#include "copse/base/pace.h"
#include "copse/base/pool.h"
#include "copse/learning/exponentiated_gradient.h"

namespace copse {

// w as a block sees it while it learns; its own change is kept apart.
class BlockWeights {
 public:
  // `change` is all 0; both spans must outlive this.
  BlockWeights(std::span<const double> w, std::size_t blocks, std::span<double> change)
      : w_(w),
        blocks_(static_cast<double>(blocks)),
        change_(change),
        rounded_(w.begin(), w.end()) {}

  std::span<const float> rounded() const { return rounded_; }
  // By how much the penalty would rise at most if all blocks changed w like this.
  double penalty_change(std::span<const FeatureValue> change, double scale) const;
  void add(std::span<const FeatureValue> change, double scale);

 private:
  std::span<const double> w_;
  double blocks_;
  std::span<double> change_;
  std::vector<float> rounded_;
};

namespace detail {

// The state of a member from the whole one: theta and marginals of its own parts.
void keep_own(ExponentiatedGradientState& state, Range parts);
// What the members have, in place: the whole state for the leader. gains and rates are as long as
// there are examples, but only those of `examples` are up to date.
void gather_state(Group& group, ExponentiatedGradientState& state, Range examples);
// Values of which each member has those of its own range, in the order of the members: for all.
void complete(Group& group, std::vector<double>& values, Range own);

}  // namespace detail

template <PartProblem Problem>
class BlockGradient {
 public:
  static constexpr std::size_t kRounds = 8;  // of a pass

  // The references must outlive the learner. An empty state is the beginning, else it is a whole
  // one. `blocks` is a power of two. All members of the group do the same.
  BlockGradient(const Problem& problem, const ExponentiatedGradientOptions& options,
                std::size_t blocks, ThreadTeam& team, Group& group,
                ExponentiatedGradientState state = {})
      : problem_(problem),
        options_(options),
        group_(group),
        sum_(blocks, group, team),
        state_(std::move(state)),
        weights_(state_.weights),
        own_(sum_.tree().examples_of(group.rank(), problem.size())) {
    detail::check(options);
    for (std::size_t i = own_.begin; i < own_.end; ++i) {
      first_part_.push_back(first_part_.back() + problem.parts(i));
    }
    const auto [first, all] = place_of_parts();
    if (detail::resumes(state_, options, problem.size(), all, problem.dimension())) {
      detail::keep_own(state_, {first, first + first_part_.back()});
      weights_.round();
    } else {
      begin();
    }
  }
  BlockGradient(const BlockGradient&) = delete;
  BlockGradient& operator=(const BlockGradient&) = delete;

  // All examples once, by whoever has them. `during` is told of the examples done here.
  DualPass pass(const WorkDone& during = {}) {
    SharedWork work(problem_.size(), during);
    DualPass result;
    for (std::size_t round = 0; round < kRounds; ++round) {
      result.passed_over += static_cast<std::size_t>(
          add_up([&](std::size_t block, BlockWeights& weights, ExampleStep<Problem>& step) {
            const std::vector<std::size_t> order = order_of(block);
            const Range turn = part_of(order.size(), round, kRounds);
            double passed_over = 0;
            for (std::size_t k = turn.begin; k < turn.end; ++k) {
              passed_over += step_example(order[k], weights, step) ? 0 : 1;
            }
            work.add(turn.size());
            return passed_over;
          }));
    }
    detail::complete(group_, state_.gains, own_);
    detail::finish_pass(state_, options_, weights_);
    if (during && own_.size() < problem_.size()) during(problem_.size(), problem_.size());
    result.dual = state_.dual;
    return result;
  }

  // Max-margin: those of the best dual so far. Log-linear: the dual never falls, the last.
  std::vector<float> weights() const {
    if (options_.loss == DualLoss::max_margin) return state_.best_weights;
    return {weights_.rounded().begin(), weights_.rounded().end()};
  }

  int passes() const { return static_cast<int>(state_.passes); }

  // All of it for the leader, for the others something of no use; called by all members.
  ExponentiatedGradientState whole_state() const {
    ExponentiatedGradientState whole = state_;
    detail::gather_state(group_, whole, own_);
    return whole;
  }

 private:
  // Where the parts of this member's examples begin among all, and how many there are.
  std::pair<std::size_t, std::size_t> place_of_parts() const {
    std::vector<double> counts(static_cast<std::size_t>(group_.size()));
    const auto rank = static_cast<std::size_t>(group_.rank());
    counts[rank] = static_cast<double>(first_part_.back());
    detail::complete(group_, counts, {rank, rank + 1});
    double before = 0, all = 0;
    for (std::size_t member = 0; member < counts.size(); ++member) {
      if (member < rank) before += counts[member];
      all += counts[member];
    }
    return {static_cast<std::size_t>(before), static_cast<std::size_t>(all)};
  }

  void begin() {
    state_.theta.assign(first_part_.back(), 0.0F);
    state_.marginals.assign(first_part_.back(), 0.0F);
    state_.gains.assign(problem_.size(), 0.0);
    state_.weights.assign(problem_.dimension(), 0.0);
    add_up([&](std::size_t block, BlockWeights& weights, ExampleStep<Problem>& step) {
      const Range examples = examples_of(block);
      for (std::size_t i = examples.begin; i < examples.end; ++i) step.begin(slot_of(i), weights);
      return 0.0;
    });
    detail::complete(group_, state_.gains, own_);
    detail::start(state_, options_, weights_);
  }

  // learn(block, weights, step) for every block, side by side; then w has heard of all. Returns the
  // sum of what learn does.
  template <class Learn>
  double add_up(const Learn& learn) {
    std::vector<double> total(problem_.dimension() + 1);
    const std::span<const double> w = state_.weights;
    sum_.evaluate(total, [&](std::size_t block, BlockSum::Sums& sums) {
      const auto step = steps_.take();
      if (!*step) step->emplace(problem_, options_);
      BlockWeights weights(w, sum_.tree().blocks(), std::span(sums).first(w.size()));
      sums.back() = learn(block, weights, **step);
    });
    for (std::size_t j = 0; j < w.size(); ++j) state_.weights[j] += total[j];
    weights_.round();
    return total.back();
  }

  bool step_example(std::size_t i, BlockWeights& weights, ExampleStep<Problem>& step) {
    if (options_.loss == DualLoss::log_linear) {
      return step.log_linear(slot_of(i), state_.rates[i], weights);
    }
    step.max_margin(slot_of(i), state_.rate, weights);
    return true;
  }

  Range examples_of(std::size_t block) const {
    return part_of(problem_.size(), block, sum_.tree().blocks());
  }

  // Of the examples of a block in this pass.
  std::vector<std::size_t> order_of(std::size_t block) const {
    const Range examples = examples_of(block);
    std::vector<std::size_t> order(examples.size());
    std::iota(order.begin(), order.end(), examples.begin);
    if (options_.loss == DualLoss::log_linear) {
      pass_order(options_.seed, state_.passes).shuffle(std::span(order));
    }
    return order;
  }

  typename ExampleStep<Problem>::Slot slot_of(std::size_t i) {
    const std::size_t first = first_part_[i - own_.begin];
    const std::size_t parts = first_part_[i - own_.begin + 1] - first;
    return {i, std::span(state_.theta).subspan(first, parts),
            std::span(state_.marginals).subspan(first, parts), state_.gains[i]};
  }

  const Problem& problem_;
  ExponentiatedGradientOptions options_;
  Group& group_;
  BlockSum sum_;
  ExponentiatedGradientState state_;  // theta and marginals: of own_
  DualWeights weights_;
  Range own_;                               // examples
  std::vector<std::size_t> first_part_{0};  // of those
  Pool<std::optional<ExampleStep<Problem>>> steps_;
};

}  // namespace copse
