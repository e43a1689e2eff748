#include "copse/inference/spanning_tree_risk.h"

namespace copse {

double expected_hamming_loss(const ArcMarginals& marginals, const ArcTree& tree) {
  double loss = 0;
  for (int m = 1; m <= marginals.words(); ++m)
    loss += 1 - marginals(tree.heads[m], m, tree.labels.empty() ? 0 : tree.labels[m]);
  return loss;
}

BestTree minimum_risk_spanning_tree(const ArcMarginals& marginals, const ArcMask& mask,
                                    RootRule root, const ArcSearchLimits& limits) {
  SpanningTreeSearch search;
  return search.best(marginals, mask, root, limits);
}

}  // namespace copse
