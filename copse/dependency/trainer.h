// From a treebank to a dependency parser: the steps of training in order.
//
//   1. columns, labels, clusters, lexical limit            parser_words.h
//   2. trees made projective where the search is           training_sentences.h
//   3. length filter, then the first-order pruner           pruner_training.h
//   4. the parts that remain, and their features            training_problem.h
//   5. a learner, the best pass chosen on other sentences   learner_run.h, checkpoint.h
//   6. weights frozen within their budget                   weight_budget.h
//   7. the finished parser measured and calibrated          parser_judge.h
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "copse/dependency/parser.h"
#include "copse/dependency/training_history.h"
#include "copse/dependency/training_options.h"

namespace copse {

struct TrainedParser {
  DependencyParser::Parts parts;  // but for the scorer
  ParserTemplates templates;
  FrozenParserWeights weights;
  std::vector<TrainingPass> passes;
  int chosen = 0;  // number of the pass whose weights these are
  PruningReport pruning;
  std::size_t features = 0, kept_features = 0;  // with a weight; left in the model
  DependencyScores dev;                         // of the finished parser
  // Of the probabilities of arcs, and of whole trees with their labels; on the half of dev that the
  // temperatures were not chosen by.
  double calibration_error = 0, tree_calibration_error = 0;

  // The model file; `record`: its provenance, or null.
  ModelWriter model(const nlohmann::json& record) const;
  // As it will be when it has been saved and loaded.
  DependencyParser parser() const;
};

struct TrainingProgress {
  std::function<void(const std::string& step)> step;
  PrunerPass pruner_pass;
  std::function<void(const TrainingPass&)> pass;
  WorkDone during;  // sentences of a pass, the pruner's too
};

// Sentences without words, or with more than the options allow, are passed over; sentences whose
// heads are no tree must have been taken out before. Throws data_error when there is nothing to learn from, usage_error for options that do
// not go together.
TrainedParser train_dependency_parser(const std::vector<Sentence>& train,
                                      const std::vector<Sentence>& dev,
                                      const DependencyTraining& options,
                                      const TrainingProgress& progress);

}  // namespace copse
