// What learning hidden values makes small, list by list (Koo & Collins 2005, section 3): a loss of
// list_loss.h at the scores
//
//   F(t) = log Z_t + a0 L(t)          Z_t the sum over the hidden values of t
//
// Its slopes are  sum over t of c_t E_t[features of t]  with c_t the slope in F(t) and E_t over the
// hidden values of t alone: the marginals under E_t are those of the candidate, divided by its own Z_t,
// not joint ones with p(t|s) in them.
#pragma once

#include <span>
#include <vector>

#include "copse/inference/belief_propagation.h"
#include "copse/rerank/hidden/hidden_list.h"
#include "copse/rerank/list_loss.h"

namespace copse::hidden {

// Scratch memory for one list at a time, and what was found.
struct ListWork {
  Potentials potentials;
  BeliefPropagation propagation;
  std::vector<double> log_sums;       // log Z of each candidate
  std::vector<double> probabilities;  // p(t|s)
  std::vector<double> shares;         // slopes in the scores of the candidates
  std::vector<double> slopes;         // in the layout of the potentials
  double loss = 0;
};

// log Z of every candidate.
template <class Weight>
void sum_candidates(const HiddenList& list, std::span<const Weight> weights, double scale,
                    ListWork& work) {
  list.fill(weights, scale, work.potentials);
  work.propagation.up(list.graph, work.potentials, work.log_sums);
}

// Loss and slopes of one list.
void work_on_list(const HiddenList& list, std::span<const double> weights, double scale, double a0,
                  const Goal& goal, Loss kind, ListWork& work);

}  // namespace copse::hidden
