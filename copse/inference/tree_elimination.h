// Sums over spanning trees without a single subtraction: words are eliminated one by one, as states
// of a Markov chain are in the algorithm of Grassmann, Taksar & Heyman (1985).
//
// With weights A(h, m) >= 0 of arcs, word k can be summed out of all trees at once:
//
//   Z(live + k; A) = d_k * Z(live; A'),      d_k = sum over h of A(h, k)
//   A'(h, m) = A(h, m) + A(h, k) A(k, m) / d_k                        "directly, or via k"
//
// In multi-root trees the root counts in d_k as any other head. In single-root trees it does not,
// and the last word v left gives Z = A(0, v). Every number is a sum of products of positive
// numbers, so log Z is right to the last few digits however peaked the weights are. An LU
// decomposition of the Laplacian takes the same steps but forms d_k as a difference.
//
// Marginals are the derivative of log Z, taken backwards through the same steps:
//
//   x(h, m)  = mu'(h, m) * A(h, k) A(k, m) / (d_k A'(h, m))      expected arcs (h, m) "via k"
//   mu(h, m) = mu'(h, m) * A(h, m) / A'(h, m)
//   mu(k, m) = sum_h x(h, m)
//   mu(h, k) = sum_m x(h, m) + A(h, k)/d_k * (1 - sum of all x)        last term: not for h = 0
//                                                                      if single root
//
// Pivots: the word with the heaviest arc into it goes first; then A(k, m) <= d_k and nothing
// overflows. O(n^3) time. Memory: the matrix, plus the intermediate matrices of the way back within
// a budget; what does not fit is computed again from a checkpoint (bisection), so n = 500 takes
// three to four forward passes and some tens of MB instead of the 333 MB of all matrices.
#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <vector>

#include "copse/inference/arc_mask.h"
#include "copse/inference/arc_scores.h"
#include "copse/inference/wide_weight.h"

namespace copse {

// Number is double, or WideWeight for weights beyond its range. Scratch memory of one thread.
template <class Number>
class TreeElimination {
 public:
  // Room for n words. Then fill row(m), m = 1..n, with A(h, m), h = 0..n; the diagonal must be
  // zero.
  void start(int words, RootRule root);
  std::span<Number> row(int m) { return {matrix_.data() + at(m, 0), side()}; }

  // Sums the words out. False if there is no tree, or none within the range of Number.
  bool eliminate();
  // After eliminate(): the logarithm of Z.
  double log_z() const { return log_z_; }
  // After eliminate(), root rule single: the largest root weight met, a factor of what underflow
  // can have lost. 1 for multi.
  double largest_root_weight() const { return largest_root_weight_; }

  // After eliminate(): the marginals of all arcs, into out(h, m), which must have n words and one
  // label. Uses up to about `budget` bytes for matrices of the way back.
  void marginals(ArcMarginals& out, std::size_t budget);

  // What a sampler needs, after eliminate(). Words are numbered by their place: place 0 is the
  // root, and the word at place p was summed out when those at places 1..p-1 were still live.
  int word_at(int place) const { return order_[place]; }
  int first_pivot_place() const { return root_ == RootRule::single ? 2 : 1; }
  Number start_weight(int h, int m) const { return start_.row(m)[h]; }
  Number factor_into(int h, int p) const { return matrix_[at(p, h)]; }    // A(h, p), h < p
  Number factor_out_of(int p, int m) const { return matrix_[at(m, p)]; }  // A(p, m), m < p
  Number pivot(int p) const { return pivot_[p]; }                         // d_p

 private:
  // A matrix of `live` words by place, [m][h]: what the steps back look at.
  struct State {
    int live = 0;
    std::vector<Number> cells;
    Number* row(int m) { return cells.data() + static_cast<std::size_t>(m) * (live + 1); }
    const Number* row(int m) const {
      return cells.data() + static_cast<std::size_t>(m) * (live + 1);
    }
  };

  std::size_t side() const { return static_cast<std::size_t>(words_) + 1; }
  std::size_t at(int row, int column) const {
    return static_cast<std::size_t>(row) * side() + static_cast<std::size_t>(column);
  }
  int choose_pivot(int live) const;
  void swap_places(int a, int b);
  Number pivot_sum(const Number* row, int live) const;
  void put_start_in_place();
  void step_forward(const State& from, State& to) const;
  void run_forward(const State& from, int live, State& to);
  void way_back(const State& from, int live_at_end, std::size_t budget, std::size_t depth);
  void way_back_stored(const State& from, int live_at_end);
  void step_back(const State& before, const State& after);

  int words_ = 0;
  RootRule root_ = RootRule::multi;
  std::vector<Number> matrix_;  // [m][h] by place; turns into the factors
  std::vector<Number> pivot_;   // d_p by place
  std::vector<int> order_;      // word at each place
  double log_z_ = 0;
  double largest_root_weight_ = 1;
  std::vector<double> mu_;         // [m][h] by place
  std::vector<double> from_head_;  // [h]: sum over m of x(h, m)
  std::vector<double> via_;        // [h]: x(h, m) of the current m
  State start_;                    // the matrix as it was filled
  std::vector<State> after_;       // after each step of the stretch being walked back
  std::deque<State> checkpoints_;  // one per level of bisection
  State spare_;
};

}  // namespace copse
