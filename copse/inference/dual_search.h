// What a parser asks of trees of higher order whose arcs may cross: the best one and its
// certificate, the k best, probabilities of arcs. The first is answered by dual decomposition; the
// others need more than a bound and are approximations that start from it:
//
//   w(a) = what the best tree with arc a falls short of the best tree, as far as the relaxation
//          knows: 0 for the arcs of a certified tree, below 0 for all others
//
//   k best          spanning trees in the order of w, more of them than asked for, each given its
//                   true score; the best tree of dual decomposition is always the first
//   probabilities   Matrix-Tree on w (scores are divided by a temperature before): a first-order
//                   model that agrees with the higher-order one on what every single arc is worth
#pragma once

#include <vector>

#include "copse/inference/arc_scores.h"
#include "copse/inference/dual_decomposition.h"
#include "copse/inference/matrix_tree.h"
#include "copse/inference/projective_search.h"

namespace copse {

// Scratch memory of one thread.
class DualSearch {
 public:
  const DualOptions& options() const { return options_; }
  void set_options(const DualOptions& options) { options_ = options; }

  void set_stop(const Stop& stop) { search_.set_stop(stop); }

  BestTree best(const PartIndex& index, const PartScores& scores);
  TreeList k_best(const PartIndex& index, const PartScores& scores, int k);
  // Of arcs and labels; those of other parts are 0. log_z is such that e^(score - log_z) is the
  // probability of the best tree.
  Marginals marginals(const PartIndex& index, const PartScores& scores);

  // Of the last best(), k_best() or marginals().
  const DualCertificate& certificate() const { return certificate_; }

 private:
  // False if there is no tree; `answer` then says why.
  bool fill_arcs(const PartIndex& index, const PartScores& scores, BestTree& best);
  BestTree take(DualAnswer&& answer);

  DualOptions options_;
  DualDecomposition search_;
  DualCertificate certificate_;
  std::vector<double> weight_;
  ArcScores arcs_;
  ArcMask mask_{0};
  MatrixTree matrix_tree_;
};

}  // namespace copse
