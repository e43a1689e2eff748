// Recipes for rerankers by kernels (Collins & Duffy 2002): lists in, model out.
//
// The lists are cut into chunks; a dual perceptron learns on each (learning/dual_perceptron.h), and
// the models of all are averaged into one, or kept to vote. Several lambdas or betas are a grid:
// each pair is trained, sharing the converted lists; the pair that is best on the development
// lists is kept, with the best weight of the log probability (kernel_selection.h). Reported is what
// each half of the lists reaches with what the other half chose.
//
// The quality of a parse is its score of graded_lists.h, F1 times the number of gold constituents:
// what loss-scaled steps are measured in.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "copse/learning/dual_perceptron.h"
#include "copse/model/model_file.h"
#include "copse/rerank/kernel_options.h"
#include "copse/rerank/linear_training.h"

namespace copse {

struct KernelTrainingOptions {
  std::string method = "tree-kernel";  // or tag-kernel, linear-kernel
  std::vector<double> lambdas = {0.3};
  std::vector<double> betas = {0.2};
  // With development lists: weights of the log probability to try (kernel_selection.h), 0 for the
  // one that was learnt. Models that vote keep what was learnt.
  std::vector<double> mixes = {0, 0.25, 0.5, 1, 2, 4, 8};
  KernelOptions kernel;              // lambda is that of the grid
  DualPerceptronOptions perceptron;  // beta is that of the grid
  int chunks = 1;
  bool vote = false;
  std::size_t max_candidates = 0;  // only the first so many of each list; 0: all
  double budget = 0;               // sub-trees whose |F| C(u,u) is below are dropped
  int threads = 1;                 // the result does not depend on it
};

// Lines for people.
using KernelReport = std::function<void(const std::string& line)>;

// Throws usage_error for options that do not fit together. `during` is told of the lists of all
// points and passes together, from any thread.
ModelWriter train_kernel_reranker(const RerankerPaths& paths, const KernelTrainingOptions& options,
                                  const KernelReport& report, const WorkDone& during = {});

}  // namespace copse
