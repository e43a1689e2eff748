// L-BFGS that can be broken off and go on: its memory is a value that can be saved.
//
// Liu & Nocedal (1989). With s_k = w_{k+1} - w_k and y_k = g_{k+1} - g_k of the last iterations, the
// direction is -H g, H built from these pairs by the two-loop recursion. The step along it fulfils
// the weak Wolfe conditions
//   f(w + t d) <= f(w) + 1e-4 t g.d          g(w + t d).d >= 0.9 g.d
// found by halving and doubling, with a parabola where one fits (Lewis & Overton 2013); then
// s.y > 0. Pairs are kept as floats: half the memory, and what is saved is what is used.
//
// libLBFGS (minimise.h) keeps its memory to itself and serves all who need not go on; the tests hold
// both to the same minimum.
#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "copse/learning/minimise.h"

namespace copse {

struct LbfgsState {
  struct Pair {
    std::vector<float> step, slope;  // s and y
  };

  std::vector<double> w;
  std::deque<Pair> pairs;      // the oldest first
  std::vector<double> values;  // of the objective after the last iterations, for the end
  int iterations = 0;
};

class ResumableLbfgs {
 public:
  // From a state as another left it, or one that has only w. Evaluates the objective once; the prior
  // of the options is added to it. Throws data_error if the state does not fit together.
  ResumableLbfgs(ValueAndGradient objective, const LbfgsOptions& options, LbfgsState state);

  // One iteration. False, and the state as it was, if there is nothing to gain: reason() says why.
  bool iterate();
  const LbfgsState& state() const { return state_; }
  double value() const { return value_; }
  bool converged() const { return converged_; }
  const std::string& reason() const { return reason_; }

 private:
  double evaluate(std::span<const double> w, std::vector<double>& gradient);
  bool is_done();
  bool end(bool converged, std::string reason);
  std::vector<double> direction() const;
  // Moves to a point along the direction; false if none is better.
  bool move(const std::vector<double>& direction);
  void remember(const std::vector<double>& w, const std::vector<double>& gradient);

  ValueAndGradient objective_;
  LbfgsOptions options_;
  LbfgsState state_;
  std::vector<double> gradient_;
  double value_ = 0;
  bool converged_ = false;
  std::string reason_;
};

}  // namespace copse
