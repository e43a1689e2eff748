// The recipe of the hidden-variable reranker: lists in, model out.
//
// Stochastic gradient over the lists in an order drawn anew for each epoch, a batch of them a step,
//
//   rate_t = rate / (1 + t / n)      t lists seen, n all
//   w     <- (1 - rate_t / (n variance)) w - rate_t slope      for each list of the batch
//
// which is the gradient of the loss plus |w|^2 / (2 variance). The slopes of a batch are taken at the
// same weights, by any number of threads, and added in the order of the lists.
//
// All weights at 0 are a saddle: the values of a family have the same slopes for ever. So weights start
// at random, a hash of their feature, uniform in [-noise, noise]; or first the model without hidden
// values is learnt (the weights of a block move together) and noise added to it.
//
// After each epoch the weights, rounded as they are kept in the model, choose on the development
// lists, together with the log probability at the weight that is best there (line_search.h).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "copse/base/pace.h"
#include "copse/rerank/hidden/domains.h"
#include "copse/rerank/hidden/hidden_reranker.h"
#include "copse/rerank/hidden/objective.h"
#include "copse/rerank/linear_training.h"

namespace copse::hidden {

enum class Start { random, plain };

struct TrainingOptions {
  DomainOptions domain;
  GraphKind graph = GraphKind::dependency;
  std::string head_table = "collins";          // the name of a built-in table or a path
  std::string templates;                       // a table; empty: the built-in one
  std::string wordnet = Supersenses::kFolder;  // supersense: the folder of its files
  std::string clusters;                        // cluster: a file of paths
  int min_lists = 5;                           // features in fewer lists have no weights
  bool whole = false;                          // features of whole candidates as well:
  TreeFeatureOptions trees;                    // of parses; heads are those of head_table
  std::size_t max_candidates = 0;  // only so many of each list, from its beginning; 0: all
  bool sharing = true;             // of potentials and messages; changes the time alone

  Loss loss = Loss::likelihood;
  double temperature = 1;  // of a graded loss
  double base = 1;         // a0 of the exponent, while learning
  int epochs = 10;
  int patience = 3;  // epochs without a better choice on the development lists; then it ends
  std::vector<double> rates = {0.002, 0.005, 0.01, 0.02,
                               0.05};    // the best of several after an epoch on a tenth
  std::vector<double> variances = {10};  // each is learnt with; 0: without a prior
  Start start = Start::plain;
  int plain_epochs = 3;  // of the model without hidden values
  double noise = 0.01;
  int average_from = 2;  // average the weights from this epoch on; 0: never
  int batch = 16;
  std::uint64_t seed = 1;
  int threads = 1;

  std::string checkpoint;  // a file; empty: none. If it is there, training goes on from it
};

// Throws usage_error for options out of range.
ModelWriter train_hidden_reranker(const RerankerPaths& paths, const TrainingOptions& options,
                                  const TrainingOutput& output);

}  // namespace copse::hidden
