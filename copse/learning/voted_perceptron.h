// Using what the dual perceptron learnt (Freund & Schapire 1999; Collins & Duffy 2002, section 4).
//
// Voting: after every step of training there was a model; the candidate that most of them would
// choose wins. A model changes only at updates, so update m votes once with its survival count.
//
//   g[j] <- 0;  votes[argmax L] += steps before the first update
//   for m = 1..M:   g[j] += sum_k c_mk K'(x_mk, x_j);   votes[argmax g] += survival of m
//
// Several chunks: the votes of all are added up, each beginning with g = 0 again.
//
// Averaging: one model whose update m has the weight (number of steps it was in use) / steps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "copse/learning/dual_perceptron.h"

namespace copse {

class Voter {
 public:
  // The base scores must outlive the voter.
  Voter(std::span<const double> base, double beta);

  // A chunk begins, its empty model lived for so many steps.
  void begin_chunk(std::uint64_t empty_steps);
  // An update: the kernel part of its change to each candidate's score, and sum_k c_k beta L_k.
  void update(std::span<const double> change, double base_weight, std::uint64_t survival);

  std::span<const double> votes() const { return votes_; }
  std::uint32_t winner() const { return best_candidate(votes_, base_); }

 private:
  std::span<const double> base_;
  double beta_;
  double base_weight_ = 0;
  std::vector<double> kernel_, scores_, votes_;
};

// sum_k c_k beta L_k of an update.
double base_weight(std::span<const RankingCoefficient> coefficients, std::span<const double> base,
                   double beta);

// Cuts `lists` into `chunks` pieces that differ by at most one: the beginnings, and the end.
std::vector<std::size_t> chunk_bounds(std::size_t lists, int chunks);

}  // namespace copse
