// Recipes for linear rerankers: lists in, model out.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "copse/rerank/linear_reranker.h"
#include "copse/rerank/ranking_data.h"

namespace copse {

struct RerankerPaths {
  std::string lists, gold;          // training
  std::string dev_lists, dev_gold;  // development, by which is chosen; may be empty
};

struct LinearTrainingOptions {
  std::string method = "perceptron";
  CutoffOptions cutoff;
  int epochs = 10;                    // perceptron
  double log_probability_weight = 1;  // perceptron: a0
  std::uint64_t seed = 1;
  int threads = 1;
};

// How good a choice from lists is.
struct ListFigures {
  std::size_t lists = 0, candidates = 0, without_best = 0, duplicates = 0;
  double score_baseline = 0;  // sum of the scores of the most probable candidates
  double score_oracle = 0;    // of the best ones
  double score = 0;           // of the chosen ones
  bool counted = false;       // parses: F1 in percent
  double f1_baseline = 0, f1_oracle = 0, f1 = 0;

  // "dev: 434 lists of 48.9 candidates; score 100.00 to 101.80 (oracle 110.20)"
  std::string str(std::string_view name) const;
};

// The figures of choosing by a0 L + w.h; ties: the higher log probability, then the first.
ListFigures measure(const RankingData& data, double log_probability_weight,
                    std::span<const double> weights);

// `report` gets lines for people.
using TrainingReport = std::function<void(const std::string& line)>;
ModelWriter train_linear_reranker(const RerankerPaths& paths, const LinearTrainingOptions& options,
                                  const TrainingReport& report);

}  // namespace copse
