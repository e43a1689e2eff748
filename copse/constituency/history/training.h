// The recipe of the history parser: trees in, a parser out.
//
//   tags      by taggers that have not seen the sentence (folds), those of the parser by one of all trees
//   network   -ln P of the right derivations made small:
//               sgd    one sentence a step; the rate is halved when the loss of other trees has not
//                      fallen for a pass, and so is the decay of weights; four times, then it ends
//               adam   mini-batches (Kingma & Ba 2015), the rate falling in a line over all passes;
//                      what is kept is a running mean of the weights
//             Gradients are sums in a fixed order, so that threads do not matter.
//   pass      with a measure the pass that measures best is kept, else the last
//   networks  several seeds, whose probabilities are averaged
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "copse/constituency/history/parser.h"
#include "copse/constituency/unseen_tags.h"
#include "copse/treebank/format.h"

namespace copse::history {

struct TrainingOptions {
  std::shared_ptr<const WordClusters> clusters;  // may be null
  std::string clusters_name;                     // of their file, for the record
  VocabularyOptions vocabulary;
  StepOptions steps;
  int hidden = 80;
  bool gated = true;
  int embedding = 50;              // of words by traits
  std::string optimiser = "adam";  // or "sgd"
  int epochs = 12;
  int batch = 8;                // sentences a step; sgd has always one
  double rate = 0;              // 0: the optimiser's own
  std::optional<double> decay;  // of weights, times the rate, a step; none: the optimiser's own
  double clip = 5;              // the longest gradient
  double dropout = 0.3;         // see learning/decision_masks.h
  double trait_dropout = 0;     // of words
  double role_dropout = 0;
  double averaging = 0.999;  // adam: share of the mean that stays at a step; 0: no mean
  int networks = 1;
  int beam = 10;  // while measuring
  int tag_folds = 5;
  int tagger_epochs = 6;
  std::uint64_t seed = 1;  // of the weights and the order of sentences
  std::string checkpoint;  // a file; empty: none. If it is there, training goes on from it
  int threads = 0;         // 0: every core; the result does not depend on it

  double start_decay() const { return decay.value_or(optimiser == "sgd" ? 1e-4 : 0); }
  double start_rate() const { return rate > 0 ? rate : optimiser == "sgd" ? 0.05 : 0.002; }
};

// How good a parser is on other trees; more is better, -1: not measured.
struct DevFigures {
  double all = -1;
  double odd = -1, even = -1;  // on every other tree, the first of them odd
};

struct Epoch {
  std::size_t network = 0;
  double rate = 0;
  double loss = 0;         // of the trees learnt from, a word
  double other_loss = -1;  // of other trees, a word
  DevFigures dev;
};

struct TrainingReport {
  std::size_t trees = 0, words = 0, left_out = 0, others = 0;
  std::size_t labels = 0, tags = 0, pairs = 0, traits = 0, weights = 0;
  int longest_chain = 0;
  std::size_t other_left_out = 0;  // other trees with a label that is not known
  std::vector<Epoch> epochs;       // network by network
  std::vector<std::size_t> best;   // of each network, its number among them

  std::string str() const;  // lines for people
};

struct Trained {
  HistoryParser parser;
  TrainingReport report;
};

// Tells how good a parser is; `identity` says on what, for checkpoints.
struct Measure {
  std::function<DevFigures(const HistoryParser&)> judge;
  std::string identity;
};

// Learns from several runs of trees as from one; throws data_error when no tree can be used. The loss
// of `others` is looked at after each pass; without any, sgd takes every twentieth tree for that.
// `progress` is told of each step in a line.
Trained train(std::span<const std::span<const Entry>> trees, std::span<const Entry> others,
              const TrainingOptions& options, const Measure& measure = {},
              const std::function<void(const std::string&)>& progress = {});

}  // namespace copse::history
