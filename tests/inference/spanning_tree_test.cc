#include "copse/inference/spanning_tree.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "copse/base/error.h"
#include "copse/base/random.h"
#include "tests/inference/all_trees.h"
#include "tests/repeats.h"

namespace copse {
namespace {

using oracle::all_spanning_trees;
using oracle::is_tree;
using oracle::random_mask;
using oracle::random_scores;
using oracle::scored_trees;

constexpr RootRule kRootRules[] = {RootRule::single, RootRule::multi};

const char* name(RootRule root) {
  return root == RootRule::single ? "single" : "multi";
}

double score_of(const ArcScores& scores, const ArcTree& tree) {
  double sum = 0;
  for (int m = 1; m <= scores.words(); ++m)
    sum += scores(tree.heads[m], m, tree.labels.empty() ? 0 : tree.labels[m]);
  return sum;
}

// The search must find a tree of the best score, say what it scores, and obey the mask.
void ExpectBestOf(const std::vector<Scored<ArcTree>>& trees, const ArcScores& scores,
                  const ArcMask& mask, RootRule root) {
  SpanningTreeSearch search;
  const auto found = search.best(scores, mask, root);
  if (trees.empty()) {
    EXPECT_EQ(found.status, SearchStatus::no_tree);
    EXPECT_TRUE(found.tree.heads.empty());
    return;
  }
  double best = kMinusInfinity;
  for (const auto& tree : trees) best = std::max(best, tree.score);
  ASSERT_EQ(found.status, SearchStatus::ok);
  EXPECT_TRUE(is_tree(found.tree.heads, root));
  EXPECT_NEAR(found.score, best, 1e-9);
  EXPECT_EQ(found.score, score_of(scores, found.tree));
  for (int m = 1; m <= scores.words(); ++m) EXPECT_TRUE(mask.allowed(found.tree.heads[m], m));
}

TEST(AllTrees, CountsAreThoseOfCayley) {
  const std::size_t single[] = {1, 1, 2, 9, 64, 625, 7776};
  const std::size_t multi[] = {1, 1, 3, 16, 125, 1296, 16807};
  for (int words = 0; words <= 6; ++words) {
    EXPECT_EQ(all_spanning_trees(words, RootRule::single).size(), single[words]);
    EXPECT_EQ(all_spanning_trees(words, RootRule::multi).size(), multi[words]);
  }
}

TEST(SpanningTree, EqualsEnumerationOfAllTreesUnderRandomMasks) {
  for (const RootRule root : kRootRules)
    for (int words = 0; words <= enumerated(6); ++words) {
      const auto trees = all_spanning_trees(words, root);
      for (int seed = 0; seed < repeats(words == 6 ? 30 : 150, 12); ++seed) {
        SCOPED_TRACE(testing::Message() << name(root) << " words=" << words << " seed=" << seed);
        Random random(seed);
        const auto scores = random_scores(words, 1, seed % 3 == 0 ? 0 : 1, random);
        const auto mask = random_mask(words, 0.35 * (seed % 4) / 2, random);
        ExpectBestOf(scored_trees(trees, scores, mask), scores, mask, root);
      }
    }
}

TEST(SpanningTree, EqualsEnumerationOfAllLabelledTrees) {
  for (const RootRule root : kRootRules)
    for (int words = 1; words <= 4; ++words) {
      const auto trees = all_spanning_trees(words, root);
      for (int seed = 0; seed < 40; ++seed) {
        SCOPED_TRACE(testing::Message() << name(root) << " words=" << words << " seed=" << seed);
        Random random(seed);
        auto scores = random_scores(words, 3, seed % 2, random);
        const auto mask = random_mask(words, 0.2, random);
        if (seed % 3 == 0) require_label(scores, 1, 2);
        ExpectBestOf(scored_trees(trees, scores, mask), scores, mask, root);
      }
    }
}

TEST(SpanningTree, TakesTheRequiredArcAndTheRequiredLabel) {
  ArcScores scores(3, 2);
  scores(2, 1, 0) = 5;
  scores(3, 1, 0) = -4;
  ArcMask mask(3);
  mask.require(3, 1);
  require_label(scores, 1, 1);
  SpanningTreeSearch search;
  const auto found = search.best(scores, mask, RootRule::single);
  ASSERT_EQ(found.status, SearchStatus::ok);
  EXPECT_EQ(found.tree.heads[1], 3);
  EXPECT_EQ(found.tree.labels[1], 1);
}

TEST(SpanningTree, SingleRootIsExactWhereGreedyRootsFail) {
  // The best root arc (0,1) is wrong: only word 2 is a good head of the others.
  ArcScores scores(3, 1, -100);
  scores(0, 1) = 10;
  scores(0, 2) = 9;
  scores(2, 1) = 8;
  scores(2, 3) = 8;
  scores(0, 3) = 7;
  SpanningTreeSearch search;
  const auto single = search.best(scores, ArcMask(3), RootRule::single);
  EXPECT_EQ(single.tree.heads, (std::vector<int>{-1, 2, 0, 2}));
  EXPECT_EQ(single.score, 25);
  const auto multi = search.best(scores, ArcMask(3), RootRule::multi);
  EXPECT_EQ(multi.tree.heads, (std::vector<int>{-1, 0, 0, 2}));
  EXPECT_EQ(multi.score, 27);
}

TEST(SpanningTree, SingleRootStaysExactWithHugeScores) {
  // A penalty on root arcs would drown the differences of one.
  for (int seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    auto scores = random_scores(4, 1, 0, random);
    for (int m = 1; m <= 4; ++m) scores(0, m) += 1e14;
    const auto trees = scored_trees(all_spanning_trees(4, RootRule::single), scores, ArcMask(4));
    ExpectBestOf(trees, scores, ArcMask(4), RootRule::single);
  }
}

TEST(SpanningTree, EmptySentenceIsTheEmptyTree) {
  SpanningTreeSearch search;
  for (const RootRule root : kRootRules) {
    const auto found = search.best(ArcScores(0), ArcMask(0), root);
    EXPECT_EQ(found.status, SearchStatus::ok);
    EXPECT_EQ(found.tree.heads, std::vector<int>{-1});
    EXPECT_EQ(found.score, 0);
  }
}

TEST(SpanningTree, OneWordHangsFromTheRoot) {
  ArcScores scores(1);
  scores(0, 1) = -3;
  SpanningTreeSearch search;
  for (const RootRule root : kRootRules) {
    const auto found = search.best(scores, ArcMask(1), root);
    EXPECT_EQ(found.tree.heads, (std::vector<int>{-1, 0}));
    EXPECT_EQ(found.score, -3);
  }
}

TEST(SpanningTree, InfeasibleMasksGiveNoTree) {
  SpanningTreeSearch search;
  ArcMask no_root(3);
  for (int m = 1; m <= 3; ++m) no_root.forbid(0, m);
  ArcMask headless(3);
  for (int h = 0; h <= 3; ++h) headless.forbid(h, 2);
  ArcMask two_roots(3);  // feasible with several roots only
  two_roots.require(0, 1);
  two_roots.require(0, 3);
  EXPECT_EQ(search.best(ArcScores(3), no_root, RootRule::multi).status, SearchStatus::no_tree);
  EXPECT_EQ(search.best(ArcScores(3), headless, RootRule::multi).status, SearchStatus::no_tree);
  EXPECT_EQ(search.best(ArcScores(3), two_roots, RootRule::single).status, SearchStatus::no_tree);
  EXPECT_EQ(search.best(ArcScores(3), two_roots, RootRule::multi).status, SearchStatus::ok);
}

TEST(SpanningTree, MinusInfinityForbidsLikeTheMask) {
  ArcScores scores(2);
  scores(0, 1) = kMinusInfinity;
  SpanningTreeSearch search;
  EXPECT_EQ(search.best(scores, ArcMask(2), RootRule::single).tree.heads,
            (std::vector<int>{-1, 2, 0}));
  scores(0, 2) = kMinusInfinity;
  EXPECT_EQ(search.best(scores, ArcMask(2), RootRule::single).status, SearchStatus::no_tree);
}

TEST(SpanningTree, BadScoresAreNamed) {
  SpanningTreeSearch search;
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity(), 1.1e15, -1e30}) {
    ArcScores scores(3, 2);
    scores(1, 3, 1) = bad;
    const auto found = search.best(scores, ArcMask(3), RootRule::multi);
    EXPECT_EQ(found.status, SearchStatus::bad_score);
    EXPECT_EQ(found.culprit, "label 1 of dep(1,3)");
    ArcMask mask(3);
    mask.forbid(1, 3);  // nobody asks for the scores of forbidden arcs
    EXPECT_EQ(search.best(scores, mask, RootRule::multi).status, SearchStatus::ok);
  }
}

TEST(SpanningTree, LimitsAreReported) {
  SpanningTreeSearch search;
  const ArcSearchLimits limits{.words = 3};
  EXPECT_EQ(search.best(ArcScores(4), ArcMask(4), RootRule::multi, limits).status,
            SearchStatus::too_long);
  EXPECT_EQ(search.best(ArcScores(3), ArcMask(3), RootRule::multi, limits).status,
            SearchStatus::ok);
}

TEST(SpanningTree, MaskOfAnotherSentenceIsRefused) {
  SpanningTreeSearch search;
  EXPECT_THROW(search.best(ArcScores(4), ArcMask(3), RootRule::multi), Error);
}

TEST(SpanningTree, TiesTakeTheLowestHead) {
  SpanningTreeSearch search;
  EXPECT_EQ(search.best(ArcScores(3), ArcMask(3), RootRule::multi).tree.heads,
            (std::vector<int>{-1, 0, 0, 0}));
}

TEST(SpanningTree, FloatAndDoubleScoresAgree) {
  Random random(7);
  SpanningTreeSearch search;
  for (int words : {5, 20, 60}) {
    auto scores = random_scores(words, 2, 1, random);
    const ArcTable<float> narrow(scores);
    scores = ArcScores(narrow);
    EXPECT_EQ(search.best(narrow, ArcMask(words), RootRule::single).tree,
              search.best(scores, ArcMask(words), RootRule::single).tree);
  }
}

TEST(SpanningTree, AScratchKeptFromSentenceToSentenceChangesNothing) {
  SpanningTreeSearch kept;
  for (int seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const int words = random.between(0, 30);
    const auto scores = random_scores(words, 1, 1, random);
    const auto mask = random_mask(words, 0.3, random);
    SpanningTreeSearch fresh;
    const auto expected = fresh.best(scores, mask, RootRule::single);
    const auto found = kept.best(scores, mask, RootRule::single);
    EXPECT_EQ(found.status, expected.status);
    EXPECT_EQ(found.tree, expected.tree);
  }
}

// Chains of nested two-cycles: word k prefers the contraction of 1..k-1, which prefers word k.
// Every step contracts, n - 1 levels deep. The value is checked by weak duality, below.
ArcScores nested_cycles(int words) {
  ArcScores scores(words, 1, -1000.0 * words);
  for (int k = 2; k <= words; ++k) {
    scores(k, 1) = -k;
    scores(k - 1, k) = 0;
  }
  scores(0, words) = -10.0 * words;
  return scores;
}

TEST(SpanningTree, NestedCyclesAreSolved) {
  for (const int words : {2, 3, 6, 50, 300}) {
    SpanningTreeSearch search;
    const auto scores = nested_cycles(words);
    for (const RootRule root : kRootRules) {
      const auto found = search.best(scores, ArcMask(words), root);
      ASSERT_EQ(found.status, SearchStatus::ok);
      EXPECT_TRUE(is_tree(found.tree.heads, root));
      // Only `words` can hang from the root; then 1 from it and all others in a chain.
      EXPECT_EQ(found.tree.heads[words], 0);
      EXPECT_EQ(found.tree.heads[1], words);
      EXPECT_EQ(found.score, -11.0 * words);
    }
  }
}

TEST(SpanningTree, PermutingTheWordsPermutesTheTree) {
  Random random(11);
  SpanningTreeSearch search;
  for (const RootRule root : kRootRules)
    for (int words : {5, 17, 80}) {
      const auto scores = random_scores(words, 1, 1, random);
      std::vector<int> place(words + 1);
      std::iota(place.begin(), place.end(), 0);
      random.shuffle(std::span(place).subspan(1));
      ArcScores moved(words);
      for (int m = 1; m <= words; ++m)
        for (int h = 0; h <= words; ++h) moved(place[h], place[m]) = scores(h, m);
      const auto here = search.best(scores, ArcMask(words), root);
      const auto there = search.best(moved, ArcMask(words), root);
      for (int m = 1; m <= words; ++m)
        EXPECT_EQ(there.tree.heads[place[m]], place[here.tree.heads[m]]);
    }
}

TEST(SpanningTree, AShiftOfAllHeadsOfOneWordChangesNoHead) {
  Random random(12);
  SpanningTreeSearch search;
  auto scores = random_scores(30, 1, 1, random);
  const auto before = search.best(scores, ArcMask(30), RootRule::single);
  for (int m = 1; m <= 30; ++m)
    for (double& score : scores.heads(m)) score += 3.0 * m;
  EXPECT_EQ(search.best(scores, ArcMask(30), RootRule::single).tree, before.tree);
}

// The bound behind the k-best search: what leaving one's head costs at least.
TEST(Arborescence, LossesOfChangeBoundTheSecondChoice) {
  for (const RootRule root : kRootRules)
    for (int words = 1; words <= 5; ++words) {
      const auto trees = all_spanning_trees(words, root);
      for (int seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(testing::Message() << name(root) << " words=" << words << " seed=" << seed);
        Random random(seed);
        const auto scores = random_scores(words, 1, seed % 3 == 0 ? 0 : 1, random);
        const auto mask = random_mask(words, 0.35, random);
        const auto scored = scored_trees(trees, scores, mask);
        Arborescence search;
        search.start(words);
        for (int m = 1; m <= words; ++m) best_label_scores(scores, mask, m, search.row(m));
        ASSERT_EQ(search.solve(root), !scored.empty());
        if (scored.empty()) continue;
        std::vector<double> loss(words + 1);
        ArcScores masked(words);
        for (int m = 1; m <= words; ++m) best_label_scores(scores, mask, m, masked.heads(m));
        search.losses_of_change([&](int m) { return std::as_const(masked).heads(m); }, loss);
        double best = kMinusInfinity;
        for (const auto& tree : scored) best = std::max(best, tree.score);
        for (int m = 1; m <= words; ++m) {
          EXPECT_GE(loss[m], 0);
          for (const auto& tree : scored)
            EXPECT_TRUE(tree.item.heads[m] == search.head(m) || tree.score <= best - loss[m] + 1e-9)
                << "word " << m;
        }
      }
    }
}

}  // namespace
}  // namespace copse
