// Runs of boosting with several values of smoothing, in parallel over the same indices, and the
// choice of value and number of rounds on development lists.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "copse/learning/boosting.h"
#include "copse/rerank/linear_training.h"

namespace copse {

struct GridRuns {
  double log_probability_weight = 1;
  std::vector<double> smoothing;
  std::function<BoostingRun(double smoothing)> learn;
};

struct GridChoice {
  double smoothing = 0;
  std::size_t rounds = 0;
  std::shared_ptr<const BoostingRun> run;
};
// By each of kListParts of the development lists.
using GridChoices = std::array<GridChoice, kListParts.size()>;

// Without development lists the first value and all rounds are chosen.
GridChoices run_grid(const GridRuns& grid, const RankingData* dev,
                     const FeatureDictionary& dictionary, int threads,
                     const TrainingOutput& output);

// Work(n) and Savings(a, b) over the ranges of the article's table, as lines for people.
std::string work_table(const BoostingRun& run);

}  // namespace copse
