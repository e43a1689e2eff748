// Helpers for tests of the spinal parser: a parser learnt from a few of the project's own trees.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "copse/constituency/gold_line.h"
#include "copse/constituency/spinal/parser_file.h"
#include "copse/constituency/spinal/training.h"
#include "copse/treebank/treebank.h"
#include "tests/source_dir.h"

namespace copse::spinal::spinal_testing {

inline const std::vector<Entry>& some_trees() {
  static const std::vector<Entry> trees = [] {
    auto all = read_treebank(source_dir() + "/fixtures/english.mrg");
    all.resize(70);
    return all;
  }();
  return trees;
}

inline TrainingOptions quick() {
  TrainingOptions options;
  options.epochs = 4;
  options.pruner.passes = 3;
  options.tag_folds = 0;
  options.pruner_folds = 0;
  options.tagger_epochs = 3;
  options.threads = 1;
  return options;
}

inline Trained learnt(const TrainingOptions& options) {
  const std::span<const Entry> trees = some_trees();
  return train(std::span(&trees, 1), options);
}

inline const SpinalParser& parser() {
  static const Trained trained = learnt(quick());
  return trained.parser;
}

inline WordsToParse words_and_tags(const Entry& entry) {
  WordsToParse out;
  for (const int leaf : entry.tree.leaves()) {
    if (entry.tree.label(leaf) == "-NONE-") continue;
    out.words.emplace_back(entry.tree.word(leaf));
    out.tags.emplace_back(entry.tree.label(leaf));
  }
  return out;
}

}  // namespace copse::spinal::spinal_testing
