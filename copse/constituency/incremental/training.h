// The recipe of the incremental parser: trees in, a parser out.
//
//   tags       by taggers that have not seen the sentence (folds), those of the parser by one of all
//              trees
//   grammar    chains and triples of the transformed trees with those tags
//   weights    the averaged perceptron: w += f(gold) - f(best), both up to some word of the sentence:
//                early           where gold falls out of the beam (Collins & Roark 2004), else the end
//                max-violation   where the best is furthest ahead of gold (Huang et al. 2012)
//                full            the end
//              Candidates may be kept and learnt from again (`cache`), T1 and T2 of the paper.
//              Sentences of a batch are answered for the same weights by all threads, changes made
//              in their order.
//   mix        the weight of the generative model: given, or the best of several on other trees
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "copse/constituency/incremental/parser.h"
#include "copse/constituency/unseen_tags.h"
#include "copse/treebank/format.h"

namespace copse::incremental {

struct CacheOptions {
  int rounds = 0;       // T1, over all entries after `every` sentences; 0: no cache
  int uses = 50;        // T2, updates of an entry
  int every = 500;      // sentences between rounds
  int entries = 2000;   // most that are kept
  int candidates = 16;  // of each
};

struct TrainingOptions {
  std::shared_ptr<const WordClusters> clusters;  // may be null
  std::string clusters_name;                     // of their file, for the record
  std::string heads = "collins";                 // the name of a head table, or a file
  ModelOptions model;
  // Weights of the generative model to try, a training each; empty: that of `model`.
  std::vector<double> mix_grid;
  CompanionOptions companion;
  int epochs = 8;
  // The longest step of the passive-aggressive rule; 0: the perceptron's, always 1.
  double aggressiveness = 0;
  int beam = 16;                         // while learning
  std::string update = "max-violation";  // or "early" or "full"
  CacheOptions cache;
  int batch = 8;  // sentences answered for the same weights
  int tag_folds = 5;
  int tagger_epochs = 6;
  int generative_folds = 10;
  int patience = 3;        // epochs without gain on other trees
  std::uint64_t seed = 1;  // of the order of sentences
  std::string checkpoint;  // a file; empty: none. If it is there, training goes on from it
  int threads = 0;         // 0: every core; the result does not depend on it

  std::vector<double> mixes() const {
    return mix_grid.empty() ? std::vector<double>{model.generative_weight} : mix_grid;
  }
};

// How good a parser is on other trees; more is better, -1: not measured.
struct DevFigures {
  double all = -1;
  double odd = -1, even = -1;  // on every other tree, the first of them odd
};

struct Epoch {
  std::size_t run = 0;       // number of its weight of the generative model
  double mix = 0;            // that weight
  std::size_t wrong = 0;     // sentences with an update
  std::size_t lost = 0;      // sentences whose gold tree fell out of the beam
  std::size_t features = 0;  // with a weight
  DevFigures dev;
};

struct TrainingReport {
  std::size_t trees = 0, words = 0, left_out = 0;
  std::size_t labels = 0, chains = 0, chains_in_use = 0, triples = 0;
  // Steps of the right trees whose chain is not in use, and trees with one.
  std::size_t unreachable_steps = 0, unreachable_trees = 0;
  std::size_t features = 0;
  std::vector<Epoch> epochs;  // run by run
  std::size_t best = 0;       // its number among them

  std::string str() const;  // lines for people
};

struct Trained {
  IncrementalParser parser;
  TrainingReport report;
  std::string heads;  // the head table for the model's record
};

// Tells how good a parser is; `identity` says on what, for checkpoints.
struct Measure {
  std::function<DevFigures(const IncrementalParser&)> judge;
  std::string identity;
};

// Learns from several runs of trees as from one; throws data_error when no tree can be used. With a
// measure the parser is that of the epoch that measured best. `progress` is told of each step in a
// line.
Trained train(std::span<const std::span<const Entry>> trees, const TrainingOptions& options,
              const Measure& measure = {},
              const std::function<void(const std::string&)>& progress = {});

}  // namespace copse::incremental
