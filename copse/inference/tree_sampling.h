// Exact samples of non-projective trees: P(y) = exp(score(y)) / Z, first order.
//
// Wilson (1996), loop-erased random walks. From each word not yet in the tree, walk to a head drawn
// in proportion to A(., m), remembering the last choice at every word, until the tree is met; the
// remembered choices become part of it. Multi root: the walks end at 0. Single root: draw the root
// child v from mu(0, .), then walk without root arcs and end at v.
//
// The walks take as long as the chain takes to leave its loops: of the order of n log n steps on
// flat scores, e^50 when two words prefer each other by 50. A draw that exceeds its steps is
// given up and made in bounded time from the elimination of Z instead (tree_elimination.h), which
// changes no probability: the loops which a walk erases are independent of the tree which it finds
// (Propp & Wilson 1998), so giving up does not favour any tree. That holds for a given end of the
// walks, so the root child v, once drawn, is kept.
//
// Sampling by elimination. Put the words back in the reverse order of their elimination. Given a
// tree over the live words, each arc (h, m) of it was either direct or via k, independently, with
// the two terms of A'(h, m) as odds. Let S be the modifiers m whose arcs went via k.
//
//   S empty:  k is a leaf; its head is drawn in proportion to A(., k)
//   else:     the words of S become modifiers of k; the head of k is h_m for the first m in S whose
//             old head h_m is not below any word of S (there always is one)
//
// Why that is right: given the words below each m in S, the old heads h_m are independent draws in
// proportion to A(., k), conditioned on forming a tree. By the forest formula, the chance of that
// is the chance that one draw falls outside of all of S; and an old head known to be outside is
// distributed as such a draw. O(n^2) per tree on average, never more than O(n^3).
#pragma once

#include <cstdint>
#include <vector>

#include "copse/base/random.h"
#include "copse/inference/arc_mask.h"
#include "copse/inference/arc_scores.h"
#include "copse/inference/spanning_tree.h"
#include "copse/inference/status.h"
#include "copse/inference/tree_elimination.h"

namespace copse {

struct TreeSamplerOptions {
  RootRule root = RootRule::single;
  // Steps of the walks of one tree, per word, before it is made by elimination; 0: always so.
  int walk_steps_per_word = 200;
  ArcSearchLimits limits = {};
};

class TreeSampler {
 public:
  // O(n^3 + n^2 L). Throws a usage error if scores and mask have different numbers of words.
  TreeSampler(const ArcScores& scores, const ArcMask& mask, const TreeSamplerOptions& options = {});

  SearchStatus status() const { return status_; }
  const std::string& culprit() const { return culprit_; }  // if bad_score

  // One tree, labels included; independent of all others. Same state of `random`, same tree.
  // Throws a usage error unless status() is ok.
  ArcTree draw(Random& random);

  // How many trees so far were made by elimination.
  std::int64_t drawn_by_elimination() const { return drawn_by_elimination_; }

 private:
  void fill_walk_tables();
  bool walk(int root_child, Random& random);
  int step_from(int m, Random& random) const;
  void prepare_elimination();
  ArcTree finish(Random& random) const;

  SearchStatus status_ = SearchStatus::ok;
  std::string culprit_;
  ArcScores scores_;  // forbidden arcs minus infinity
  TreeSamplerOptions options_;
  bool in_range_ = true;            // do plain doubles hold the weights?
  std::vector<double> root_child_;  // mu(0, .), single root
  ArcTable<double> cumulative_;     // [m][h]: sum of A(0..h, m); without root arcs if single
  std::vector<int> heads_;          // of the tree being drawn
  std::vector<char> in_tree_;
  bool elimination_ready_ = false;
  TreeElimination<double> plain_;
  TreeElimination<WideWeight> wide_;
  std::int64_t drawn_by_elimination_ = 0;
};

}  // namespace copse
