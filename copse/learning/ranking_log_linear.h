// Log-linear ranking with a Gaussian prior and no selection (Collins & Koo 2005, equation 28): the
// reference that selection must compete with.
//
//   minimise  sum_i -log( exp F(best_i) / sum over candidates c of i of exp F(c) )
//             + sum_k a_k^2 / (2 variance)          F(c) = a0 L(c) + sum of a_k over features of c
//
// by L-BFGS, from a0 = 1 and all a_k = 0. There is no prior on a0. Candidates whose score equals
// the best one's are no rivals and are left out of the sum.
#pragma once

#include <functional>
#include <vector>

#include "copse/learning/ranking_lists.h"

namespace copse {

struct RankingLogLinearOptions {
  double variance = 1;
  int max_iterations = 100;
  int threads = 1;
  std::function<void(int iteration)> progress;
};

struct RankingLogLinear {
  double log_probability_weight = 1;
  std::vector<double> weights;
  double loss = 0;  // with the prior
  int iterations = 0;
};

RankingLogLinear train_ranking_log_linear(const RankingLists& lists,
                                          const RankingLogLinearOptions& options);

// The objective and its gradient: weights of the features, then a0 at the end. For tests.
double ranking_log_linear_objective(const RankingLists& lists, double variance,
                                    std::span<const double> at, std::span<double> gradient);

}  // namespace copse
