// Boosting for rankings (Collins & Koo 2005): one feature and one step at a time, the exponential
// loss over pairs goes down,
//
//   M_p = F(better) - F(worse)          F(x) = a0 L(x) + sum over features k of x of a_k
//   ExpLoss = sum over pairs p of S_p exp(-M_p)                                            [11, 22]
//
// and only features that were chosen have a weight. With w_p = S_p exp(-M_p), Z = sum of w,
// W+_k and W-_k the sums of w over A+_k and A-_k (ranking_pairs.h), each round takes
//
//   k* = argmax_k |sqrt W+_k - sqrt W-_k|                      ties: the lowest k
//   d  = 1/2 log((W+_k* + eps Z) / (W-_k* + eps Z))            eps > 0 smooths        [16, A.1, A.2]
//
// and adds d to a_k*. The naive algorithm computes all sums anew each round: T entries of the pair
// index. The efficient one (section 4.4) changes only the sums of features that share a pair with
// k*, and finds the best without a scan (gain_blocks.h); it makes the same choices. All rounds are
// recorded, so that one run answers for every smaller number of rounds.
//
// The sums are refreshed from the recorded weights when Z has halved ten times, and every 25,000
// rounds: what rounding has gathered while Z was large would else count when Z is small.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "copse/learning/ranking_pairs.h"

namespace copse {

struct BoostingOptions {
  double smoothing = 0.0025;  // eps
  int rounds = 100'000;
  // Beyond the article: after every so many rounds one Newton step on a0; 0 for never.
  int move_log_probability_every = 0;
};

struct BoostingRound {
  static constexpr std::uint32_t kLogProbability = UINT32_MAX;

  std::uint32_t feature = 0;  // kLogProbability: a0 was moved; not counted as a round
  double step = 0;            // what was added to its weight
  double loss = 0;            // before the step
  double gain = 0;            // |sqrt W+ - sqrt W-|
  std::uint64_t cost = 0;     // entries of the index that were visited (equation 19)
};

struct BoostingRun {
  double log_probability_weight = 0;  // a0 at the start
  std::vector<BoostingRound> rounds;
  double loss = 0;              // at the end
  std::uint64_t pass_cost = 0;  // T: what a round of the naive algorithm costs (equation 20)

  // The weights after the first n rounds.
  struct Weights {
    double log_probability = 0;
    std::vector<double> features;
  };
  Weights weights_after(std::size_t n, std::size_t features) const;
  // Equations 24 to 26: passes over the data that the first n rounds cost; how many times cheaper
  // the rounds a..b (from 1) were than the naive algorithm.
  double work(std::size_t n) const;
  double savings(std::size_t a, std::size_t b) const;
};

// argmin over a in {0.001, 0.002, ..., 10} of sum S_p exp(-a d_p), d_p the log ratio of the pair
// [12]; ties: the smaller. The sum is convex in a: bisection on its slope, then the better of the
// neighbouring thousandths. 1 when there are no pairs.
struct InitialWeight {
  double weight = 1;
  bool on_border = false;  // the true minimum is below 0.001 or above 10
};
InitialWeight initial_log_probability_weight(const RankingPairs& pairs);

// Throws usage_error when smoothing is 0 and a step would be infinite. `progress` is told the
// number of rounds done, now and then.
using RoundProgress = std::function<void(std::size_t rounds)>;
BoostingRun boost(const RankingPairs& pairs, double log_probability_weight,
                  const BoostingOptions& options, const RoundProgress& progress = {});
// The reference: the same, a pass over all pairs each round.
BoostingRun boost_naively(const RankingPairs& pairs, double log_probability_weight,
                          const BoostingOptions& options);

}  // namespace copse
