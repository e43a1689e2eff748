// What a pruner leaves and loses, against trees whose figures are known beforehand.
#include "copse/constituency/spinal/pruning_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/constituency/spinal/spinal_testing.h"
#include "tests/treebank/tree_testing.h"

namespace copse::spinal {
namespace {

using spinal_testing::parser;
using spinal_testing::some_trees;

std::vector<PruningFigures> report(std::span<const Entry> gold, int threads = 1) {
  const std::vector<double> alphas = {1e-1, 1e-3, 1e-6, 0};
  return pruning_report(parser(), gold, alphas, threads);
}

TEST(SpinalPruning, LooserLeavesMoreAndLosesLess) {
  const auto figures = report(some_trees());
  ASSERT_EQ(figures.size(), 4U);
  for (std::size_t k = 1; k < figures.size(); ++k) {
    EXPECT_GT(figures[k].active, figures[k - 1].active);
    EXPECT_GE(figures[k].covered, figures[k - 1].covered);
    EXPECT_GE(figures[k].coverage(), figures[k - 1].coverage());
  }
  EXPECT_GE(figures[2].oracle.f1(), figures[0].oracle.f1());
  // Every kind of adjunction of these trees has been seen: without a threshold only the arc model
  // and the tagger lose anything.
  EXPECT_GT(figures[3].coverage(), 98);
  EXPECT_GT(figures[3].oracle.f1(), 98);
  EXPECT_LE(figures[3].active_percent(), 100);
}

TEST(SpinalPruning, ASentenceThatIsWhollyCovered) {
  const std::span<const Entry> trees = some_trees();
  std::size_t whole = 0;
  for (std::size_t i = 0; i < 20; ++i) {
    const PruningFigures figures = report(trees.subspan(i, 1))[3];
    if (figures.covered != figures.words) continue;
    ++whole;
    EXPECT_EQ(figures.coverage(), 100);
    EXPECT_EQ(figures.oracle.f1(), 100);
  }
  EXPECT_GT(whole, 10U);
}

TEST(SpinalPruning, KindsNeverSeenAreLost) {
  Entry odd;
  odd.tree = tree_testing::tree_of("(TOP (QQ (ZZ (NN rain)) (WW (NN rain))))");
  const PruningFigures figures = report(std::span(&odd, 1))[3];
  EXPECT_EQ(figures.words, 2U);
  EXPECT_EQ(figures.covered, 0U);
  EXPECT_GT(figures.active, 0U);
}

TEST(SpinalPruning, ThreadsAndEmptyTreesDoNotMatter) {
  std::vector<Entry> trees(some_trees().begin(), some_trees().begin() + 12);
  const auto one = report(trees);
  trees.insert(trees.begin() + 4, Entry());
  const auto two = report(trees, 2);
  for (std::size_t k = 0; k < one.size(); ++k) EXPECT_EQ(one[k].json(), two[k].json());
  EXPECT_EQ(pruning_table(one), pruning_table(two));
}

}  // namespace
}  // namespace copse::spinal
