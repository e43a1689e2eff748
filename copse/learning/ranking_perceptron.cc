#include "copse/learning/ranking_perceptron.h"

#include <numeric>

#include "copse/base/random.h"

namespace copse {
namespace {

class Perceptron {
 public:
  Perceptron(const RankingLists& lists, double log_probability_weight)
      : lists_(lists),
        log_probability_weight_(log_probability_weight),
        weights_(lists.dimension()),
        later_(lists.dimension()) {}

  // False when the best candidate wins alone.
  bool step(std::size_t list) {
    ++steps_;
    if (lists_.begin(list) == lists_.end(list)) return false;
    const std::size_t best = lists_.best(list);
    const std::size_t winner = strongest_other(list, best);
    if (winner == best || score(winner) < score(best)) return false;
    add(best, 1);
    add(winner, -1);
    return true;
  }

  // The mean of the weights after each step: w - (sum of updates, each by when it was made) / n.
  std::vector<double> average() const {
    std::vector<double> average(weights_.size());
    const auto steps = static_cast<double>(steps_ + 1);
    for (std::size_t k = 0; k < average.size(); ++k) average[k] = weights_[k] - later_[k] / steps;
    return average;
  }

 private:
  double score(std::size_t candidate) const {
    double sum = log_probability_weight_ * lists_.log_probability(candidate);
    for (const RankingLists::Feature k : lists_.features(candidate)) sum += weights_[k];
    return sum;
  }

  // Among those with a lower score than the best, the one that wins; ties: the higher log
  // probability, then the first. The best itself if there is no other.
  std::size_t strongest_other(std::size_t list, std::size_t best) const {
    std::size_t winner = best;
    double top = 0;
    for (std::size_t c = lists_.begin(list); c < lists_.end(list); ++c) {
      if (lists_.score(c) >= lists_.score(best)) continue;
      const double value = score(c);
      if (winner == best || value > top ||
          (value == top && lists_.log_probability(c) > lists_.log_probability(winner))) {
        winner = c;
        top = value;
      }
    }
    return winner;
  }

  void add(std::size_t candidate, double step) {
    for (const RankingLists::Feature k : lists_.features(candidate)) {
      weights_[k] += step;
      later_[k] += step * static_cast<double>(steps_);
    }
  }

  const RankingLists& lists_;
  double log_probability_weight_;
  std::vector<double> weights_, later_;
  std::uint64_t steps_ = 0;
};

}  // namespace

void train_ranking_perceptron(const RankingLists& lists, const RankingPerceptronOptions& options,
                              const AfterEpoch& after) {
  Perceptron perceptron(lists, options.log_probability_weight);
  std::vector<std::size_t> order(lists.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random random(options.seed);
  for (int epoch = 1; epoch <= options.epochs; ++epoch) {
    random.shuffle(std::span(order));
    std::size_t mistakes = 0;
    for (const std::size_t list : order) {
      mistakes += perceptron.step(list) ? 1 : 0;
      if (options.step) options.step();
    }
    after(epoch, mistakes, perceptron.average());
  }
}

}  // namespace copse
