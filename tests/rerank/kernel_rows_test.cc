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

}  // namespace
}  // namespace copse
