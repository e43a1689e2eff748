#include "copse/rerank/kernel_rows.h"

#include <gtest/gtest.h>

#include <span>

#include "copse/rerank/tree_kernel.h"
#include "tests/rerank/random_trees.h"

namespace copse {
namespace {

TEST(KernelRows, EqualTheKernelPairByPair) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Productions productions;
    std::vector<TreeForest> lists;
    std::vector<KernelTree> trees;
    for (int i = 0; i < 8; ++i) {
      TreeListBuilder builder(productions);
      const int size = random.between(1, 3);
      for (int j = 0; j < size; ++j) builder.add(random_tree(random));
      lists.push_back(builder.finish());
      for (std::size_t j = 0; j < lists.back().size(); ++j) trees.emplace_back(lists.back(), j);
    }
    for (const double lambda : {0.0, 0.3, 1.0}) {
      const KernelRows rows(std::span<const TreeForest>(lists).first(6),
                            lambda);  // the others are new to it
      KernelRows::Scratch scratch;
      TreeKernelScratch pair;
      std::vector<double> row(rows.size());
      std::size_t x = 0;
      for (const TreeForest& list : lists) {
        for (std::size_t j = 0; j < list.size(); ++j, ++x) {
          rows.row(list, j, row, scratch);
          for (std::size_t y = 0; y < rows.size(); ++y) {
            const double expected = tree_kernel(trees[x], trees[y], lambda, pair);
            EXPECT_NEAR(row[y], expected, 1e-9 * (1 + expected));
          }
        }
      }
    }
  }
}

// Places of children are told apart however many there are.
TEST(KernelRows, VeryWideTrees) {
  const auto wide = [](const std::string& label, const std::string& word) {
    PhraseTreeBuilder tree;
    tree.open(label);
    for (int i = 0; i < 300; ++i) {
      tree.open("A");
      tree.leaf("B", word);
      tree.close();
    }
    tree.close();
    return std::move(tree).finish();
  };
  Productions productions;
  std::vector<TreeForest> lists;
  std::vector<KernelTree> trees;
  for (const std::string label : {"W", "X", "Y", "Z"}) {
    for (const std::string word : {"b", "c"}) {
      if (word == "b" && (label == "X" || label == "Z")) continue;
      TreeListBuilder builder(productions);
      builder.add(wide(label, word));
      lists.push_back(builder.finish());
      trees.emplace_back(lists.back(), 0);
    }
  }
  const double lambda = 0.01;
  const KernelRows rows(lists, lambda);
  KernelRows::Scratch scratch;
  TreeKernelScratch pair;
  std::vector<double> row(rows.size());
  for (std::size_t x = 0; x < lists.size(); ++x) {
    rows.row(lists[x], 0, row, scratch);
    for (std::size_t y = 0; y < lists.size(); ++y) {
      EXPECT_NEAR(row[y], tree_kernel(trees[x], trees[y], lambda, pair), 1e-9 * row[y]);
    }
  }
}

}  // namespace
}  // namespace copse
