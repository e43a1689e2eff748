// The fragments behind a sum of tree kernels. Under the merged model a fragment f adds
//
//   lambda^(productions of f) F(f)     F(f) = sum of F(u) over the sub-trees u that begin with f
//
// to the score of a tree for each time it occurs there. There are exponentially many fragments; the
// heaviest are found best first: a fragment is decided node by node, left to right ("stays a label"
// or "gets this production"), each decision leaves fewer sub-trees u, and
//
//   lambda^(productions so far) max(sum of positive F(u), sum of negative |F(u)|)
//
// bounds everything that can still become of it. Exact: fragments come out in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "copse/rerank/merged_trees.h"
#include "copse/rerank/tree_list.h"

namespace copse {

struct Fragment {
  // Preorder: the production of each node, or kOpen where it stays a label.
  std::vector<std::uint32_t> decisions;
  int productions = 0;
  double weight = 0;  // of one occurrence
  double effect = 0;  // of a difference of trees: weight times (occurrences in one - in the other)

  static constexpr std::uint32_t kOpen = UINT32_MAX;
};

// "(NP (DT the) (NN))"
std::string fragment_text(const Fragment& fragment, const Productions& productions);

// The `count` fragments of the greatest |weight|.
std::vector<Fragment> heaviest_fragments(const MergedTrees& model, const Productions& productions,
                                         std::size_t count);

// The `count` fragments of the greatest |effect| on the difference of the scores of two candidates
// of a list.
std::vector<Fragment> moving_fragments(const MergedTrees& model, const Productions& productions,
                                       const TreeForest& list, std::size_t candidate,
                                       std::size_t other, std::size_t count);

// Finds given fragments in trees.
class FragmentMatcher {
 public:
  explicit FragmentMatcher(std::vector<Fragment> fragments);

  std::span<const Fragment> fragments() const { return fragments_; }
  // For each candidate the numbers of the fragments in it, one for each occurrence, ascending.
  std::vector<std::vector<std::uint32_t>> find(const TreeForest& list) const;

 private:
  bool matches(const Fragment& fragment, const TreeForest& list, std::uint32_t node) const;

  std::vector<Fragment> fragments_;
  std::vector<std::uint32_t> by_root_;  // numbers of fragments, by the production of their root
};

}  // namespace copse
