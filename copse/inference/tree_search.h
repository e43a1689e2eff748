// One door to all searchers of dependency trees: projective ones of any order by their charts,
// non-projective ones of the first order by spanning trees and the Matrix-Tree theorem, those of
// higher orders by dual decomposition (dual_search.h says what is exact there and what is not).
// Arcs are numbered by a PartIndex in all cases.
#pragma once

#include <span>

#include "copse/inference/arc_mask.h"
#include "copse/inference/arc_scores.h"
#include "copse/inference/dual_search.h"
#include "copse/inference/matrix_tree.h"
#include "copse/inference/part_index.h"
#include "copse/inference/part_scores.h"
#include "copse/inference/projective_search.h"
#include "copse/inference/spanning_tree.h"

namespace copse {

// The trees that are searched, and what their scores are made of.
struct TreeKind {
  Factorisation order = Factorisation::first;  // not carreras if not projective
  RootRule root = RootRule::single;
  bool projective = true;

  PartIndex index(const ArcMask& mask) const {
    return {mask, order, root, projective ? Crossing::never : Crossing::allowed};
  }
  // Whether trees are found by dual decomposition.
  bool is_dual() const { return !projective && order != Factorisation::first; }
  // Whether these are the heads (0..n, those of words 1..n) of such a tree. O(n^2).
  bool holds(std::span<const int> heads) const;
  bool operator==(const TreeKind&) const = default;
};

// Scratch memory of one thread. The index must have been made by kind.index().
class TreeSearch {
 public:
  BestTree best(const TreeKind& kind, const PartIndex& index, const PartScores& scores);
  TreeList k_best(const TreeKind& kind, const PartIndex& index, const PartScores& scores, int k);
  Marginals marginals(const TreeKind& kind, const PartIndex& index, const PartScores& scores);
  // The tree with the least expected number of wrong (labelled) arcs.
  BestTree minimum_risk(const TreeKind& kind, const PartIndex& index, const PartMarginals& mu);

  // Asked inside charts and dual decomposition, which then throw Stopped; until another is set.
  void set_stop(const Stop& stop) {
    workspace_.set_stop(stop);
    dual_.set_stop(stop);
  }

  Workspace& workspace() { return workspace_; }
  // For kinds that are searched by dual decomposition: its options, and the last certificate.
  DualSearch& dual() { return dual_; }

 private:
  void take_arcs(const PartIndex& index, const PartScores& scores);

  Workspace workspace_;
  ArcScores arcs_;
  ArcMask mask_{0};
  SpanningTreeSearch spanning_tree_;
  MatrixTree matrix_tree_;
  DualSearch dual_;
};

}  // namespace copse
