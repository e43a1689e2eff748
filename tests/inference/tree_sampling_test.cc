#include "copse/inference/tree_sampling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "copse/base/error.h"
#include "tests/inference/all_trees.h"
#include "tests/repeats.h"

namespace copse {
namespace {

using oracle::all_spanning_trees;
using oracle::random_mask;
using oracle::random_scores;
using oracle::scored_trees;

constexpr RootRule kRootRules[] = {RootRule::single, RootRule::multi};
constexpr int kWalk = 1000;      // steps per word: never given up here
constexpr int kElimination = 0;  // always by elimination

using Key = std::pair<std::vector<int>, std::vector<int>>;

// Chi-square of the samples against the enumeration; trees too rare for the test share one cell.
// The bound is mean + 5 deviations of the distribution: a fixed seed passes or fails for good, and
// a wrong sampler misses it by far.
void ExpectTreesInProportion(const ArcScores& scores, const ArcMask& mask,
                             const TreeSamplerOptions& options, int draws, std::uint64_t seed) {
  const auto trees = scored_trees(all_spanning_trees(scores.words(), options.root), scores, mask);
  TreeSampler sampler(scores, mask, options);
  if (trees.empty()) {
    EXPECT_EQ(sampler.status(), SearchStatus::no_tree);
    return;
  }
  ASSERT_EQ(sampler.status(), SearchStatus::ok);
  Random random(seed);
  std::map<Key, int> seen;
  for (int i = 0; i < draws; ++i) {
    const auto tree = sampler.draw(random);
    ++seen[{tree.heads, tree.labels}];
  }
  const double log_z = oracle::log_sum(trees);
  double chi_square = 0;
  double rare_expected = 0;
  int rare_seen = 0;
  int cells = 0;
  int known = 0;
  for (const auto& [tree, score] : trees) {
    const double expected = draws * std::exp(score - log_z);
    const int count = seen[{tree.heads, tree.labels}];
    known += count;
    if (expected < 5) {
      rare_expected += expected;
      rare_seen += count;
      continue;
    }
    chi_square += (count - expected) * (count - expected) / expected;
    ++cells;
  }
  EXPECT_EQ(known, draws) << "something drawn is not a tree of this mask";
  if (rare_expected > 1) {
    chi_square += (rare_seen - rare_expected) * (rare_seen - rare_expected) / rare_expected;
    ++cells;
  }
  const double freedom = std::max(1, cells - 1);
  EXPECT_LE(chi_square, freedom + 5 * std::sqrt(2 * freedom)) << cells << " cells";
  EXPECT_EQ(sampler.drawn_by_elimination(),
            options.walk_steps_per_word == kElimination ? draws : 0);
}

TEST(TreeSampling, TreesOfThreeWordsComeInProportion) {
  for (const RootRule root : kRootRules)
    for (const int steps : {kWalk, kElimination})
      for (int seed = 0; seed < 6; ++seed) {
        SCOPED_TRACE(testing::Message() << "steps=" << steps << " seed=" << seed);
        Random random(seed);
        const auto scores = random_scores(3, 1, 1, random);
        const auto mask = random_mask(3, seed % 2 * 0.2, random);
        ExpectTreesInProportion(scores, mask, {.root = root, .walk_steps_per_word = steps},
                                repeats(20000), seed);
      }
}

TEST(TreeSampling, TreesOfFourAndFiveWordsComeInProportion) {
  for (const RootRule root : kRootRules)
    for (const int steps : {kWalk, kElimination})
      for (const int words : {4, 5}) {
        SCOPED_TRACE(testing::Message() << "steps=" << steps << " words=" << words);
        Random random(words);
        const auto scores = random_scores(words, 1, 1.5, random);
        ExpectTreesInProportion(scores, ArcMask(words),
                                {.root = root, .walk_steps_per_word = steps}, repeats(40000), 9);
      }
}

TEST(TreeSampling, LabelsComeInProportion) {
  for (const RootRule root : kRootRules)
    for (const int steps : {kWalk, kElimination}) {
      SCOPED_TRACE(steps);
      Random random(3);
      auto scores = random_scores(3, 2, 1, random);
      scores(2, 3, 1) = kMinusInfinity;
      require_label(scores, 1, 1);
      ExpectTreesInProportion(scores, ArcMask(3), {.root = root, .walk_steps_per_word = steps},
                              repeats(20000), 4);
    }
}

// Two words that prefer each other by e^60, and by more than doubles can hold: no walk would ever
// leave. Both ways out are equally likely.
TEST(TreeSampling, LoopsNobodyLeavesDoNotHang) {
  for (const double pull : {60.0, 5000.0}) {
    ArcScores scores(2);
    scores(1, 2) = scores(2, 1) = pull;
    TreeSampler sampler(scores, ArcMask(2), {.root = RootRule::multi});
    Random random(1);
    int first = 0;
    for (int i = 0; i < 10000; ++i) first += sampler.draw(random).heads[1] == 0;
    EXPECT_NEAR(first, 5000, 250);
    EXPECT_EQ(sampler.drawn_by_elimination(), 10000);
  }
}

// Giving up after so few steps that many walks are: the mixture must still be exact.
TEST(TreeSampling, GivingUpAWalkFavoursNoTree) {
  for (const RootRule root : kRootRules) {
    Random random(6);
    const auto scores = random_scores(4, 1, 1.5, random);
    const auto trees = scored_trees(all_spanning_trees(4, root), scores, ArcMask(4));
    const auto mu = oracle::marginals(trees, 4, 1);
    TreeSampler sampler(scores, ArcMask(4), {.root = root, .walk_steps_per_word = 1});
    const int draws = 40000;
    ArcMarginals seen(4);
    for (int i = 0; i < draws; ++i) {
      const auto tree = sampler.draw(random);
      for (int m = 1; m <= 4; ++m) seen(tree.heads[m], m) += 1.0 / draws;
    }
    EXPECT_GT(sampler.drawn_by_elimination(), draws / 20);
    EXPECT_LT(sampler.drawn_by_elimination(), draws - draws / 20);
    for (int m = 1; m <= 4; ++m)
      for (int h = 0; h <= 4; ++h) EXPECT_NEAR(seen(h, m), mu(h, m), 0.0125);
  }
}

TEST(TreeSampling, LongSentencesGiveTreesByEitherWay) {
  for (const RootRule root : kRootRules)
    for (const int steps : {200, kElimination})
      for (const double spread : {1.0, 30.0, 2000.0}) {
        Random random(7);
        const auto scores = random_scores(60, 1, spread, random);
        TreeSampler sampler(scores, ArcMask(60), {.root = root, .walk_steps_per_word = steps});
        for (int i = 0; i < 20; ++i) EXPECT_TRUE(oracle::is_tree(sampler.draw(random).heads, root));
      }
}

TEST(TreeSampling, SameSeedSameTrees) {
  Random scores_random(8);
  const auto scores = random_scores(20, 3, 1, scores_random);
  TreeSampler one(scores, ArcMask(20));
  TreeSampler two(scores, ArcMask(20));
  Random first(5);
  Random second(5);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(one.draw(first), two.draw(second));
}

TEST(TreeSampling, EdgesOfTheInput) {
  Random random(1);
  TreeSampler empty(ArcScores(0), ArcMask(0));
  EXPECT_EQ(empty.draw(random).heads, std::vector<int>{-1});
  TreeSampler one(ArcScores(1), ArcMask(1));
  EXPECT_EQ(one.draw(random).heads, (std::vector<int>{-1, 0}));
  TreeSampler none(ArcScores(2), ArcMask::none(2));
  EXPECT_EQ(none.status(), SearchStatus::no_tree);
  EXPECT_THROW(none.draw(random), Error);
  ArcScores bad(2);
  bad(1, 2) = 2e15;
  TreeSampler refused(bad, ArcMask(2));
  EXPECT_EQ(refused.status(), SearchStatus::bad_score);
  EXPECT_EQ(refused.culprit(), "dep(1,2)");
}

}  // namespace
}  // namespace copse
