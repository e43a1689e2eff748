// Is the difference between two systems more than chance? All tests are paired: both systems
// have parsed the same sentences.
//
//   sign test            McNemar's test in its exact form: of the decisions on which exactly one
//                        system is right, how many would a fair coin give to the loser?
//   stratified shuffling swap the two systems' counts per sentence (or word) with probability
//                        1/2 and recompute the difference (Yeh 2000; Noreen 1989):
//                        p = (rounds with a difference at least as large + 1) / (rounds + 1)
//   paired bootstrap     draw sentences with replacement: an interval for the difference
// All are two-sided. Same seed, same figures on every machine.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace copse {

// Counts of one stratum (a sentence or a word) for one system. F = 2 correct / (gold + system);
// an accuracy is the case gold = system.
struct StratumCounts {
  std::int64_t correct = 0;
  std::int64_t gold = 0;
  std::int64_t system = 0;
};

struct PairedStratum {
  StratumCounts a;
  StratumCounts b;
};

struct RandomTestOptions {
  int rounds = 10'000;
  std::uint64_t seed = 1;
};

// Two-sided exact p when of a_only + b_only decisions with a winner a_only went to A. 1 when
// there are none. O(a_only + b_only).
double sign_test(std::int64_t a_only, std::int64_t b_only);

// p of the absolute differences of precision, recall and F.
struct ShufflingResult {
  double p_precision = 1;
  double p_recall = 1;
  double p_f1 = 1;
};
ShufflingResult stratified_shuffling(std::span<const PairedStratum> strata,
                                     const RandomTestOptions& options = {});

// The middle 95% of the difference in F (B minus A, as a percentage) over resampled strata.
struct BootstrapInterval {
  double low = 0;
  double high = 0;
};
BootstrapInterval paired_bootstrap(std::span<const PairedStratum> strata,
                                   const RandomTestOptions& options = {});

// Precision, recall and F of summed strata, as percentages; 0 where there is nothing to divide by.
double precision_of(const StratumCounts& counts);
double recall_of(const StratumCounts& counts);
double f1_of(const StratumCounts& counts);

}  // namespace copse
