#include "copse/rerank/smooth_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "copse/learning/dual_perceptron.h"
#include "copse/learning/minimise.h"

namespace copse {
namespace {

class SmoothLoss {
 public:
  SmoothLoss(const GradedNumbers& lists, std::span<const ListScores> members, const ListPart& part,
             const SmoothWeightOptions& options)
      : lists_(lists), members_(members), part_(part), options_(options) {
    for (const ListScores& member : members) spreads_.push_back(spread(member));
  }

  std::span<const double> spreads() const { return spreads_; }

  double operator()(std::span<const double> weights, std::span<double> slopes) const {
    std::fill(slopes.begin(), slopes.end(), 0.0);
    double sum = 0;
    std::vector<double> scores, by_score;
    for (std::size_t i = part_.first; i < lists_.base.size(); i += part_.step) {
      if (lists_.base[i].size() < 2) continue;
      scores.assign(lists_.base[i].size(), 0.0);
      for (std::size_t m = 0; m < members_.size(); ++m) {
        for (std::size_t j = 0; j < scores.size(); ++j) {
          scores[j] += weights[m] * members_[m][i][j];
        }
      }
      const Goal goal{best_candidate(lists_.quality[i], lists_.base[i]), lists_.quality[i],
                      options_.temperature};
      sum += loss_and_slopes(log_probabilities(scores, lists_.base[i], 0), goal, options_.loss,
                             by_score);
      for (std::size_t m = 0; m < members_.size(); ++m) {
        for (std::size_t j = 0; j < scores.size(); ++j) {
          slopes[m] += by_score[j] * members_[m][i][j];
        }
      }
    }
    for (std::size_t m = 0; m < weights.size(); ++m) {
      const double unit = spreads_[m] * spreads_[m] / options_.variance;
      sum += weights[m] * weights[m] * unit / 2;
      slopes[m] += weights[m] * unit;
    }
    return sum;
  }

 private:
  const GradedNumbers& lists_;
  std::span<const ListScores> members_;
  ListPart part_;
  SmoothWeightOptions options_;
  std::vector<double> spreads_;
};

// From `weights`, which are above 0 but for the first, to a minimum.
void descend(const SmoothLoss& loss, std::vector<double>& weights) {
  LbfgsOptions lbfgs;
  lbfgs.variance = std::numeric_limits<double>::infinity();  // the loss has its own prior
  lbfgs.tolerance = 1e-9;
  std::vector<double> roots(weights.size()), slopes(weights.size());
  for (std::size_t m = 0; m < roots.size(); ++m) {
    roots[m] = m == 0 ? weights[m] : std::sqrt(weights[m]);
  }
  const auto weights_at = [&](std::span<const double> at) {
    for (std::size_t m = 0; m < at.size(); ++m) weights[m] = m == 0 ? at[m] : at[m] * at[m];
  };
  run_lbfgs(
      [&](std::span<const double> at, std::span<double> gradient) {
        weights_at(at);
        const double value = loss(weights, slopes);
        for (std::size_t m = 0; m < at.size(); ++m) {
          gradient[m] = m == 0 ? slopes[m] : 2 * at[m] * slopes[m];
        }
        return value;
      },
      roots, lbfgs);
  weights_at(roots);
}

}  // namespace

std::vector<double> smooth_weights(const GradedNumbers& lists, std::span<const ListScores> members,
                                   const ListPart& part, const SmoothWeightOptions& options) {
  SmoothWeightOptions first = options;
  first.loss = Loss::likelihood;
  const SmoothLoss likelihood(lists, members, part, first);
  std::vector<double> weights;
  for (const double each : likelihood.spreads()) {
    weights.push_back(1 / (static_cast<double>(members.size()) * (each > 0 ? each : 1)));
  }
  descend(likelihood, weights);
  if (options.loss == Loss::likelihood) return weights;
  // A weight of 0 would stay there.
  for (std::size_t m = 1; m < weights.size(); ++m) {
    const double unit = likelihood.spreads()[m];
    weights[m] = std::max(weights[m], 0.01 / (unit > 0 ? unit : 1));
  }
  descend(SmoothLoss(lists, members, part, options), weights);
  return weights;
}

double smooth_weight_loss(const GradedNumbers& lists, std::span<const ListScores> members,
                          const ListPart& part, const SmoothWeightOptions& options,
                          std::span<const double> weights, std::span<double> slopes) {
  return SmoothLoss(lists, members, part, options)(weights, slopes);
}

}  // namespace copse
