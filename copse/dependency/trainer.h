// From a treebank to a dependency parser: the steps of training in order.
//
//   1. columns, labels, clusters, lexical limit            parser_words.h
//   2. trees made projective where the search is           treebank/projectivity.h
//   3. length filter, then the first-order pruner           length_filter.h, arc_pruner.h
//   4. the parts that remain, and their features            training_problem.h
//   5. a learner, the best pass chosen on other sentences   learning/
//   6. weights frozen, probabilities calibrated             parser.h
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "copse/cluster/word_clusters.h"
#include "copse/dependency/learner_run.h"
#include "copse/dependency/parser.h"
#include "copse/dependency/training_problem.h"

namespace copse {

struct PrunerTraining {
  double threshold = 2e-3;  // 0: no pruner
  // The threshold is raised until the features of the training data take about so many bytes. 0: it
  // stays as it is.
  std::size_t feature_bytes = 0;
  int passes = 4;
  double rate = 0.1;
  double variance = 1;
  // Of its features: one for so many words of training data, but within these bounds.
  int words_per_count = 7000;
  int least_count = 2, most_count = 30;
  bool filter = true;  // by length
};

struct DependencyTraining {
  TreeKind kind{Factorisation::model1, RootRule::single, true};
  bool nonprojective = false;  // with kind.projective: by lifted arcs and marks in their labels
  bool labelled = true;
  bool tags = true;
  LearnerOptions learner;
  int patience = 3;  // passes without gain on dev that end it
  FeatureSelection selection{10, 5, 20};
  PrunerTraining pruner;
  std::string templates, templates_name;            // as text; empty: the built-in ones
  bool more_templates = false;                      // beside the built-in ones, not instead
  std::size_t lexical_limit = 0;                    // most frequent words whose forms count; 0: all
  std::size_t model_bytes = std::size_t{36} << 20;  // for the weights of the model; 0: no limit
  std::shared_ptr<const WordClusters> clusters;
  int threads = 1;
  std::string checkpoint;  // file; empty: none. If it is there, training goes on from it
  std::string identity;    // of data and options: a checkpoint of another one is refused
};

struct DependencyScores {
  std::size_t words = 0, heads = 0, labels = 0;
  double uas() const { return percent(heads); }
  double las() const { return percent(labels); }

 private:
  double percent(std::size_t right) const {
    return words == 0 ? 0 : 100.0 * static_cast<double>(right) / static_cast<double>(words);
  }
};

struct TrainingPass {
  int pass = 0;
  double loss = 0;
  DependencyScores dev;
  double seconds = 0;
};

struct PruningReport {
  double train_arcs = 0, dev_arcs = 0;  // kept per word
  double dev_lost = 0;                  // share of gold arcs pruned, in percent
};

struct TrainedParser {
  DependencyParser::Parts parts;
  ParserTemplates templates;
  FrozenParserWeights weights;
  std::vector<TrainingPass> passes;
  int chosen = 0;  // number of the pass whose weights these are
  PruningReport pruning;
  std::size_t features = 0, kept_features = 0;  // with a weight; left in the model
  double calibration_error = 0;  // of arc probabilities on dev, after choosing the temperature
};

struct TrainingProgress {
  std::function<void(const std::string& step)> step;
  std::function<void(const TrainingPass&)> pass;
};

// Sentences without words are passed over; sentences whose heads are no tree must have been taken
// out before. Throws data_error when there is nothing to learn from.
TrainedParser train_dependency_parser(const std::vector<Sentence>& train,
                                      const std::vector<Sentence>& dev,
                                      const DependencyTraining& options,
                                      const TrainingProgress& progress);

}  // namespace copse
