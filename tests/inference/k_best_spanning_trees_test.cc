#include "copse/inference/k_best_spanning_trees.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "copse/base/random.h"
#include "tests/inference/all_trees.h"
#include "tests/repeats.h"

namespace copse {
namespace {

using oracle::all_spanning_trees;
using oracle::random_mask;
using oracle::random_scores;
using oracle::scored_trees;

constexpr RootRule kRootRules[] = {RootRule::single, RootRule::multi};

std::pair<std::vector<int>, std::vector<int>> key(const ArcTree& tree) {
  return {tree.heads, tree.labels};
}

// The list is the sorted enumeration: the same scores at every rank, each tree a different member
// of the enumeration with just that score.
void ExpectSortedEnumeration(const std::vector<Scored<ArcTree>>& list,
                             std::vector<Scored<ArcTree>> all, std::size_t k) {
  std::sort(all.begin(), all.end(), [](auto& a, auto& b) { return a.score > b.score; });
  ASSERT_EQ(list.size(), std::min(k, all.size()));
  std::map<std::pair<std::vector<int>, std::vector<int>>, double> score_of;
  for (const auto& tree : all) score_of[key(tree.item)] = tree.score;
  std::set<std::pair<std::vector<int>, std::vector<int>>> seen;
  for (std::size_t i = 0; i < list.size(); ++i) {
    EXPECT_NEAR(list[i].score, all[i].score, 1e-9) << "rank " << i;
    ASSERT_TRUE(score_of.count(key(list[i].item))) << "rank " << i;
    EXPECT_EQ(list[i].score, score_of[key(list[i].item)]) << "rank " << i;
    EXPECT_TRUE(seen.insert(key(list[i].item)).second) << "twice in the list, rank " << i;
  }
}

TEST(KBestSpanningTrees, WholeListEqualsTheSortedEnumeration) {
  for (const RootRule root : kRootRules)
    for (int words = 0; words <= 5; ++words) {
      const auto trees = all_spanning_trees(words, root);
      for (int seed = 0; seed < (words == 5 ? 6 : 40); ++seed) {
        SCOPED_TRACE(testing::Message() << "words=" << words << " seed=" << seed);
        Random random(seed);
        const auto scores = random_scores(words, 1, seed % 3 == 0 ? 0 : 1, random);
        const auto mask = random_mask(words, seed % 2 * 0.35, random);
        const auto all = scored_trees(trees, scores, mask);
        const auto found = k_best_spanning_trees(scores, mask, root, 100000);
        EXPECT_EQ(found.status, all.empty() ? SearchStatus::no_tree : SearchStatus::ok);
        ExpectSortedEnumeration(found.trees, all, 100000);
      }
    }
}

TEST(KBestSpanningTrees, ShortListsEqualTheSortedEnumerationOfSixWords) {
  for (const RootRule root : kRootRules) {
    const auto trees = all_spanning_trees(6, root);
    for (int seed = 0; seed < repeats(10, 3); ++seed) {
      SCOPED_TRACE(seed);
      Random random(seed);
      const auto scores = random_scores(6, 1, seed % 3 == 0 ? 0 : 2, random);
      const auto mask = random_mask(6, seed % 2 * 0.3, random);
      const auto found = k_best_spanning_trees(scores, mask, root, 200);
      ExpectSortedEnumeration(found.trees, scored_trees(trees, scores, mask), 200);
    }
  }
}

TEST(KBestSpanningTrees, LabelledListEqualsTheSortedEnumeration) {
  for (const RootRule root : kRootRules)
    for (int words = 1; words <= 4; ++words) {
      const auto trees = all_spanning_trees(words, root);
      for (int seed = 0; seed < (words == 4 ? 4 : 30); ++seed) {
        SCOPED_TRACE(testing::Message() << "words=" << words << " seed=" << seed);
        Random random(seed);
        auto scores = random_scores(words, 2 + seed % 2, seed % 3, random);
        for (double& score : scores.values())
          if (random.chance(0.1)) score = kMinusInfinity;
        if (seed % 4 == 0) require_label(scores, words, 1);
        const auto mask = random_mask(words, seed % 2 * 0.2, random);
        const auto found = k_best_spanning_trees(scores, mask, root, 3000);
        ExpectSortedEnumeration(found.trees, scored_trees(trees, scores, mask), 3000);
      }
    }
}

TEST(KBestSpanningTrees, RequiredArcsHoldInEveryTree) {
  Random random(5);
  const auto scores = random_scores(5, 1, 1, random);
  ArcMask mask(5);
  mask.require(4, 2);
  const auto found = k_best_spanning_trees(scores, mask, RootRule::single, 1000);
  ExpectSortedEnumeration(
      found.trees, scored_trees(all_spanning_trees(5, RootRule::single), scores, mask), 1000);
  for (const auto& tree : found.trees) EXPECT_EQ(tree.item.heads[2], 4);
}

TEST(KBestSpanningTrees, ListsAreNestedAndReproducible) {
  Random random(3);
  for (const double spread : {0.0, 1.0}) {
    const auto scores = random_scores(12, 2, spread, random);
    const auto longer = k_best_spanning_trees(scores, ArcMask(12), RootRule::single, 60);
    for (int k = 0; k <= 60; k += 7) {
      const auto shorter = k_best_spanning_trees(scores, ArcMask(12), RootRule::single, k);
      ASSERT_EQ(shorter.trees.size(), static_cast<std::size_t>(k));
      for (int i = 0; i < k; ++i) EXPECT_EQ(shorter.trees[i].item, longer.trees[i].item);
    }
  }
}

TEST(KBestSpanningTrees, FirstTreeIsTheBestTreeAndScoresFall) {
  Random random(4);
  SpanningTreeSearch search;
  for (const RootRule root : kRootRules) {
    const auto scores = random_scores(40, 1, 1, random);
    const auto found = k_best_spanning_trees(scores, ArcMask(40), root, 50);
    ASSERT_EQ(found.trees.size(), 50U);
    EXPECT_EQ(found.trees[0].item, search.best(scores, ArcMask(40), root).tree);
    for (std::size_t i = 0; i < found.trees.size(); ++i) {
      EXPECT_TRUE(oracle::is_tree(found.trees[i].item.heads, root));
      EXPECT_TRUE(i == 0 || found.trees[i].score <= found.trees[i - 1].score);
    }
  }
}

TEST(KBestSpanningTrees, EdgesOfTheInput) {
  const auto empty = k_best_spanning_trees(ArcScores(0), ArcMask(0), RootRule::single, 5);
  EXPECT_EQ(empty.status, SearchStatus::ok);
  EXPECT_EQ(empty.trees.size(), 1U);
  const auto one = k_best_spanning_trees(ArcScores(1, 3), ArcMask(1), RootRule::multi, 5);
  EXPECT_EQ(one.trees.size(), 3U);  // one tree, three labels
  EXPECT_EQ(one.trees[0].item.labels[1], 0);
  const auto none = k_best_spanning_trees(ArcScores(2), ArcMask::none(2), RootRule::multi, 5);
  EXPECT_EQ(none.status, SearchStatus::no_tree);
  EXPECT_TRUE(none.trees.empty());
  ArcScores bad(2);
  bad(2, 1) = std::nan("");
  const auto refused = k_best_spanning_trees(bad, ArcMask(2), RootRule::multi, 5);
  EXPECT_EQ(refused.status, SearchStatus::bad_score);
  EXPECT_EQ(refused.culprit, "dep(2,1)");
  EXPECT_EQ(
      k_best_spanning_trees(ArcScores(3), ArcMask(3), RootRule::multi, 5, {.words = 2}).status,
      SearchStatus::too_long);
}

}  // namespace
}  // namespace copse
