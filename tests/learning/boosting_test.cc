#include "copse/learning/boosting.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "copse/base/error.h"
#include "copse/learning/boosting_step.h"
#include "copse/learning/gain_blocks.h"
#include "tests/learning/ranking_testing.h"

namespace copse {
namespace {

using ranking_testing::random_lists;
using ranking_testing::RandomLists;

// Equal choices and steps, except that a near tie may be broken otherwise and ends the comparison.
std::size_t expect_same_rounds(const BoostingRun& fast, const BoostingRun& slow) {
  EXPECT_EQ(fast.rounds.size(), slow.rounds.size());
  std::size_t t = 0;
  for (; t < std::min(fast.rounds.size(), slow.rounds.size()); ++t) {
    const BoostingRound &a = fast.rounds[t], &b = slow.rounds[t];
    if (a.feature != b.feature) {
      EXPECT_NEAR(a.gain, b.gain, 1e-9 * b.gain) << "round " << t;
      break;
    }
    EXPECT_NEAR(a.step, b.step, 1e-9) << "round " << t;
    EXPECT_NEAR(a.loss, b.loss, 1e-11 * b.loss) << "round " << t;
  }
  return t;
}

TEST(Boosting, EfficientAndNaiveMakeTheSameChoices) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(seed);
    PairOptions options;
    options.uniform = seed % 2 == 1;
    options.full_ordering = seed % 3 == 2;
    const RankingPairs pairs(random_lists({}, seed), options);
    BoostingOptions boosting;
    boosting.rounds = 400;
    boosting.smoothing = seed % 2 == 0 ? 0.0025 : 0.01;
    const auto fast = boost(pairs, 0.7, boosting), slow = boost_naively(pairs, 0.7, boosting);
    EXPECT_GE(expect_same_rounds(fast, slow), 390U);
    EXPECT_NEAR(fast.loss, slow.loss, 1e-9 * slow.loss);
  }
}

TEST(Boosting, MergedFeaturesChangeNoChoice) {
  RandomLists shape;
  shape.lists = 12;  // few lists: many features are in the same pairs
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const RankingLists lists = random_lists(shape, seed);
    PairOptions apart;
    apart.merge_features = false;
    BoostingOptions boosting;
    boosting.rounds = 100;
    const auto merged = boost(RankingPairs(lists, {}), 1, boosting);
    const auto all = boost_naively(RankingPairs(lists, apart), 1, boosting);
    expect_same_rounds(merged, all);
  }
}

TEST(Boosting, TheLossNeverRisesAndFallsByTheSquaredGain) {
  const RankingPairs pairs(random_lists({}, 7), {});
  BoostingOptions boosting;
  boosting.rounds = 300;
  const auto smoothed = boost(pairs, 1, boosting);
  for (std::size_t t = 1; t < smoothed.rounds.size(); ++t) {
    EXPECT_LE(smoothed.rounds[t].loss, smoothed.rounds[t - 1].loss);
  }
  boosting.smoothing = 0;
  boosting.rounds = 20;
  const auto exact = boost(pairs, 1, boosting);
  for (std::size_t t = 1; t < exact.rounds.size(); ++t) {
    const BoostingRound& before = exact.rounds[t - 1];
    EXPECT_NEAR(exact.rounds[t].loss, before.loss - before.gain * before.gain, 1e-9);
  }
}

TEST(Boosting, ByHand) {
  // Two pairs: feature 0 is right once (S = 3) and wrong once (S = 1).
  RankingLists lists;
  lists.add_candidate(0, 3, std::vector<std::uint32_t>{0});
  lists.add_candidate(0, 0, std::vector<std::uint32_t>{});
  lists.end_list();
  lists.add_candidate(0, 0, std::vector<std::uint32_t>{0});
  lists.add_candidate(0, 1, std::vector<std::uint32_t>{});
  lists.end_list();
  BoostingOptions boosting;
  boosting.rounds = 1;
  boosting.smoothing = 0.25;  // of Z = 4: adds 1 to both sums
  const auto run = boost(RankingPairs(lists, {}), 1, boosting);
  ASSERT_EQ(run.rounds.size(), 1U);
  EXPECT_DOUBLE_EQ(run.rounds[0].loss, 4);
  EXPECT_DOUBLE_EQ(run.rounds[0].gain, std::sqrt(3.0) - 1);
  EXPECT_DOUBLE_EQ(run.rounds[0].step, 0.5 * std::log(4.0 / 2));
  EXPECT_DOUBLE_EQ(run.loss, 3 / std::sqrt(2.0) + std::sqrt(2.0));
  EXPECT_EQ(run.rounds[0].cost, 2U);
  EXPECT_EQ(run.pass_cost, 2U);
  EXPECT_DOUBLE_EQ(run.work(1), 1);
  EXPECT_DOUBLE_EQ(run.savings(1, 1), 1);
}

TEST(Boosting, InitialWeightIsThatOfTheGrid) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const RankingPairs pairs(random_lists({}, seed), {});
    double best = 0, least = INFINITY;
    for (int i = 1; i <= 10'000; ++i) {
      double sum = 0;
      for (std::size_t p = 0; p < pairs.size(); ++p) {
        sum += pairs.importance(p) * std::exp(-i / 1000.0 * pairs.log_ratio(p));
      }
      if (sum < least) {
        least = sum;
        best = i / 1000.0;
      }
    }
    const InitialWeight found = initial_log_probability_weight(pairs);
    EXPECT_DOUBLE_EQ(found.weight, best);
    EXPECT_EQ(found.on_border, best == 0.001 || best == 10);
  }
}

TEST(Boosting, NothingToLearn) {
  const auto rounds = [](const RankingLists& lists, double smoothing = 0.01) {
    BoostingOptions boosting;
    boosting.rounds = 10;
    boosting.smoothing = smoothing;
    const RankingPairs pairs(lists, {});
    EXPECT_TRUE(std::isfinite(initial_log_probability_weight(pairs).weight));
    EXPECT_EQ(boost_naively(pairs, 1, boosting).rounds.size(),
              boost(pairs, 1, boosting).rounds.size());
    return boost(pairs, 1, boosting).rounds.size();
  };
  using Ids = std::vector<std::uint32_t>;
  RankingLists empty;
  EXPECT_EQ(rounds(empty), 0U);
  RankingLists single;
  single.add_candidate(0, 1, Ids{0});
  single.end_list();
  EXPECT_EQ(rounds(single), 0U);
  RankingLists equal;
  equal.add_candidate(0, 1, Ids{0});
  equal.add_candidate(-1, 1, Ids{1});
  equal.end_list();
  EXPECT_EQ(rounds(equal), 0U);
  RankingLists bare;
  bare.add_candidate(0, 1, Ids{});
  bare.add_candidate(-1, 0, Ids{});
  bare.end_list();
  EXPECT_EQ(rounds(bare), 0U);
  RankingLists same;
  same.add_candidate(0, 1, Ids{0});
  same.add_candidate(-1, 0, Ids{0});
  same.end_list();
  EXPECT_EQ(rounds(same), 0U);
  RankingLists separable;
  separable.add_candidate(0, 1, Ids{0});
  separable.add_candidate(-1, 0, Ids{});
  separable.end_list();
  EXPECT_EQ(rounds(separable), 10U);
  EXPECT_THROW(rounds(separable, 0), Error);
}

TEST(Boosting, WildMarginsStayFinite) {
  RankingLists lists;
  lists.add_candidate(-5000, 2, std::vector<std::uint32_t>{0});
  lists.add_candidate(0, 1, std::vector<std::uint32_t>{1});
  lists.end_list();
  BoostingOptions boosting;
  boosting.rounds = 5;
  const auto run = boost(RankingPairs(lists, {}), 1, boosting);
  ASSERT_EQ(run.rounds.size(), 5U);
  for (const auto& round : run.rounds) EXPECT_TRUE(std::isfinite(round.step));
}

TEST(Boosting, AMovedWeightOfTheLogProbabilityLowersTheLoss) {
  const RankingPairs pairs(random_lists({}, 3), {});
  BoostingOptions boosting;
  boosting.rounds = 60;
  boosting.move_log_probability_every = 10;
  const auto run = boost(pairs, 4, boosting);
  int moves = 0;
  for (std::size_t t = 0; t < run.rounds.size(); ++t) {
    if (t > 0) {
      EXPECT_LE(run.rounds[t].loss, run.rounds[t - 1].loss * (1 + 1e-12));
    }
    moves += run.rounds[t].feature == BoostingRound::kLogProbability ? 1 : 0;
  }
  EXPECT_EQ(moves, 6);
  const auto weights = run.weights_after(60, pairs.features());
  EXPECT_LT(weights.log_probability, 4);
  double loss = 0;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    loss += pairs.importance(p) *
            std::exp(-boosting::margin(pairs, p, weights.log_probability, weights.features));
  }
  EXPECT_NEAR(loss, run.loss, 1e-9 * loss);
}

TEST(GainBlocks, AnswersAsAScanDoes) {
  for (const std::size_t size : {1UL, 5UL, 512UL, 513UL, 3000UL}) {
    Random random(size);
    GainBlocks blocks(size);
    std::vector<double> gains(size, 0.0);
    for (int round = 0; round < 300; ++round) {
      for (int change = 0; change < 8; ++change) {
        const auto index = static_cast<std::size_t>(random.below(size));
        const auto gain = static_cast<double>(random.below(4));  // many ties
        gains[index] = gain;
        blocks.set(index, gain);
      }
      const auto best = std::max_element(gains.begin(), gains.end());
      ASSERT_EQ(blocks.best(), static_cast<std::size_t>(best - gains.begin())) << round;
    }
  }
}

}  // namespace
}  // namespace copse
