// Helpers for tests on phrase-structure trees: trees from text, random trees, data files.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "copse/base/random.h"
#include "copse/treebank/ptb.h"
#include "tests/source_dir.h"

namespace copse::tree_testing {

inline Parsed read_ptb(std::string bytes, const Limits& limits = {},
                       const PtbReadOptions& options = {}) {
  Block block;
  block.bytes = std::move(bytes);
  block.file = "test.mrg";
  return make_ptb_reader(limits, options)->parse(block);
}

// All trees of the text; a tree that cannot be read fails the test.
inline std::vector<PhraseTree> trees_of(std::string bytes) {
  std::vector<PhraseTree> trees;
  for (ReadItem& item : read_ptb(std::move(bytes)).items) {
    if (item.error) {
      ADD_FAILURE() << item.error->what();
    } else {
      trees.push_back(std::move(item.entry.tree));
    }
  }
  return trees;
}

inline PhraseTree tree_of(std::string bytes) {
  auto trees = trees_of(std::move(bytes));
  EXPECT_EQ(trees.size(), 1U);
  return trees.empty() ? PhraseTree() : std::move(trees.front());
}

inline std::string file_bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in) << path;
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// The folder of real treebanks, or "" when the environment names none.
inline std::string data_folder() {
  const char* folder = std::getenv("COPSE_DATA");
  return folder == nullptr ? "" : folder;
}

// The trees written for the project and, where there is a data folder, those of its files.
inline std::vector<std::string> tree_files() {
  std::vector<std::string> files = {source_dir() + "/fixtures/english.mrg"};
  if (const std::string folder = data_folder(); !folder.empty()) {
    for (const char* name :
         {"wsj-sample/train.mrg", "wsj-sample/dev.mrg", "gum/train.mrg", "gum/dev.mrg"}) {
      files.push_back(folder + "/" + name);
    }
  }
  return files;
}

struct RandomTreeShape {
  std::vector<std::string> labels = {"S", "NP", "VP", "NP-SBJ-1", "ADVP|PRT", "S=2", "PP"};
  std::vector<std::string> tags = {"NN", "DT", ",", "CC", "-NONE-", "VB", "-LRB-"};
  int max_depth = 6;
  int max_children = 4;
};

inline void add_random_subtree(Random& random, const RandomTreeShape& shape, int depth,
                               PhraseTreeBuilder& builder) {
  const auto pick = [&](const std::vector<std::string>& from) {
    return from[random.below(from.size())];
  };
  if (depth >= shape.max_depth || (depth > 0 && random.chance(0.4))) {
    builder.leaf(pick(shape.tags), "w" + std::to_string(random.below(100)));
    return;
  }
  builder.open(pick(shape.labels));
  const int children = random.between(1, shape.max_children);
  for (int i = 0; i < children; ++i) add_random_subtree(random, shape, depth + 1, builder);
  builder.close();
}

inline PhraseTree random_tree(Random& random, const RandomTreeShape& shape = {}) {
  PhraseTreeBuilder builder;
  add_random_subtree(random, shape, 0, builder);
  return std::move(builder).finish();
}

}  // namespace copse::tree_testing
