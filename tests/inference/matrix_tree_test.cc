#include "copse/inference/matrix_tree.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "copse/base/error.h"
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
constexpr MatrixTreeRoute kRoutes[] = {MatrixTreeRoute::lu, MatrixTreeRoute::elimination,
                                       MatrixTreeRoute::wide_elimination};

double largest_difference(const ArcMarginals& a, const ArcMarginals& b) {
  EXPECT_EQ(a.values().size(), b.values().size());
  double most = 0;
  for (std::size_t i = 0; i < a.values().size(); ++i) {
    const double difference = std::abs(a.values()[i] - b.values()[i]);
    if (!(difference <= most)) most = difference;  // NaN stays
  }
  return most;
}

// log Z and every marginal, against the sums over the list of trees.
void ExpectSumsOver(const std::vector<Scored<ArcTree>>& trees, const ArcScores& scores,
                    const ArcMask& mask, const MatrixTreeOptions& options, double tolerance) {
  MatrixTree matrix_tree;
  const auto found = matrix_tree.run(scores, mask, options);
  if (trees.empty()) {
    EXPECT_EQ(found.status, SearchStatus::no_tree);
    EXPECT_EQ(found.log_z, kMinusInfinity);
    EXPECT_EQ(found.marginals.words(), 0);
    return;
  }
  ASSERT_EQ(found.status, SearchStatus::ok);
  const double expected = oracle::log_sum(trees);
  EXPECT_NEAR(found.log_z, expected, tolerance * std::max(1.0, std::abs(expected)));
  const auto mu = oracle::marginals(trees, scores.words(), scores.labels());
  EXPECT_LE(largest_difference(found.marginals, mu), tolerance);
}

// Sums over the heads of each word, and over the root arcs if there is one only.
void ExpectMarginalsSumToOne(const ArcMarginals& mu, RootRule root, double tolerance) {
  double root_sum = 0;
  for (int m = 1; m <= mu.words(); ++m) {
    const auto heads = mu.heads(m);
    EXPECT_NEAR(std::accumulate(heads.begin(), heads.end(), 0.0), 1, tolerance) << "word " << m;
    for (const double value : mu.row(0, m)) root_sum += value;
  }
  for (const double value : mu.values()) EXPECT_TRUE(value >= 0 && value <= 1) << value;
  const bool one_root = root == RootRule::single && mu.words() > 0;
  EXPECT_NEAR(root_sum, one_root ? 1 : root_sum, tolerance);
}

TEST(MatrixTree, EqualsEnumerationOfAllTreesUnderRandomMasks) {
  for (const RootRule root : kRootRules)
    for (int words = 0; words <= 6; ++words) {
      const auto trees = all_spanning_trees(words, root);
      for (int seed = 0; seed < (words == 6 ? 10 : 60); ++seed) {
        Random random(seed);
        const auto scores = random_scores(words, 1, seed % 3, random);
        const auto mask = random_mask(words, seed % 2 * 0.35, random);
        const auto scored = scored_trees(trees, scores, mask);
        SCOPED_TRACE(testing::Message() << "words=" << words << " seed=" << seed);
        ExpectSumsOver(scored, scores, mask, {.root = root}, 1e-11);
        for (const auto route : {MatrixTreeRoute::elimination, MatrixTreeRoute::wide_elimination})
          ExpectSumsOver(scored, scores, mask, {.root = root, .only = route}, 1e-12);
      }
    }
}

TEST(MatrixTree, EveryRouteEqualsEnumerationOfAllLabelledTrees) {
  for (const RootRule root : kRootRules)
    for (const auto route : kRoutes)
      for (int words = 1; words <= 4; ++words) {
        const auto trees = all_spanning_trees(words, root);
        for (int seed = 0; seed < (words == 4 ? 3 : 20); ++seed) {
          SCOPED_TRACE(testing::Message() << "words=" << words << " seed=" << seed);
          Random random(seed);
          auto scores = random_scores(words, 3, 1, random);
          if (seed % 3 == 0) require_label(scores, words, 1);
          if (seed % 4 == 0) scores(0, 1, 2) = kMinusInfinity;
          const ArcMask mask(words);
          ExpectSumsOver(scored_trees(trees, scores, mask), scores, mask,
                         {.root = root, .only = route}, 1e-11);
        }
      }
}

TEST(MatrixTree, ZeroScoresCountTheTrees) {
  MatrixTree matrix_tree;
  for (const auto route : kRoutes)
    for (int words = 1; words <= 6; ++words) {
      const auto single = matrix_tree.run(ArcScores(words), ArcMask(words),
                                          {.root = RootRule::single, .only = route});
      const auto multi = matrix_tree.run(ArcScores(words), ArcMask(words),
                                         {.root = RootRule::multi, .only = route});
      EXPECT_NEAR(std::exp(single.log_z), std::pow(words, words - 1), 1e-7);
      EXPECT_NEAR(std::exp(multi.log_z), std::pow(words + 1, words - 1), 1e-7);
    }
}

// One answer for all kinds of peaked scores; the reference sums in long double from wide.
TEST(MatrixTree, PeakedScoresKeepTheirDigits) {
  for (const RootRule root : kRootRules) {
    const auto trees = all_spanning_trees(5, root);
    for (const double spread : {1.0, 10.0, 30.0, 100.0, 1000.0})
      for (int seed = 0; seed < repeats(60); ++seed) {
        SCOPED_TRACE(testing::Message() << "spread=" << spread << " seed=" << seed);
        Random random(seed);
        const auto scores = random_scores(5, 1, spread, random);
        const auto mask = random_mask(5, seed % 3 * 0.2, random);
        ExpectSumsOver(scored_trees(trees, scores, mask), scores, mask, {.root = root}, 1e-9);
        ExpectSumsOver(scored_trees(trees, scores, mask), scores, mask,
                       {.root = root, .only = MatrixTreeRoute::wide_elimination}, 1e-11);
        if (spread <= 100)
          ExpectSumsOver(scored_trees(trees, scores, mask), scores, mask,
                         {.root = root, .only = MatrixTreeRoute::elimination}, 1e-12);
      }
  }
}

TEST(MatrixTree, ALabelledModelOfPeakedScoresKeepsItsDigits) {
  const auto trees = all_spanning_trees(3, RootRule::single);
  for (const double spread : {30.0, 1000.0})
    for (int seed = 0; seed < 40; ++seed) {
      SCOPED_TRACE(testing::Message() << "spread=" << spread << " seed=" << seed);
      Random random(seed);
      const auto scores = random_scores(3, 3, spread, random);
      ExpectSumsOver(scored_trees(trees, scores, ArcMask(3)), scores, ArcMask(3), {}, 1e-9);
    }
}

TEST(MatrixTree, TakesTheFastRouteWhereItIsSafeAndLeavesItWhereItIsNot) {
  Random random(1);
  MatrixTree matrix_tree;
  const auto flat = random_scores(30, 1, 1, random);
  EXPECT_EQ(matrix_tree.run(flat, ArcMask(30)).route, MatrixTreeRoute::lu);
  EXPECT_EQ(matrix_tree.run(flat, ArcMask(30), {.marginals = false}).route,
            MatrixTreeRoute::elimination);
  // Words 1 and 2 all but insist on each other: LU loses every digit of the way out.
  ArcScores cycle(2);
  cycle(1, 2) = cycle(2, 1) = 50;
  EXPECT_EQ(matrix_tree.run(cycle, ArcMask(2)).route, MatrixTreeRoute::elimination);
  // Now the way out underflows.
  cycle(1, 2) = cycle(2, 1) = 800;
  const auto result = matrix_tree.run(cycle, ArcMask(2));
  EXPECT_EQ(result.route, MatrixTreeRoute::wide_elimination);
  EXPECT_NEAR(result.log_z, 800 + std::log(2), 1e-12 * 800);
  EXPECT_NEAR(result.marginals(0, 1), 0.5, 1e-12);
}

// An arc too weak for the range of double may still be the best way out, while a way of two arcs,
// each within range, is not: the plain elimination would take it without a word.
TEST(MatrixTree, AnUnderflowThatMattersIsNoticed) {
  ArcScores scores(2, 1, kMinusInfinity);
  scores(0, 1) = -750;  // with (1,2): -750. Dropped: 750 below (2,1)
  scores(2, 1) = 0;
  scores(1, 2) = 0;
  scores(0, 2) = -760;
  const auto trees = scored_trees(all_spanning_trees(2, RootRule::multi), scores, ArcMask(2));
  ExpectSumsOver(trees, scores, ArcMask(2), {.root = RootRule::multi}, 1e-12);

  ArcScores chain(3, 1, kMinusInfinity);  // 1 and 2 in a cycle; out by -700, or by -360 - 360
  chain(2, 1) = chain(1, 2) = 0;
  chain(0, 1) = -700;
  chain(3, 1) = -360;
  chain(1, 3) = 0;
  chain(0, 3) = -360;
  const auto ways = scored_trees(all_spanning_trees(3, RootRule::multi), chain, ArcMask(3));
  ExpectSumsOver(ways, chain, ArcMask(3), {.root = RootRule::multi}, 1e-12);
}

TEST(MatrixTree, MarginalsAreTheSlopesOfLogZ) {
  const double step = 1e-4;
  MatrixTree matrix_tree;
  for (const RootRule root : kRootRules)
    for (const auto route : kRoutes)
      for (const int labels : {1, 2}) {
        Random random(labels);
        auto scores = random_scores(7, labels, 1, random);
        const auto mask = random_mask(7, 0.2, random);
        const MatrixTreeOptions options{.root = root, .only = route};
        const auto result = matrix_tree.run(scores, mask, options);
        ASSERT_EQ(result.status, SearchStatus::ok);
        for (int m = 1; m <= 7; ++m)
          for (int h = 0; h <= 7; ++h)
            for (int l = 0; l < labels; ++l) {
              const double before = scores(h, m, l);
              scores(h, m, l) = before + step;
              const double up = matrix_tree.run(scores, mask, options).log_z;
              scores(h, m, l) = before - step;
              const double down = matrix_tree.run(scores, mask, options).log_z;
              scores(h, m, l) = before;
              EXPECT_NEAR(result.marginals(h, m, l), (up - down) / (2 * step), 1e-6);
            }
      }
}

TEST(MatrixTree, LuAndEliminationAgreeOnLongSentences) {
  Random random(2);
  MatrixTree matrix_tree;
  for (const RootRule root : kRootRules)
    for (const int words : {30, 100}) {
      const auto scores = random_scores(words, 1, 1, random);
      const auto lu =
          matrix_tree.run(scores, ArcMask(words), {.root = root, .only = MatrixTreeRoute::lu});
      for (const auto route : {MatrixTreeRoute::elimination, MatrixTreeRoute::wide_elimination}) {
        const auto other = matrix_tree.run(scores, ArcMask(words), {.root = root, .only = route});
        EXPECT_NEAR(lu.log_z, other.log_z, 1e-10);
        EXPECT_LE(largest_difference(lu.marginals, other.marginals), 1e-12);
      }
      ExpectMarginalsSumToOne(lu.marginals, root, 1e-10);
      SpanningTreeSearch search;
      EXPECT_GE(lu.log_z, search.best(scores, ArcMask(words), root).score);
    }
}

TEST(MatrixTree, ASmallScratchBudgetChangesNoBit) {
  Random random(3);
  MatrixTree matrix_tree;
  for (const RootRule root : kRootRules) {
    const auto scores = random_scores(60, 1, 5, random);
    MatrixTreeOptions options{.root = root, .only = MatrixTreeRoute::elimination};
    const auto all_stored = matrix_tree.run(scores, ArcMask(60), options);
    for (const std::size_t budget : {std::size_t{0}, std::size_t{100000}}) {
      options.scratch_bytes = budget;
      const auto recomputed = matrix_tree.run(scores, ArcMask(60), options);
      EXPECT_EQ(largest_difference(all_stored.marginals, recomputed.marginals), 0);
    }
  }
}

TEST(MatrixTree, HundredsOfWordsOfWildScoresGiveProbabilities) {
  constexpr int words = repeats(500, 200);
  MatrixTree matrix_tree;
  for (const RootRule root : kRootRules) {
    Random random(4);
    ArcScores scores(words);
    for (double& score : scores.values()) score = 2000 * random.uniform() - 1000;
    const auto result = matrix_tree.run(scores, ArcMask(words), {.root = root});
    ASSERT_EQ(result.status, SearchStatus::ok);
    EXPECT_TRUE(std::isfinite(result.log_z));
    ExpectMarginalsSumToOne(result.marginals, root, 1e-9);
    SpanningTreeSearch search;
    const auto best = search.best(scores, ArcMask(words), root);
    EXPECT_GE(result.log_z, best.score - 1e-6);
    EXPECT_LE(result.log_z, best.score + words * std::log(words + 1));
  }
}

TEST(MatrixTree, EntropyEqualsEnumerationAndIsAtMostTheLogOfTheCount) {
  MatrixTree matrix_tree;
  for (const RootRule root : kRootRules)
    for (int words = 0; words <= 5; ++words) {
      const auto trees = all_spanning_trees(words, root);
      for (const double spread : {0.5, 2.0, 10.0, 300.0}) {
        SCOPED_TRACE(testing::Message() << "words=" << words << " spread=" << spread);
        Random random(words);
        const auto scores = random_scores(words, 1, spread, random);
        const auto result = matrix_tree.run(scores, ArcMask(words), {.root = root});
        const auto scored = scored_trees(trees, scores, ArcMask(words));
        const double log_z = oracle::log_sum(scored);
        double expected = 0;
        for (const auto& tree : scored)
          expected -= std::exp(tree.score - log_z) * (tree.score - log_z);
        EXPECT_NEAR(entropy(scores, result), expected, 1e-8);
        EXPECT_LE(entropy(scores, result), std::log(static_cast<double>(trees.size())) + 1e-12);
      }
      const auto flat = matrix_tree.run(ArcScores(words), ArcMask(words), {.root = root});
      EXPECT_NEAR(entropy(ArcScores(words), flat), std::log(static_cast<double>(trees.size())),
                  1e-12);
    }
}

TEST(MatrixTree, DivergenceEqualsEnumerationAndIsNeverNegative) {
  MatrixTree matrix_tree;
  const auto trees = all_spanning_trees(4, RootRule::single);
  for (int seed = 0; seed < 30; ++seed) {
    Random random(seed);
    const auto p_scores = random_scores(4, 1, 2, random);
    const auto q_scores = random_scores(4, 1, 2, random);
    const auto p = matrix_tree.run(p_scores, ArcMask(4));
    const auto q = matrix_tree.run(q_scores, ArcMask(4));
    double expected = 0;
    for (const auto& heads : trees) {
      double log_p = -p.log_z;
      double log_q = -q.log_z;
      for (int m = 1; m <= 4; ++m) {
        log_p += p_scores(heads[m], m);
        log_q += q_scores(heads[m], m);
      }
      expected += std::exp(log_p) * (log_p - log_q);
    }
    EXPECT_NEAR(kl_divergence(p_scores, p, q_scores, q), expected, 1e-10);
    EXPECT_GE(kl_divergence(p_scores, p, q_scores, q), 0);
    EXPECT_NEAR(kl_divergence(p_scores, p, p_scores, p), 0, 1e-13);
  }
}

TEST(MatrixTree, PermutingTheWordsPermutesTheMarginals) {
  Random random(5);
  MatrixTree matrix_tree;
  for (const RootRule root : kRootRules)
    for (const double spread : {1.0, 40.0}) {
      const int words = 20;
      const auto scores = random_scores(words, 1, spread, random);
      std::vector<int> place(words + 1);
      std::iota(place.begin(), place.end(), 0);
      random.shuffle(std::span(place).subspan(1));
      ArcScores moved(words);
      for (int m = 1; m <= words; ++m)
        for (int h = 0; h <= words; ++h) moved(place[h], place[m]) = scores(h, m);
      const auto here = matrix_tree.run(scores, ArcMask(words), {.root = root});
      const auto there = matrix_tree.run(moved, ArcMask(words), {.root = root});
      EXPECT_NEAR(here.log_z, there.log_z, 1e-9);
      for (int m = 1; m <= words; ++m)
        for (int h = 0; h <= words; ++h)
          EXPECT_NEAR(there.marginals(place[h], place[m]), here.marginals(h, m), 1e-9);
    }
}

TEST(MatrixTree, AShiftOfAllHeadsOfOneWordMovesLogZAlone) {
  Random random(6);
  MatrixTree matrix_tree;
  auto scores = random_scores(12, 1, 1, random);
  const auto before = matrix_tree.run(scores, ArcMask(12));
  for (double& score : scores.heads(5)) score += 7;
  const auto after = matrix_tree.run(scores, ArcMask(12));
  EXPECT_NEAR(after.log_z, before.log_z + 7, 1e-12);
  EXPECT_LE(largest_difference(after.marginals, before.marginals), 1e-13);
}

TEST(MatrixTree, ProjectiveSumsAreEqualWhereTheMaskLeavesOnlyProjectiveTrees) {
  // Heads at most one word away, or the root: every single-root tree of them is projective.
  MatrixTree matrix_tree;
  for (int words = 1; words <= 6; ++words) {
    Random random(words);
    const auto scores = random_scores(words, 1, 1, random);
    ArcMask mask = ArcMask::none(words);
    for (int m = 1; m <= words; ++m) {
      if (m > 1) mask.allow(m - 1, m);
      if (m < words) mask.allow(m + 1, m);
      mask.allow(0, m);
    }
    std::vector<std::vector<int>> projective;
    for (const auto& heads : all_spanning_trees(words, RootRule::single)) {
      bool crossing = false;
      for (int a = 1; a <= words; ++a)
        for (int b = 1; b <= words; ++b) {
          const int a_left = std::min(a, heads[a]), a_right = std::max(a, heads[a]);
          const int b_left = std::min(b, heads[b]), b_right = std::max(b, heads[b]);
          crossing |= a_left < b_left && b_left < a_right && a_right < b_right;
        }
      if (!crossing) projective.push_back(heads);
    }
    ExpectSumsOver(scored_trees(projective, scores, mask), scores, mask, {}, 1e-11);
  }
}

TEST(MatrixTree, EdgesOfTheInput) {
  MatrixTree matrix_tree;
  for (const RootRule root : kRootRules) {
    const auto empty = matrix_tree.run(ArcScores(0), ArcMask(0), {.root = root});
    EXPECT_EQ(empty.status, SearchStatus::ok);
    EXPECT_EQ(empty.log_z, 0);
    ArcScores one(1, 2);
    one(0, 1, 0) = 3;
    one(0, 1, 1) = 3;
    const auto word = matrix_tree.run(one, ArcMask(1), {.root = root});
    EXPECT_NEAR(word.log_z, 3 + std::log(2), 1e-14);
    EXPECT_NEAR(word.marginals(0, 1, 1), 0.5, 1e-15);
    EXPECT_EQ(matrix_tree.run(ArcScores(3), ArcMask::none(3), {.root = root}).status,
              SearchStatus::no_tree);
    const auto longer = matrix_tree.run(ArcScores(9), ArcMask(9), {.root = root, .limits = {8}});
    EXPECT_EQ(longer.status, SearchStatus::too_long);
    ArcScores bad(3);
    bad(3, 2) = std::nan("");
    const auto refused = matrix_tree.run(bad, ArcMask(3), {.root = root});
    EXPECT_EQ(refused.status, SearchStatus::bad_score);
    EXPECT_EQ(refused.culprit, "dep(3,2)");
  }
  EXPECT_THROW(matrix_tree.run(ArcScores(2), ArcMask(3)), Error);
}

TEST(MatrixTree, RequiredArcsHaveMarginalOne) {
  Random random(8);
  MatrixTree matrix_tree;
  const auto scores = random_scores(6, 1, 1, random);
  ArcMask mask(6);
  mask.require(5, 2);
  mask.require(0, 3);
  const auto result = matrix_tree.run(scores, mask);
  EXPECT_NEAR(result.marginals(5, 2), 1, 1e-12);
  EXPECT_NEAR(result.marginals(0, 3), 1, 1e-12);
}

TEST(MatrixTree, ExtremeScoresWithinTheLimitGiveProbabilities) {
  MatrixTree matrix_tree;
  for (const RootRule root : kRootRules)
    for (int seed = 0; seed < 20; ++seed) {
      Random random(seed);
      ArcScores scores(8);
      for (double& score : scores.values()) score = random.between(-1, 1) * 1e15;
      const auto result = matrix_tree.run(scores, ArcMask(8), {.root = root});
      ASSERT_EQ(result.status, SearchStatus::ok);
      EXPECT_TRUE(std::isfinite(result.log_z));
      ExpectMarginalsSumToOne(result.marginals, root, 1e-9);
    }
}

}  // namespace
}  // namespace copse
