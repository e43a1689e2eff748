// Helpers for tests on dependency trees: random and exhaustive trees, slow definitions.
#pragma once

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "copse/base/random.h"
#include "copse/treebank/dependency_tree.h"

namespace copse::tree_testing {

// Words join the tree in random order, each below a word that is already in it.
inline DependencyTree random_dependency_tree(Random& random, int words) {
  std::vector<int> order(static_cast<std::size_t>(words));
  std::iota(order.begin(), order.end(), 1);
  random.shuffle(std::span<int>(order));
  DependencyTree tree(words);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t above = i == 0 ? 0 : random.below(i);
    tree.set_head(order[i], i == 0 ? 0 : order[above]);
    tree.set_label(order[i], "l" + std::to_string(random.below(6)));
  }
  return tree;
}

// Every tree over so many words, one or several roots; words <= 6 or it takes long.
inline std::vector<DependencyTree> all_dependency_trees(int words) {
  std::vector<DependencyTree> trees;
  std::vector<int> heads(static_cast<std::size_t>(words), 0);
  while (true) {
    DependencyTree tree = DependencyTree::from_heads(heads);
    if (tree.is_tree()) trees.push_back(std::move(tree));
    std::size_t i = 0;
    while (i < heads.size() && ++heads[i] > words) heads[i++] = 0;
    if (i == heads.size()) return trees;
  }
}

// The definition, by walking up from every word between head and modifier.
inline bool slow_is_projective_arc(const DependencyTree& tree, int word) {
  const int head = tree.head(word);
  for (int k = std::min(head, word) + 1; k < std::max(head, word); ++k) {
    int up = k;
    while (up != 0 && up != head) up = tree.head(up);
    if (up != head) return false;
  }
  return true;
}

inline bool slow_is_projective(const DependencyTree& tree) {
  for (int word = 1; word <= tree.words(); ++word)
    if (!slow_is_projective_arc(tree, word)) return false;
  return true;
}

inline int shared_arcs(const DependencyTree& a, const DependencyTree& b) {
  int shared = 0;
  for (int word = 1; word <= a.words(); ++word) shared += a.head(word) == b.head(word) ? 1 : 0;
  return shared;
}

}  // namespace copse::tree_testing
