// How far a dependency tree is from being projective.
//
// The arc from h to m is projective when every word strictly between them is dominated by h; a
// tree is projective when all its arcs are. The yield of a word is the word with everything it
// dominates. Gap degree: how many gaps the yield with the most of them has (0: projective).
// Well-nested: no two disjoint yields interleave, a < b < a' < b' with a, a' in one of them and
// b, b' in the other. (Kuhlmann and Nivre 2006.)
//
// All functions need a tree (DependencyTree::is_tree) and throw a data error for anything else.
#pragma once

#include <vector>

#include "copse/treebank/dependency_tree.h"

namespace copse {

// The words in preorder, children from left to right; word 0 first. O(n) to build.
class Dominance {
 public:
  explicit Dominance(const DependencyTree& tree);

  // Whether `ancestor` dominates `word` or is the same. O(1).
  bool dominates(int ancestor, int word) const {
    const auto a = static_cast<std::size_t>(ancestor);
    const int rank = rank_[static_cast<std::size_t>(word)];
    return rank_[a] <= rank && rank < end_[a];
  }
  const std::vector<int>& preorder() const { return preorder_; }

 private:
  std::vector<int> preorder_;
  std::vector<int> rank_;  // position of each word in preorder_
  std::vector<int> end_;   // one past the position of its last descendant
};

// O(n).
bool is_projective(const DependencyTree& tree);
// The arc into `word`; time proportional to its length.
bool is_projective_arc(const DependencyTree& tree, const Dominance& dominance, int word);
// The words whose arc is not projective, in order.
std::vector<int> nonprojective_words(const DependencyTree& tree);

struct GapProfile {
  int gap_degree = 0;
  bool well_nested = true;
};
GapProfile gap_profile(const DependencyTree& tree);

// The projective tree that keeps as many arcs as possible; among those, one with as many arcs as
// possible from an ancestor in `tree`. One root if `tree` has one. Labels stay. A projective tree
// is returned as it is; others take O(n^3) time and O(n^2) space, and more than
// kMaxWordsForBestProjective words are refused with a data error.
inline constexpr int kMaxWordsForBestProjective = 2000;
DependencyTree best_projective_tree(const DependencyTree& tree);

}  // namespace copse
