// Lifting arcs until a tree is projective (Nivre & Nilsson 2005): again and again the shortest arc
// that is not projective, the leftmost of several, goes from its head to the head of that.
//
// When w is lifted from h to g, h alone loses descendants, those of w: only arcs of h, and the new
// one of w, may change what they are. So a heap holds the arcs that are not projective, and a lift
// looks at the words below w, the children of h and the words between g and w. A random tree of
// 10,000 words takes under a second; looking at every arc after each lift takes minutes.
#pragma once

#include <vector>

#include "copse/treebank/dependency_tree.h"

namespace copse {

struct LiftedTree {
  std::vector<int> heads;       // by word; heads[0] is unused
  std::vector<bool> passed_by;  // words that an arc was lifted from
};

// Throws data_error if the heads are no tree.
LiftedTree lift_arcs(const DependencyTree& tree);

}  // namespace copse
