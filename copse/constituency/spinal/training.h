// The recipe of the spinal parser: trees in, a parser out.
//
//   tags        by taggers that have not seen the sentence (folds), those of the parser by one of
//               all trees
//   pruner      log-linear, on those tags; right adjunctions that it would prune are put back
//   weights     averaged, learnt in passes over the trees (learner.h)
//
// With a checkpoint the state of the weights is saved after each pass, and a later run with the same
// trees and options goes on from there to the same model. Taggers and pruners are learnt again, and
// come out the same, unless they are kept as well (preparation.h).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "copse/constituency/spinal/parser.h"
#include "copse/treebank/format.h"

namespace copse::spinal {

struct TrainingOptions {
  std::shared_ptr<const WordClusters> clusters;  // may be null
  std::string clusters_name;                     // of their file, for the record
  std::string heads = "collins";                 // the name of a head table, or a file
  ModelOptions model;
  PrunerOptions pruner;
  // Of trees that the pruner was learnt from: looser than in use, because it is surer of them, so that
  // there is enough to be told from gold.
  double training_alpha = 1e-7;
  int epochs = 0;                 // over all trees; 0: by their number, see passes_over()
  int batch = 8;                  // sentences answered for the same weights
  bool mira = true;               // else the perceptron
  double cost = 1;                // margin for each wrong adjunction
  double aggressiveness = 0.001;  // mira: the longest step
  int tag_folds = 5;              // 0: the tags of the trees
  int tagger_epochs = 6;
  // Learn from what pruners leave that have not seen the sentence; 0: that of the model itself.
  int pruner_folds = 0;
  int max_length = 120;    // longer sentences are not learnt from
  std::uint64_t seed = 1;  // of the order of sentences
  std::string checkpoint;  // a file; empty: none. If it is there, training goes on from it
  std::string prepared;    // a file for tags, tagger and pruner; taken from it if it is there
  int threads = 0;         // 0: every core; the result does not depend on it

  // 8 for a few thousand trees, 4 for many: those teach more in each.
  int passes_over(std::size_t trees) const;
};

struct TrainingReport {
  std::size_t trees = 0, words = 0, left_out = 0;
  std::size_t labels = 0, chains = 0, adjunctions = 0;
  double coverage = 0;  // of right adjunctions by the pruner, in percent
  double active = 0;    // surviving adjunctions for each word
  std::size_t features = 0;
  std::vector<double> mistakes;  // wrong adjunctions in each epoch, in percent of the words

  std::string str() const;  // lines for people
};

struct Trained {
  SpinalParser parser;
  TrainingReport report;
  std::string heads;  // the head table for the model's record
};

// Learns from several runs of trees as from one; throws data_error when no tree can be used.
// `progress` is told of each step in a line.
Trained train(std::span<const std::span<const Entry>> trees, const TrainingOptions& options,
              const std::function<void(const std::string&)>& progress = {});

}  // namespace copse::spinal
