// Non-projective trees in order of score, best first: exact k-best.
//
// Branching in the manner of Camerini, Fratta & Maffioli (1980) and Lawler (1972): the set of trees
// other than the best one, T, falls apart by the first word that leaves its head,
//
//   child i:  words 1..i-1 keep their heads in T;  word i may not take its head in T
//
// and each part is again a spanning tree problem under forced and forbidden arcs. Solving all n
// parts for every tree found would cost O(n^3) a tree; instead a part waits in the queue under the
// upper bound that the dual of its parent's search gives (Arborescence::losses_of_change) and is
// solved, in O(n^2), only when that bound comes to the front. Usually few are; never more than n.
//
// Labels: a labelled tree is a tree and a label for each arc. Trees are drawn in the order of
// their best labels, and the label choices of the trees drawn so far are merged with them lazily.
//
// Order: by score; equal scores in an order that depends on the input alone (solved before
// bounded, then older before younger). Scores within rounding of each other may change places.
#pragma once

#include <optional>
#include <queue>
#include <span>
#include <vector>

#include "copse/inference/arc_mask.h"
#include "copse/inference/arc_scores.h"
#include "copse/inference/search_answer.h"
#include "copse/inference/spanning_tree.h"

namespace copse {

// O(n^2 L) for the first tree; then O(n^2) per part solved, O(n + L log L) per label choice.
// k <= 0 asks for nothing and gets it, with the status of the search for the best tree.
TreeList k_best_spanning_trees(const ArcScores& scores, const ArcMask& mask, RootRule root, int k,
                               const ArcSearchLimits& limits = {});

// One unlabelled tree after the other, for callers who do not know beforehand how many they need.
// The scores must be good (find_bad_score); each arc counts with its best label.
class SpanningTreeRanking {
 public:
  SpanningTreeRanking(const ArcScores& scores, const ArcMask& mask, RootRule root);
  // The next heads vector, or nothing when all trees have been given.
  std::optional<Scored<std::vector<int>>> next();
  // How many spanning tree problems it took so far.
  int problems_solved() const { return problems_solved_; }

 private:
  // Trees that agree with solved_[base] on the words before `word` and whose word avoids the
  // banned heads.
  struct Part {
    int base = -1;
    int word = 1;
    std::vector<int> banned;
  };
  struct Solved {
    Part part;
    std::vector<int> heads;
    std::vector<double> loss;  // [word]: losses_of_change
  };
  struct Waiting {
    double bound;  // on the score of the best tree of the part; the score itself if solved
    bool is_solved;
    int age;
    int index;  // into solved_ or parts_
  };
  struct Later {
    bool operator()(const Waiting& a, const Waiting& b) const;
  };

  void fill_row(const Part& part, int m, std::span<double> row) const;
  void solve(Part part);
  void branch(int index, double score);
  void enqueue(double bound, bool is_solved, int index);

  int words_;
  RootRule root_;
  ArcScores weight_;  // best label of each arc, minus infinity if forbidden
  std::vector<double> branching_row_;
  Arborescence search_;
  std::vector<Part> parts_;
  std::vector<Solved> solved_;
  std::priority_queue<Waiting, std::vector<Waiting>, Later> queue_;
  int age_ = 0;
  int problems_solved_ = 0;
};

}  // namespace copse
