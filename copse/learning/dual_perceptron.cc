#include "copse/learning/dual_perceptron.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "copse/base/error.h"
#include "copse/base/random.h"

namespace copse {
namespace {

void check(const DualPerceptronOptions& options) {
  const auto finite = [](double value) { return std::isfinite(value) && value >= 0; };
  if (!finite(options.beta)) throw usage_error("beta must be a number that is not negative");
  if (options.epochs < 1) throw usage_error("there must be at least one epoch");
  if (!finite(options.margin)) throw usage_error("the margin must not be negative");
  if (!(options.aggressiveness > 0)) throw usage_error("the longest step must be positive");
}

void check(const RankedList& list) {
  const auto finite = [](double value) { return std::isfinite(value); };
  if (list.quality.size() != list.base.size()) {
    throw data_error("a list has not as many qualities as base scores");
  }
  if (!std::ranges::all_of(list.quality, finite) || !std::ranges::all_of(list.base, finite)) {
    throw data_error("a quality or a base score of a list is not a finite number");
  }
}

// One pass over one list after the other, with everything that changes on the way.
class Trainer {
 public:
  Trainer(std::span<const RankedList> lists, RankingExpansion& expansion,
          const DualPerceptronOptions& options)
      : lists_(lists), expansion_(expansion), options_(options) {}

  void learn(std::size_t i) {
    ++run_.steps;
    const RankedList& list = lists_[i];
    if (list.quality.size() < 2) return;
    score(i);
    direction_.clear();
    required_ = 0;
    if (options_.all_pairs) {
      collect_pairs(list);
    } else {
      collect_best(list);
    }
    if (!direction_.empty()) update(i);
  }

  RankingRun take() && { return std::move(run_); }

 private:
  void score(std::size_t i) {
    const RankedList& list = lists_[i];
    scores_.assign(list.base.size(), 0.0);
    expansion_.scores(i, scores_);
    for (std::size_t j = 0; j < scores_.size(); ++j) {
      scores_[j] += options_.beta * list.base[j] * base_weight_;
      if (!std::isfinite(scores_[j])) {
        throw data_error("the sum of kernels is larger than a double can hold", {},
                         "choose a smaller lambda, or the normalised kernel");
      }
    }
  }

  double loss_of(double better, double worse) const {
    return options_.loss_scaled ? better - worse : 1.0;
  }
  bool violated(double better, double worse, double loss) const {
    return options_.margin == 0 ? better <= worse : better - worse < options_.margin * loss;
  }

  void collect_best(const RankedList& list) {
    const std::uint32_t best = best_candidate(list.quality, list.base);
    const auto none = static_cast<std::uint32_t>(scores_.size());
    std::uint32_t rival = none;
    double highest = 0;
    for (std::uint32_t j = 0; j < none; ++j) {
      if (j == best || (!options_.keep_ties && list.quality[j] == list.quality[best])) continue;
      // With a margin the rival is the one that violates it most.
      const double loss = loss_of(list.quality[best], list.quality[j]);
      const double value = scores_[j] + options_.margin * loss;
      if (rival == none || value > highest ||
          (value == highest && list.base[j] > list.base[rival])) {
        rival = j;
        highest = value;
      }
    }
    if (rival == none) return;
    const double loss = loss_of(list.quality[best], list.quality[rival]);
    if (!violated(scores_[best], scores_[rival], loss)) return;
    direction_.push_back({best, 1.0});
    direction_.push_back({rival, -1.0});
    step_ = loss;
    required_ = loss;
  }

  void collect_pairs(const RankedList& list) {
    sums_.assign(scores_.size(), 0.0);
    std::size_t pairs = 0;
    for (std::size_t j = 0; j < scores_.size(); ++j) {
      for (std::size_t l = 0; l < scores_.size(); ++l) {
        if (!(list.quality[j] > list.quality[l])) continue;
        const double loss = loss_of(list.quality[j], list.quality[l]);
        if (!violated(scores_[j], scores_[l], loss)) continue;
        sums_[j] += loss;
        sums_[l] -= loss;
        required_ += loss * loss;
        ++pairs;
      }
    }
    for (std::uint32_t j = 0; j < sums_.size(); ++j) {
      if (sums_[j] != 0) direction_.push_back({j, sums_[j] / static_cast<double>(pairs)});
    }
    step_ = 1;
    if (pairs > 0) required_ /= static_cast<double>(pairs);
  }

  void update(std::size_t i) {
    const RankedList& list = lists_[i];
    const double step = options_.passive_aggressive ? passive_aggressive_step(i) : step_;
    if (!(step > 0)) return;
    const std::size_t begin = run_.coefficients.size();
    for (const auto& c : direction_) {
      run_.coefficients.push_back({c.candidate, c.weight * step});
      base_weight_ += c.weight * step * options_.beta * list.base[c.candidate];
    }
    run_.updates.push_back(
        {static_cast<std::uint32_t>(i), run_.steps, begin, run_.coefficients.size()});
    expansion_.add(i, run_.of(run_.updates.back()));
  }

  double passive_aggressive_step(std::size_t i) {
    const RankedList& list = lists_[i];
    double score = 0, base = 0;
    for (const auto& c : direction_) {
      score += c.weight * scores_[c.candidate];
      base += c.weight * options_.beta * list.base[c.candidate];
    }
    const double norm = expansion_.squared_norm(i, direction_) + base * base;
    if (!(norm > 0)) return 0;
    return std::min(options_.aggressiveness, std::max(0.0, (required_ - score) / norm));
  }

  std::span<const RankedList> lists_;
  RankingExpansion& expansion_;
  const DualPerceptronOptions& options_;
  RankingRun run_;
  double base_weight_ = 0;  // sum of c beta L over all updates
  std::vector<double> scores_, sums_;
  std::vector<RankingCoefficient> direction_;
  double step_ = 1;
  double required_ = 0;
};

}  // namespace

std::uint64_t RankingRun::survival(std::ptrdiff_t m) const {
  const auto count = static_cast<std::ptrdiff_t>(updates.size());
  const std::uint64_t from = m < 0 ? 1 : updates[static_cast<std::size_t>(m)].time;
  const std::uint64_t to =
      m + 1 < count ? updates[static_cast<std::size_t>(m + 1)].time : steps + 1;
  return to - from;
}

std::uint32_t best_candidate(std::span<const double> scores, std::span<const double> base) {
  std::uint32_t best = 0;
  for (std::uint32_t j = 1; j < scores.size(); ++j) {
    if (scores[j] > scores[best] || (scores[j] == scores[best] && base[j] > base[best])) best = j;
  }
  return best;
}

RankingRun train_dual_perceptron(std::span<const RankedList> lists, std::size_t begin,
                                 std::size_t end, RankingExpansion& expansion,
                                 const DualPerceptronOptions& options) {
  check(options);
  for (std::size_t i = begin; i < end; ++i) check(lists[i]);
  std::vector<std::uint32_t> order(end - begin);
  std::iota(order.begin(), order.end(), static_cast<std::uint32_t>(begin));
  Random random(options.seed);
  Trainer trainer(lists, expansion, options);
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    if (options.shuffle) random.shuffle(std::span(order));
    for (const std::uint32_t i : order) {
      trainer.learn(i);
      if (options.step) options.step();
    }
  }
  return std::move(trainer).take();
}

}  // namespace copse
