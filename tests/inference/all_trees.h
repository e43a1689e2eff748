// Every tree of a short sentence, written out: the oracle of the non-projective searchers. Nothing
// here is clever, and nothing here is linked into the library.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "copse/base/random.h"
#include "copse/inference/arc_mask.h"
#include "copse/inference/arc_scores.h"
#include "copse/inference/spanning_tree.h"

namespace copse::oracle {

inline bool reaches_root(const std::vector<int>& heads, int m) {
  for (std::size_t steps = 0; steps < heads.size(); ++steps) {
    if (m == 0) return true;
    m = heads[m];
  }
  return false;
}

inline bool is_tree(const std::vector<int>& heads, RootRule root) {
  int root_arcs = 0;
  for (int m = 1; m < static_cast<int>(heads.size()); ++m) {
    if (heads[m] == m || heads[m] < 0 || !reaches_root(heads, m)) return false;
    root_arcs += heads[m] == 0;
  }
  return root == RootRule::multi || root_arcs == 1 || heads.size() == 1;
}

// All head vectors (heads[0] = -1) that are trees.
inline std::vector<std::vector<int>> all_spanning_trees(int words, RootRule root) {
  std::vector<std::vector<int>> trees;
  std::vector<int> heads(words + 1, 0);
  heads[0] = -1;
  for (;;) {
    if (is_tree(heads, root)) trees.push_back(heads);
    int m = 1;
    while (m <= words && heads[m] == words) heads[m++] = 0;
    if (m > words) return trees;
    ++heads[m];
  }
}

// The trees that mask and scores leave, labels included, each with its score.
inline std::vector<Scored<ArcTree>> scored_trees(const std::vector<std::vector<int>>& trees,
                                                 const ArcScores& scores, const ArcMask& mask) {
  std::vector<Scored<ArcTree>> found;
  const int words = scores.words();
  const int labels = scores.labels();
  for (const auto& heads : trees) {
    std::vector<int> label(words + 1, 0);
    label[0] = -1;
    for (;;) {
      double score = 0;
      for (int m = 1; m <= words; ++m)
        score += mask.allowed(heads[m], m) ? scores(heads[m], m, label[m]) : kMinusInfinity;
      if (score > kMinusInfinity)
        found.push_back({{heads, labels > 1 ? label : std::vector<int>{}}, score});
      int m = 1;
      while (m <= words && label[m] == labels - 1) label[m++] = 0;
      if (m > words) break;
      ++label[m];
    }
  }
  return found;
}

inline double log_sum(const std::vector<Scored<ArcTree>>& trees) {
  long double largest = kMinusInfinity;
  for (const auto& tree : trees) largest = std::max<long double>(largest, tree.score);
  if (trees.empty()) return kMinusInfinity;
  long double sum = 0;
  for (const auto& tree : trees) sum += std::exp(tree.score - largest);
  return static_cast<double>(largest + std::log(sum));
}

inline ArcMarginals marginals(const std::vector<Scored<ArcTree>>& trees, int words, int labels) {
  const long double log_z = log_sum(trees);
  ArcTable<long double> sums(words, labels, 0);
  for (const auto& [tree, score] : trees)
    for (int m = 1; m <= words; ++m)
      sums(tree.heads[m], m, tree.labels.empty() ? 0 : tree.labels[m]) += std::exp(score - log_z);
  return ArcMarginals(sums);
}

// Scores: normal with this deviation, or small whole numbers (many ties) if `spread` is zero.
inline ArcScores random_scores(int words, int labels, double spread, Random& random) {
  ArcScores scores(words, labels);
  for (double& value : scores.values())
    value = spread > 0 ? spread * random.normal() : random.between(-1, 1);
  return scores;
}

// About this share of the arcs removed.
inline ArcMask random_mask(int words, double removed, Random& random) {
  ArcMask mask(words);
  for (int m = 1; m <= words; ++m)
    for (int h = 0; h <= words; ++h)
      if (random.chance(removed)) mask.forbid(h, m);
  return mask;
}

}  // namespace copse::oracle
