// The recipe of Fisher and TOP rerankers: lists in, model out.
//
// Each list is looked at once in a pass; its gradients are made by threads, the perceptron goes
// through the lists in order. What is kept is the average of the weights after each list; with
// development lists the weight of the base is set again as for other kernels (kernel_selection.h). Or
// all weights are kept and vote (voted_rows.h).
// Qualities are F1 in percent against gold; their scale makes no difference.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "copse/base/pace.h"
#include "copse/model/model_file.h"
#include "copse/rerank/linear_training.h"

namespace copse {

struct TopTrainingOptions {
  std::string method = "top-efficient";  // or fisher, top
  std::string model = {};                // of a history or generative parser; empty: of rules
  int epochs = 1;
  double cap = 0;  // of 1 / (1 - p); 0: none
  bool vote = false;
  // With development lists: weights of the base to try, in units of the spreads; 0: as learnt.
  std::vector<double> mixes = {0, 0.25, 0.5, 1, 2, 4, 8};
  std::size_t max_candidates = 20;  // of each list, from its beginning; 0: all
  int threads = 1;                  // the result does not depend on it
};

// Throws usage_error for options that do not fit together.
ModelWriter train_top_reranker(const RerankerPaths& paths, const TopTrainingOptions& options,
                               const std::function<void(const std::string&)>& report,
                               const WorkDone& during = {});

}  // namespace copse
