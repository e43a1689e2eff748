// Weights of a sum of scores by a smooth loss. A search on F1 itself (line_search.h) finds weights that
// fit the chance in its lists, negative ones among them; a loss of probabilities moves with every
// candidate of every list, and a few weights of it are known well from a thousand lists.
//
//   minimise  sum over lists of the loss (list_loss.h) at  F(t) = sum over members m of w_m F_m(t)
//             + sum over m of (w_m s_m)^2 / (2 variance)          w_m >= 0 for m > 0
//
// s_m is the spread of the member's scores within lists, so that a member's unit does not matter. The
// first is the log probability of the lists' maker; the scores of others may have too much of it in
// them, so its weight may be negative.
#pragma once

#include <span>
#include <vector>

#include "copse/rerank/kernel_selection.h"
#include "copse/rerank/list_loss.h"

namespace copse {

struct SmoothWeightOptions {
  Loss loss = Loss::graded;
  double temperature = 1;  // of a graded loss
  double variance = 1;
};

// A weight for each member, over the lists of `part`. By L-BFGS over roots of the weights that may not
// be negative; risk, which has several minima, from where likelihood has its only one.
std::vector<double> smooth_weights(const GradedNumbers& lists, std::span<const ListScores> members,
                                   const ListPart& part, const SmoothWeightOptions& options);

// The loss with its prior, and its slopes in the weights; for tests.
double smooth_weight_loss(const GradedNumbers& lists, std::span<const ListScores> members,
                          const ListPart& part, const SmoothWeightOptions& options,
                          std::span<const double> weights, std::span<double> slopes);

}  // namespace copse
