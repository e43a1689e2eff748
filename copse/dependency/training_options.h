// How a dependency parser is trained, with the defaults. What is not set is chosen by the learner
// or the order: with_defaults() says how.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>

#include "copse/base/group.h"
#include "copse/cluster/word_clusters.h"
#include "copse/dependency/feature_numbers.h"
#include "copse/dependency/learner_run.h"
#include "copse/dependency/pruner_training.h"
#include "copse/inference/tree_search.h"
#include "copse/treebank/sentence.h"

namespace copse {

struct DependencyTraining {
  TreeKind kind{Factorisation::model1, RootRule::single, true};
  // Of the first order by spanning trees, of higher orders by dual decomposition.
  bool nonprojective = false;
  // Projective trees of any order whose arcs were lifted, with marks in their labels that say how to
  // undo it (pseudo-projective parsing; Nivre & Nilsson 2005).
  bool lifted = false;
  // Dual decomposition: learn from what the head automata choose, each for itself (Koo et al.
  // 2010), instead of from trees.
  bool over_automata = false;
  bool labelled = true;
  bool tags = true;  // false: neither tags nor anything else that a tagger would have to say
  LearnerOptions learner;
  int patience = 0;  // passes without gain on dev that end it; 0: as the learner needs
  FeatureSelection selection{10, 5, 20};
  PrunerTraining pruner;
  std::string templates, templates_name;  // as text; empty: the built-in ones
  bool more_templates = false;            // beside the built-in ones, not instead
  // For the weights of the model: the smallest are left out. 0: no limit; not set: 30, for the
  // first order 14.
  std::optional<double> model_megabytes;
  std::shared_ptr<const WordClusters> clusters;
  std::string clusters_name;  // of their file, for the record
  // Most frequent words whose forms count; 0: all. Not set: all, with clusters 800 (Koo et al.
  // 2008).
  std::optional<std::size_t> lexical_limit;
  // Words; longer sentences are not learnt from. Before the pruner has learnt anything every pair of
  // words is a possible arc: one sentence of 5,000 would take more memory than a whole treebank.
  int longest = 600;
  int threads = 1;
  std::string checkpoint;  // file; empty: none. If it is there, training goes on from it
  // The processes that train together, all with the same data and options; null: this one alone.
  // Must outlive the training. The leader has the finished parser, writes the checkpoint, and reads
  // it for all.
  Group* group = nullptr;
};

// Everything set. Throws usage_error for what does not go together.
DependencyTraining with_defaults(DependencyTraining options);

// The record of the options that a model keeps; of options with their defaults.
nlohmann::json record_of(const DependencyTraining& options);

// Differs when the data or any option that the learnt weights depend on differ, but not with the
// number of passes: who may go on from whose checkpoint. Of options with their defaults.
std::string identity_of(std::span<const Sentence> train, std::span<const Sentence> dev,
                        const DependencyTraining& options);

std::size_t bytes_of(double megabytes);

}  // namespace copse
