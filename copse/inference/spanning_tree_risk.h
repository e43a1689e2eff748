// Minimum-risk decoding over non-projective trees, from the marginals of any first-order model.
//
//   expected Hamming loss of y = n - sum over the arcs of y of mu(h, m)        labels: mu(h, m, l)
//
// so the tree of least risk is the maximum spanning tree of mu, each arc with its likeliest label.
// It may be a tree that is not itself likely. Exact, O(n^2 L).
#pragma once

#include "copse/inference/arc_mask.h"
#include "copse/inference/arc_scores.h"
#include "copse/inference/spanning_tree.h"

namespace copse {

// How many words a tree drawn from the model is expected to attach (and label) differently.
double expected_hamming_loss(const ArcMarginals& marginals, const ArcTree& tree);

// The tree of least expected loss among those of the mask; result.score is the expected number of
// words it gets right, n - loss.
BestTree minimum_risk_spanning_tree(const ArcMarginals& marginals, const ArcMask& mask,
                                    RootRule root, const ArcSearchLimits& limits = {});

}  // namespace copse
