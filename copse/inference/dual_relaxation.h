// One Lagrangian relaxation of higher-order parsing (Koo, Rush, Collins, Jaakkola & Sontag 2010):
// the choices z of the head automata, each for itself, and a tree y must agree,
//
//   L(u,v) = max over trees y of  sum y(h,m) * ( gamma dep(h,m) + u(h,m) + v(h,m) )
//          + sum over heads h of max over z|h, up of  f_h(z|h, up) - sum u(h,m) z(h,m) - v(up,h)
//
// L is above the score of every tree for any u and v, and y = z = up proves y the best one. Here are
// the two halves and what is kept between one pair of multipliers and the next:
//
//   lazy decoding   only sides whose u moved are solved anew; where only v moved, the head picks
//                   another lane from the values it has; f_h(y) likewise
//   required arcs   the last arc that a word has left must be taken by its head
//   reduced costs   what a tree must lose in both halves if it has arc a: where L minus that does
//                   not exceed the best tree known, a is forbidden from there on
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "copse/inference/head_automata.h"
#include "copse/inference/tree_problem.h"

namespace copse {

// Multipliers, and which arcs are left.
struct DualPoint {
  std::vector<double> u, v;           // [arc]
  std::vector<std::uint8_t> allowed;  // [arc]
};

// Scratch memory of one thread.
class DualRelaxation {
 public:
  // `tree_scores`: by arc, what the tree half scores (gamma dep); minus infinity forbids the arc.
  // Index and automata must outlive what is asked afterwards. Begins with u = v = 0.
  void start(const PartIndex& index, const HeadAutomata& automata,
             std::span<const double> tree_scores, Crossing crossing, bool lazy);

  // Solves both halves. False if one of them has no solution.
  bool solve();

  // After solve() said true.
  double dual() const { return dual_; }      // L
  double primal() const { return primal_; }  // the score of y
  // f(z) - f(y) of the automata's half.
  double difference() const;
  int disagreements() const;  // |d|^2
  std::span<const int> tree() const { return tree_.arcs(); }
  bool is_taken(int a) const { return taken_[a] != 0; }  // z
  int up(int h) const { return up_[h]; }                 // an arc, or kNone without lanes

  // One step against the subgradient: u += step (z - y), v += step (up - y).
  void move(double step);
  // Forbids an arc in both halves.
  void forbid(int a);
  // Forbids the arcs of which no tree is better than `best`; how many.
  int reduce(double best);
  // What a tree loses at least by having the arc, both halves together; by arc.
  std::span<const double> losses();
  const DualPoint& point() const { return point_; }
  void go_to(const DualPoint& point);
  bool is_allowed(int a) const { return point_.allowed[a] != 0; }
  int arcs_left(int m) const;
  // How often an arc was in disagreement, since forget_disagreements().
  std::span<const int> disagreement_counts() const { return counts_; }
  void forget_disagreements() { counts_.assign(counts_.size(), 0); }

  std::int64_t automata_solved() const { return solved_; }

 private:
  enum : std::uint8_t { kLeft = 1, kRight = 2, kLane = 4, kAll = 7 };

  void mark(int h, std::uint8_t what);
  void require_last_arcs();
  bool solve_heads();
  bool solve_head(int h, std::uint8_t what);
  void retrace(int side);
  void evaluate_tree();
  void price(int a);
  void shift_u(int a, double by);
  void shift_v(int a, double by);
  std::span<const int> lane_arcs(int h) const {
    return {lane_arcs_.data() + lane_first_[h],
            static_cast<std::size_t>(lane_first_[h + 1] - lane_first_[h])};
  }
  ArcPrices prices() const { return {cost_u_, required_before_}; }
  template <class Visit>
  void for_each_disagreement(Visit&& visit) const;

  const PartIndex* index_ = nullptr;
  const HeadAutomata* automata_ = nullptr;
  bool lazy_ = true;
  bool has_lanes_ = false;
  std::vector<double> tree_scores_;
  DualPoint point_;
  std::vector<double> cost_u_, cost_v_, weight_;  // [arc], infinities for forbidden ones
  std::vector<std::uint8_t> required_;            // [arc]: the only one left of its word
  std::vector<int> required_before_;
  bool arcs_changed_ = true;  // some were forbidden, or allowed again
  TreeProblem tree_;
  std::vector<int> lane_arcs_, lane_first_;  // arcs into h by lane
  // The automata's half.
  std::vector<double> chart_;
  std::vector<std::uint8_t> dirty_;  // [h]
  std::vector<int> dirty_heads_;
  std::vector<int> lane_, up_;            // [h]
  std::vector<double> value_;             // [h]
  std::vector<std::vector<int>> chosen_;  // [side]
  std::vector<std::uint8_t> taken_;       // [arc]
  // The tree, and f_h of it.
  std::vector<int> tree_arc_;           // [m]: of the tree last evaluated
  std::vector<std::uint8_t> in_tree_;   // [arc]
  std::vector<double> tree_value_;      // [h]
  std::vector<std::uint8_t> is_stale_;  // [h]
  std::vector<int> stale_;
  std::vector<double> scratch_, offset_, with_arc_, tree_loss_, loss_;
  std::vector<int> counts_;
  double dual_ = 0, primal_ = 0, automata_value_ = 0, automata_tree_value_ = 0;
  std::int64_t solved_ = 0;
};

template <class Visit>
void DualRelaxation::for_each_disagreement(Visit&& visit) const {
  const int n = index_->words();
  const auto tree = tree_.arcs();
  for (int m = 1; m <= n; ++m) {
    const int a = tree[m];
    if (taken_[a] == 0) visit(a, -1, 0);
    if (has_lanes_ && up_[m] != a) {
      visit(a, 0, -1);
      visit(up_[m], 0, 1);
    }
  }
  for (const auto& arcs : chosen_) {
    for (const int a : arcs) {
      if (tree[index_->arc(a).m] != a) visit(a, 1, 0);
    }
  }
}

}  // namespace copse
