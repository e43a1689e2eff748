// Higher-order parsing as an integer linear program, solved by GLPK: the oracle for sentences that
// are too long to enumerate. Built from the parts alone, not from head automata.
//
//   max   sum q(h,k,side,a,b) p(h,k,side,a,b)
//   tree  sum over h of y(h,m) = 1;   single root: sum of y(0,m) = 1
//   flow  single commodity: phi(h,m) <= n y(h,m), n units leave the root, one stays at each word
//         multi commodity: a unit of its own for each word, F(w,h,m) <= y(h,m)
//   paths leave START y(k,h) times (once for the root and without grandparents), inflow = outflow
//         at every candidate, and what enters (h,m), over all k, is y(h,m)
#pragma once

#include <vector>

#include "copse/inference/part_index.h"
#include "copse/inference/part_scores.h"

namespace copse::reference {

enum class Flow { single, multi };

struct IlpAnswer {
  bool feasible = false;
  double value = 0;
  std::vector<int> heads;  // of the integer program
};

// The best tree with crossing arcs; sibling, model0 or model1. After so many seconds, if not 0, it is
// given up: not feasible then.
IlpAnswer solve_ilp(const PartIndex& index, const PartScores& scores, double seconds = 0);

struct LpAnswer {
  bool feasible = false;
  double value = 0;
  bool integral = false;   // every arc is 0 or 1
  std::vector<int> heads;  // if integral
};

// Without integrality. The value of the multi-commodity program is the least dual value there is.
LpAnswer solve_lp(const PartIndex& index, const PartScores& scores, Flow flow);

}  // namespace copse::reference
