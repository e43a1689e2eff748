#include "copse/learning/ranking_log_linear.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "copse/learning/minimise.h"

namespace copse {
namespace {

// For minimise.h. The last coordinate is a0; the last example is the prior.
class LogLinearProblem {
 public:
  LogLinearProblem(const RankingLists& lists, double variance)
      : lists_(lists), variance_(variance) {}

  std::size_t dimension() const { return lists_.dimension() + 1; }
  std::size_t size() const { return lists_.size() + 1; }

  template <class Add>
  double loss(std::size_t i, std::span<const double> at, Add&& add) const {
    if (i == lists_.size()) return prior(at, add);
    const std::size_t begin = lists_.begin(i), end = lists_.end(i);
    if (end - begin < 2) return 0;
    const std::size_t best = lists_.best(i);
    const auto rival = [&](std::size_t c) {
      return c == best || lists_.score(c) < lists_.score(best);
    };
    std::vector<double> scores(end - begin, 0.0);
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t c = begin; c < end; ++c) {
      if (!rival(c)) continue;
      scores[c - begin] = score(c, at);
      largest = std::max(largest, scores[c - begin]);
    }
    double total = 0;
    for (std::size_t c = begin; c < end; ++c) {
      if (rival(c)) total += std::exp(scores[c - begin] - largest);
    }
    for (std::size_t c = begin; c < end; ++c) {
      if (!rival(c)) continue;
      const double slope = std::exp(scores[c - begin] - largest) / total - (c == best ? 1 : 0);
      for (const auto k : lists_.features(c)) add(k, slope);
      add(lists_.dimension(), slope * lists_.log_probability(c));
    }
    return std::log(total) + largest - scores[best - begin];
  }

 private:
  double score(std::size_t c, std::span<const double> at) const {
    double sum = at[lists_.dimension()] * lists_.log_probability(c);
    for (const auto k : lists_.features(c)) sum += at[k];
    return sum;
  }

  template <class Add>
  double prior(std::span<const double> at, Add&& add) const {
    double sum = 0;
    for (std::size_t k = 0; k < lists_.dimension(); ++k) {
      sum += at[k] * at[k] / (2 * variance_);
      add(k, at[k] / variance_);
    }
    return sum;
  }

  const RankingLists& lists_;
  double variance_;
};

}  // namespace

RankingLogLinear train_ranking_log_linear(const RankingLists& lists,
                                          const RankingLogLinearOptions& options) {
  LbfgsOptions lbfgs;
  lbfgs.variance = std::numeric_limits<double>::infinity();  // the problem has its own prior
  lbfgs.max_iterations = options.max_iterations;
  lbfgs.threads = options.threads;
  if (options.progress) {
    lbfgs.progress = [&](int iteration, double) { options.progress(iteration); };
  }
  std::vector<double> at(lists.dimension() + 1, 0.0);
  at.back() = 1;
  const Minimum minimum = minimise_by_lbfgs(LogLinearProblem(lists, options.variance), at, lbfgs);
  RankingLogLinear result;
  result.log_probability_weight = at.back();
  at.pop_back();
  result.weights = std::move(at);
  result.loss = minimum.value;
  result.iterations = minimum.iterations;
  return result;
}

double ranking_log_linear_objective(const RankingLists& lists, double variance,
                                    std::span<const double> at, std::span<double> gradient) {
  const LogLinearProblem problem(lists, variance);
  std::fill(gradient.begin(), gradient.end(), 0.0);
  double sum = 0;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    sum += problem.loss(i, at, [&](std::size_t k, double slope) { gradient[k] += slope; });
  }
  return sum;
}

}  // namespace copse
