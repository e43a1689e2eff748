// The tree half of dual decomposition: the best tree of a class for weights of arcs, asked again
// and again while few of the weights change.
//
//   non-projective   If every word's best head makes a tree of the class, that is the best tree:
//                    only the words whose weights changed are looked at anew, and cycles are looked
//                    for in O(n). Otherwise Tarjan's contraction, O(n^2) (spanning_tree.h).
//   projective       Eisner's chart, O(n^3), in float: value() is then an upper bound by the
//                    largest error that rounding can make.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "copse/inference/part_index.h"
#include "copse/inference/projective_search.h"
#include "copse/inference/spanning_tree.h"

namespace copse {

// Scratch memory of one thread.
class TreeProblem {
 public:
  // The arcs and the root rule of the index; the index must outlive what is asked afterwards.
  void start(const PartIndex& index, Crossing crossing);

  // The weights of arcs into m changed.
  void change(int m);
  // Of all arcs; minus infinity forbids. False if there is no tree. Nothing is done if nothing
  // changed.
  bool solve(std::span<const double> weight);

  // After solve() said true. The arc of each word, [0] unused.
  std::span<const int> arcs() const { return arc_; }
  // The value of the best tree, or a little more.
  double value() const { return value_; }
  // loss[a]: what any tree that uses arc a falls short of value(), at least.
  void fill_losses(std::span<const double> weight, std::span<double> loss);

  std::span<const int> arcs_into(int m) const {
    return {into_.data() + into_first_[m],
            static_cast<std::size_t>(into_first_[m + 1] - into_first_[m])};
  }

 private:
  enum class Route { greedy, contraction, chart };

  int best_arc(int m, std::span<const double> weight) const;
  bool is_tree();
  bool contract(std::span<const double> weight);
  bool run_chart(std::span<const double> weight);

  const PartIndex* index_ = nullptr;
  Crossing crossing_ = Crossing::allowed;
  std::vector<int> into_, into_first_;  // arcs by modifier, heads rising
  std::vector<int> changed_;            // words
  std::vector<std::uint8_t> is_changed_;
  std::vector<int> best_, arc_;  // [word]
  std::vector<int> seen_by_;
  Route route_ = Route::greedy;
  double value_ = 0;
  Arborescence arborescence_;
  std::vector<double> rows_, losses_;
  std::optional<PartIndex> chart_index_;
  PartScores chart_scores_;
  Workspace workspace_;
};

}  // namespace copse
