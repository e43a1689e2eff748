// Feature selection for the log loss, by the bound of Collins & Koo 2005, Appendix B (which the
// authors did not run):
//
//   LogLoss = sum over lists i of log(1 + sum_j exp(-M_ij))                                     [9]
//   E_ij = S_ij exp(-M_ij)    D_i = 1 + sum_j E_ij    q_ij = E_ij / D_i         (S = 1 for LogLoss)
//   W+_k, W-_k = sums of q over A+_k, A-_k; choice and step as for ExpLoss, with the sum of q for Z
//
// Because log(1 + x) <= x, a step d* lowers the loss by at least (sqrt W+ - sqrt W-)^2.
//
// A changed margin changes D_i and with it every q of its list. Kept per (list, feature, sign) is
// U = the sum of E over those pairs, so that W_k = sum_i U_ki / D_i, and a list costs its distinct
// features instead of all features of all its pairs:
//
//   for each list with a pair in A+_k or A-_k:
//     for those pairs: E, D_i and the U of their features change
//     for all (q, sign) of the list: W_q += U_new / D_new - U_old / D_old
#pragma once

#include "copse/learning/boosting.h"

namespace copse {

// The pairs must be those of the best candidate against the others (no full ordering). Loss in the
// record is the log loss; cost counts features of pairs and of lists.
BoostingRun boost_log_loss(const RankingPairs& pairs, double log_probability_weight,
                           const BoostingOptions& options, const RoundProgress& progress = {});

// sum_i log(1 + sum_j S_ij exp(-M_ij)) of given weights, in the log domain.
double log_loss(const RankingPairs& pairs, double log_probability_weight,
                std::span<const double> weights);

// The exact selection of section 4.6, for small data: each round takes the feature and the step
// that lower the log loss most. With P_i the probability of the candidates of list i that have the
// feature and b_i = 1 if the best one has it, a step changes the loss by
//   sum_i [ log(1 - P_i + P_i e^d) - d b_i ]
// whose minimum is found by Newton's method, |d| at most 5. Ties: the lowest feature. A round looks
// at every feature of every candidate.
BoostingRun select_by_exact_log_loss(const RankingLists& lists, double log_probability_weight,
                                     int rounds);

// The minimum over d of that function, for lists of (P, b); `by_scaling` uses iterative scaling,
// d += log(sum b / sum P(d)), the slow check of the other.
struct FeatureMass {
  double probability = 0;
  bool in_best = false;
};
struct LogLossStep {
  double step = 0;
  double change = 0;  // of the loss, at most 0
  int iterations = 0;
};
LogLossStep best_log_loss_step(std::span<const FeatureMass> lists, bool by_scaling = false);

}  // namespace copse
