// What learning hidden values makes small, list by list (Koo & Collins 2005, section 3):
//
//   p(t|s)   = exp(log Z_t + a0 L(t)) / the sum of the same over the candidates of s
//   loss     = - log p(t*|s)                 t* the candidate of highest quality
//   or risk  = sum over t of p(t|s) (quality of t* - quality of t)
//
// Both have slopes  sum over t of c_t E_t[features of t]  with E_t over the hidden values of t alone,
// and c_t = p(t|s) - [t = t*], or p(t|s) (risk of t - mean risk). The marginals under E_t are those of
// the candidate, divided by its own Z_t, not joint ones with p(t|s) in them.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "copse/inference/belief_propagation.h"
#include "copse/rerank/hidden/hidden_list.h"

namespace copse::hidden {

enum class Loss { likelihood, risk };
std::string_view name_of(Loss loss);
// Throws usage_error for other names.
Loss loss_of(std::string_view name);

// Scratch memory for one list at a time, and what was found.
struct ListWork {
  Potentials potentials;
  BeliefPropagation propagation;
  std::vector<double> log_sums;       // log Z of each candidate
  std::vector<double> probabilities;  // p(t|s)
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

// Log probabilities of candidates with the log probability of the list's maker weighed by `a0`.
std::vector<double> log_probabilities(std::span<const double> log_sums,
                                      std::span<const double> base, double a0);

struct Goal {
  std::size_t best = 0;
  std::span<const double> quality;
};

// Loss and slopes of one list.
void work_on_list(const HiddenList& list, std::span<const double> weights, double scale, double a0,
                  const Goal& goal, Loss kind, ListWork& work);

}  // namespace copse::hidden
