// Helpers for tests of the history parser.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "copse/base/random.h"
#include "copse/constituency/history/parser_file.h"
#include "copse/constituency/history/training.h"
#include "copse/treebank/treebank.h"
#include "tests/source_dir.h"

namespace copse::history::history_testing {

inline const std::vector<Entry>& some_trees() {
  static const std::vector<Entry> trees = [] {
    auto all = read_treebank(source_dir() + "/fixtures/english.mrg");
    all.resize(60);
    return all;
  }();
  return trees;
}

inline TrainingOptions quick() {
  TrainingOptions options;
  options.hidden = 8;
  options.embedding = 6;
  options.epochs = 2;
  options.batch = 6;
  options.vocabulary.pair_threshold = 3;
  options.tag_folds = 0;
  options.tagger_epochs = 2;
  options.threads = 1;
  return options;
}

inline Trained learnt(const TrainingOptions& options, std::span<const Entry> trees) {
  return train(std::span(&trees, 1), {}, options);
}

// A vocabulary of a few labels and tags A, B, C with words that are the same.
inline Vocabulary small_vocabulary(int labels, int tags, const VocabularyOptions& options) {
  Vocabulary out(options);
  for (int i = 0; i < labels; ++i) out.labels().add(std::string(1, static_cast<char>('X' + i)));
  std::vector<std::string> names;
  for (int i = 0; i < tags; ++i) names.emplace_back(1, static_cast<char>('A' + i));
  out.count(names, names, nullptr);
  out.finish();
  return out;
}

inline std::shared_ptr<DecisionNetwork<float>> random_network(const StepMaker& steps, bool gated,
                                                              std::uint64_t seed) {
  NetworkShape shape;
  shape.hidden = 5;
  shape.embedding = 4;
  shape.gated = gated;
  steps.fill(shape);
  auto out = std::make_shared<DecisionNetwork<float>>(shape);
  out->start(seed, 1.0);
  return out;
}

}  // namespace copse::history::history_testing
