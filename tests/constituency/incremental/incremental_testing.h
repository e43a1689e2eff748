// Helpers for tests of the incremental parser: a grammar and a parser learnt from a few of the
// project's own trees.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "copse/constituency/incremental/parser_file.h"
#include "copse/constituency/incremental/training.h"
#include "copse/treebank/clean.h"
#include "copse/treebank/left_corner.h"
#include "copse/treebank/treebank.h"
#include "tests/source_dir.h"

namespace copse::incremental::incremental_testing {

inline const std::vector<Entry>& some_trees() {
  static const std::vector<Entry> trees = [] {
    auto all = read_treebank(source_dir() + "/fixtures/english.mrg");
    all.resize(60);
    return all;
  }();
  return trees;
}

// Clean, under TOP.
inline PhraseTree prepared(const PhraseTree& tree) {
  return under_top(clean(tree).tree);
}
inline TrainingOptions quick() {
  TrainingOptions options;
  options.epochs = 6;
  options.beam = 8;
  options.tag_folds = 0;
  options.generative_folds = 2;
  options.tagger_epochs = 3;
  options.threads = 1;
  return options;
}

inline Trained learnt(const TrainingOptions& options) {
  const std::span<const Entry> trees = some_trees();
  return train(std::span(&trees, 1), options);
}

}  // namespace copse::incremental::incremental_testing
