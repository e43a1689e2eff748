// Helpers for tests of the constituency parsers: prepared trees and small trained models.
#pragma once

#include <string>
#include <vector>

#include "copse/constituency/generative/parser.h"
#include "copse/constituency/generative/training_trees.h"
#include "copse/constituency/gold_line.h"
#include "tests/source_dir.h"
#include "tests/treebank/tree_testing.h"

namespace copse::generative::constituency_testing {

inline PreparedTree prepared(const std::string& text, const PreparationOptions& options = {}) {
  return prepare(tree_testing::tree_of(text), HeadRules::builtin("collins"), options);
}

inline std::vector<PreparedTree> prepared_trees(const std::string& text) {
  std::vector<PreparedTree> trees;
  const HeadRules heads = HeadRules::builtin("collins");
  for (const PhraseTree& tree : tree_testing::trees_of(text)) trees.push_back(prepare(tree, heads));
  return trees;
}

inline std::vector<PreparedTree> fixture_trees() {
  return prepared_trees(tree_testing::file_bytes(source_dir() + "/fixtures/english.mrg"));
}

inline std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

// A treebank small enough to enumerate every tree of a sentence.
inline const std::string kTinyTreebank =
    "(S (NP-SBJ (NNS dogs)) (VP (VBP see) (NP (NNS cats))))\n"
    "(S (NP-SBJ (NP (NNS dogs)) (PP (IN with) (NP (NNS cats)))) (VP (VBP sleep)))\n"
    "(S (NP-SBJ (NNS cats)) (VP (VBP see) (NP (NNS dogs)) (PP (IN with) (NP (NNS cats)))))\n"
    "(S (NP-SBJ (NP (NNS cats)) (CC and) (NP (NNS dogs))) (VP (VBP sleep)))\n"
    "(S (NP-SBJ (JJ old) (NNS dogs)) (VP (VBP see) (S (NP-SBJ (NNS cats)) (VP (VBP sleep)))))\n"
    "(VP (VBP see) (S (NP-SBJ (NNS cats)) (VP (VBP sleep))) (ADVP (RB today)))\n"
    "(VP (VBP see) (NP (NNS cats)) (ADVP (RB today)))\n"
    "(NP (NP (NNS dogs)) (, ,) (NP (NNS cats)))\n";

// The head-driven model alone: what can be enumerated and computed by hand.
inline ModelOptions plain_model() {
  ModelOptions options;
  options.roots = false;
  options.tagger.epochs = 0;
  options.spans.epochs = 0;
  return options;
}

// Options that leave nothing out.
inline ParseOptions exhaustive(int k) {
  ParseOptions options;
  options.k = k;
  options.beam = 1e200;
  options.coarse_threshold = 0;
  return options;
}

}  // namespace copse::generative::constituency_testing
