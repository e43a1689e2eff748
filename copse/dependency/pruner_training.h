// Training with a pruner: the first-order model that it needs, how strict it is, and the arcs that
// it leaves of a treebank.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "copse/base/pace.h"
#include "copse/base/thread_team.h"
#include "copse/dependency/arc_pruner.h"
#include "copse/dependency/learner_run.h"
#include "copse/dependency/part_features.h"
#include "copse/dependency/training_problem.h"
#include "copse/dependency/training_sentences.h"

namespace copse {

struct PrunerTraining {
  std::optional<double> threshold;  // 0: no pruner; not set: 0.001 or 0.005 (training_options.cc)
  // Of the parser that comes out, if that is more; not set: as in training where the threshold is
  // set, 0.02 where arcs may cross, else the strictest one that loses nothing on dev
  // (use_threshold.h).
  std::optional<double> use_threshold;
  bool dev_may_choose = false;  // the threshold is the default one, not set by anybody
  // The threshold is raised until the features of the training data take about so much. 0: it stays
  // as it is, which is the default where a threshold is set; else 412, for the first order 124.
  std::optional<double> feature_megabytes;
  // One that has probabilities: loglinear-sgd, eg-loglinear (Koo & Collins 2010) or loglinear.
  DependencyLearner learner = DependencyLearner::log_linear_sgd;
  int passes = 4;
  double rate = 0.1;    // loglinear-sgd
  double variance = 1;  // ... ; the others have their own
  // Of its features: one for so many words of training data, but within these bounds.
  int words_per_count = 7000;
  int least_count = 2, most_count = 30;
  bool filter = true;  // by length and by tags
};

struct PruningReport {
  double train_arcs = 0, dev_arcs = 0;  // kept per word
  double dev_lost = 0;                  // share of gold arcs pruned, in percent
  // Of the parser that comes out: how strict it is, and the same of dev.
  double use_threshold = 0, use_arcs = 0, use_lost = 0;
};

struct TrainedPruner {
  ArcPruner pruner;
  std::string weights;  // frozen; empty without a threshold
};

// After a pass over so many sentences.
using PrunerPass = std::function<void(int pass, std::size_t sentences)>;

struct PrunerSetting {
  PrunerTraining training;
  TreeKind kind;
  const WordClusters* clusters = nullptr;
  std::string templates;         // as text
  std::size_t weight_bytes = 0;  // at most
  std::uint64_t seed = 1;
  PrunerPass pass;  // told of each pass, if it is set
  WorkDone during;  // ... and of the sentences of a pass
};
// The members of a group share the work: all call it with the same, and all have the pruner.
TrainedPruner train_pruner(const std::vector<TrainingSentence>& sentences,
                           const PrunerSetting& setting, Workers workers);

// What the pruner leaves. Sentences to learn from keep the arcs of their tree.
std::vector<ProblemSentence> pruned(const std::vector<TrainingSentence>& sentences,
                                    const ArcPruner& pruner, const WordClusters* clusters,
                                    ThreadTeam& team);

struct PrunedArcs {
  double kept = 0;  // per word
  double lost = 0;  // share of gold arcs pruned, in percent
};
PrunedArcs count_arcs(const std::vector<ProblemSentence>& pruned,
                      const std::vector<TrainingSentence>& sentences);

// Memory and time of training grow with the features of all surviving parts: a large treebank gets
// a stricter pruner. Raises its threshold until these features take about so many bytes, estimated
// from a sample.
void fit_threshold(const std::vector<TrainingSentence>& sentences, const PartFeatures& features,
                   const TreeKind& kind, const WordClusters* clusters, std::size_t bytes,
                   ArcPruner& pruner);

}  // namespace copse
