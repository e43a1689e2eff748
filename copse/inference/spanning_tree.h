// The best non-projective tree: a maximum spanning arborescence.
//
// Chu & Liu (1965), Edmonds (1967); Tarjan's contraction (1977) on dense rows. First order: the
// score of a tree is the sum of theta(h, m) over its arcs. Exact, O(n^2) time and space.
//
//   row[c][h]   weight of the best arc from word h into component c, and the word of c it enters
//   a component is a word or a contracted cycle; it takes the row of one of its members
//
//   walk against the arcs, always to the best head h of the component on top of the path;
//     h in a finished component -> the whole path is finished
//     h on the path             -> contract the cycle:
//                                  row[x][h] = max over members b of row[b][h] - enter[b]
//   then expand: the arc entering x breaks its cycle at the member which it enters
//
// Rows are indexed by words on the head side, not by components, so contraction merges rows only
// and never columns: about 4 n^2 steps in all.
//
// Single root: the weights are pairs (-1 if h = 0 else 0, theta), compared lexicographically, so
// the best tree has the fewest root arcs and then the best score. No cycle contains a root arc, so
// the first member of the pair stays -1 in column 0 and 0 elsewhere: the pair is kept implicitly by
// taking the root only when no other head is left. Exact, with no large penalty to round against.
// If two root arcs remain, the mask has no single-root tree.
//
// Ties: the lowest head of a row; on merging rows, the member earliest on the path. Same input,
// same tree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "copse/inference/arc_mask.h"
#include "copse/inference/arc_scores.h"
#include "copse/inference/search_answer.h"

namespace copse {

// Tarjan's contraction itself, for callers who fill the rows. Scratch memory of one thread: keep
// it from sentence to sentence.
class Arborescence {
 public:
  // Room for n words. Then fill every row(m), m = 1..n: weights of heads 0..n, minus infinity where
  // there is no arc; row(m)[m] is set by solve().
  void start(int words);
  std::span<double> row(int m) {
    return {weight_.data() + offset(m), static_cast<std::size_t>(words_) + 1};
  }
  // Consumes the rows. False if there is no tree.
  bool solve(RootRule root);
  // After solve() said true.
  int head(int m) const { return head_[m]; }

  // The dual of the search (Edmonds). Let e(C) be the weight by which component C was entered. The
  // reduced costs r(h, m) = sum of e(C) over all C that hold m, not h, minus weight(h, m) are >= 0,
  // zero for the arcs of the tree, and any tree loses at least the sum of r over its arcs against
  // the best one. Gives, for each word m = 1..n, min over h of r(h, m) without m's own head: a
  // lower bound on the loss of the best tree that takes another head for m; infinity if it has no
  // other. row_of(m) must give the weights that row(m) was filled with, or an empty span if m has
  // no other head anyway. O(n^2).
  template <class RowOf>
  void losses_of_change(const RowOf& row_of, std::span<double> loss);

 private:
  struct Entry {
    int head = 0;
    int modifier = 0;
    double weight = 0;
  };

  std::size_t offset(int slot) const {
    return static_cast<std::size_t>(slot) * (static_cast<std::size_t>(words_) + 1);
  }
  int best_head(int slot) const;
  bool finish_from(int start, int& root_arcs);
  void contract(int bottom);
  void merge_rows(int into, double into_entry, int from, double from_entry);
  void expand();
  void order_leaves();
  double loss_of_change(int m, std::span<const double> row) const;
  double best_alternative(int m, std::span<const double> row, int first, int last) const;

  int words_ = 0;
  RootRule root_ = RootRule::multi;
  std::vector<double> weight_;          // [slot][h]; slot m starts as word m
  std::vector<std::int32_t> modifier_;  // [slot][h]: which word of the component the arc enters
  std::vector<int> slot_of_;            // [word]: slot of the component that holds it
  std::vector<int> path_;               // slots
  std::vector<int> path_position_;      // [slot]: -1 if not on the path
  std::vector<char> done_;              // [slot]
  // Components as nodes of a forest: 1..n words, then contracted cycles in order of creation.
  std::vector<int> node_of_;  // [slot]
  std::vector<int> parent_;   // [node]: 0 = top
  std::vector<Entry> enter_;  // [node]
  std::vector<char> broken_;  // [node], in expand()
  std::vector<int> head_;     // [word]
  // The words below a node are leaves_[leaf_begin_[node] .. leaf_end_[node]).
  std::vector<int> leaves_, leaf_begin_, leaf_end_;
};

// The best tree. Labelled scores: every arc takes its best label, the lowest on ties; a table of one
// label knows no labels. An instance is scratch memory of one thread.
class SpanningTreeSearch {
 public:
  // O(n^2 L). Throws a usage error if scores and mask have different numbers of words.
  template <class Real>
  BestTree best(const ArcTable<Real>& scores, const ArcMask& mask, RootRule root,
                const ArcSearchLimits& limits = {});

 private:
  Arborescence arborescence_;
};

// Fills row[h] with the score of the best label of (h, m), minus infinity for forbidden arcs.
template <class Real>
void best_label_scores(const ArcTable<Real>& scores, const ArcMask& mask, int m,
                       std::span<double> row);

// The lowest of the best labels of an arc.
template <class Real>
int best_label(const ArcTable<Real>& scores, int h, int m);

// Throws a usage error if the two do not belong to the same sentence.
void require_same_words(int scores_words, int mask_words);

template <class RowOf>
void Arborescence::losses_of_change(const RowOf& row_of, std::span<double> loss) {
  order_leaves();
  for (int m = 1; m <= words_; ++m) {
    const std::span<const double> row = row_of(m);
    loss[m] = row.empty() ? -kMinusInfinity : loss_of_change(m, row);
  }
}

}  // namespace copse
