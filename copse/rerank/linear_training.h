// Recipes for linear rerankers: lists in, model out.
//
//   boost        exponential loss, one feature a round (learning/boosting.h)
//   logboost     log loss, one feature a round (learning/log_loss_boosting.h)
//   loglinear    log loss with a Gaussian prior, all features (learning/ranking_log_linear.h)
//   perceptron   averaged perceptron, all features (learning/ranking_perceptron.h)
//
// What cannot be known beforehand (smoothing and number of rounds, variance, weight of the log
// probability and number of epochs) is tried in all the values given and chosen by the sum of
// scores on the development lists; ties: the first value, the fewest rounds. Without such lists the
// defaults of the learner and all rounds are taken.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "copse/base/pace.h"
#include "copse/learning/boosting.h"
#include "copse/rerank/linear_reranker.h"
#include "copse/rerank/list_figures.h"
#include "copse/rerank/ranking_data.h"
#include "copse/rerank/tree_features.h"

namespace copse {

struct RerankerPaths {
  std::string lists, gold;          // training
  std::string dev_lists, dev_gold;  // development, by which is chosen; may be empty
};

struct LinearTrainingOptions {
  std::string method = "boost";
  TreeFeatureOptions trees;  // of lists of parses
  CutoffOptions cutoff;
  std::size_t max_candidates = 0;  // only so many of each list, from its beginning; 0: all
  int threads = 1;

  // boost, logboost
  std::vector<double> smoothing = {0.0001, 0.00025, 0.0005, 0.00075, 0.001,
                                   0.0025, 0.005,   0.0075, 0.01,    0.02};
  int rounds = 20'000;
  bool uniform = false;        // importance of pairs 1 instead of the difference of scores
  bool full_ordering = false;  // boost: pairs of neighbours in the order of scores as well
  bool keep_ties = false;      // with uniform importance: pairs of equal score
  int move_log_probability_every = 0;
  bool naive = false;  // boost: the reference algorithm
  bool exact = false;  // logboost: the exact selection, for small data

  // loglinear
  std::vector<double> variances = {0.001, 0.003, 0.01, 0.03, 0.1, 0.3};
  int max_iterations = 100;

  // perceptron: factors of the initial weight of the log probability
  std::vector<double> scales = {1, 3, 10, 30};
  int epochs = 10;
  std::uint64_t seed = 1;
};

struct TrainingOutput {
  // Lines for people.
  std::function<void(const std::string& line)> report = [](const std::string&) {};
  // Every round of every run, a line each with tabs between, the names of the columns first; unset:
  // not made.
  std::function<void(const std::string& line)> rounds;
  // Rounds, iterations or lists of all runs together; from any thread. Unset: not counted.
  WorkDone during;
};

ModelWriter train_linear_reranker(const RerankerPaths& paths, const LinearTrainingOptions& options,
                                  const TrainingOutput& output);

}  // namespace copse
