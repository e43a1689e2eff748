// The averaged perceptron for rankings (Collins 2002): where another candidate than the best one
// of a list wins or ties, move towards the best one. The log probability keeps a fixed weight.
//
//   F(c) = a0 L(c) + sum of w_k over features k of c;   w += h(best) - h(winner)
//
// One pass costs one look at every feature of every candidate.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "copse/learning/ranking_lists.h"

namespace copse {

struct RankingPerceptronOptions {
  int epochs = 10;
  double log_probability_weight = 1;  // a0
  std::uint64_t seed = 1;             // of the order of the lists
  std::function<void()> step;         // told of every list, if it is set
};

// `after` is told the average of all weights so far at the end of each epoch.
using AfterEpoch =
    std::function<void(int epoch, std::size_t mistakes, std::span<const double> average)>;
void train_ranking_perceptron(const RankingLists& lists, const RankingPerceptronOptions& options,
                              const AfterEpoch& after);

}  // namespace copse
