#include "copse/treebank/evaluation/significance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "copse/base/error.h"
#include "copse/base/random.h"
#include "copse/treebank/evaluation/comparison.h"
#include "copse/treebank/evaluation/report.h"

namespace copse {
namespace {

// Two-sided p by looking at every outcome of n fair coins.
double sign_test_by_enumeration(int a_only, int b_only) {
  const int n = a_only + b_only;
  const int observed = std::abs(a_only - b_only);
  int as_extreme = 0;
  for (unsigned outcome = 0; outcome < 1U << n; ++outcome) {
    const int heads = __builtin_popcount(outcome);
    if (std::abs(2 * heads - n) >= observed) ++as_extreme;
  }
  return static_cast<double>(as_extreme) / static_cast<double>(1U << n);
}

TEST(SignTest, EqualsTheEnumerationOfAllOutcomes) {
  for (int a = 0; a <= 9; ++a) {
    for (int b = 0; b <= 9; ++b) {
      EXPECT_NEAR(sign_test(a, b), sign_test_by_enumeration(a, b), 1e-12) << a << " " << b;
    }
  }
}

TEST(SignTest, LargeCountsNeitherOverflowNorVanish) {
  EXPECT_NEAR(sign_test(500'000, 501'000), 0.3176, 0.001);  // normal: 2 (1 - Phi(0.9985))
  EXPECT_EQ(sign_test(1'000'000, 1'000'000), 1.0);
  EXPECT_GE(sign_test(0, 1'000'000), 0.0);
  EXPECT_LT(sign_test(0, 1'000), 1e-200);
}

std::vector<PairedStratum> random_strata(std::uint64_t seed, int count) {
  Random random(seed);
  std::vector<PairedStratum> strata;
  for (int i = 0; i < count; ++i) {
    const int gold = random.between(3, 9);
    const auto side = [&] {
      const int correct = random.between(0, gold);
      return StratumCounts{correct, gold, random.between(std::max(correct, 1), 10)};
    };
    strata.push_back({side(), side()});
  }
  return strata;
}

// The limit of p for many rounds: every one of the 2^n swaps is as likely as any other.
double shuffling_by_enumeration(const std::vector<PairedStratum>& strata) {
  const auto difference = [&](unsigned swaps) {
    StratumCounts a;
    StratumCounts b;
    for (std::size_t i = 0; i < strata.size(); ++i) {
      const bool swap = (swaps >> i & 1U) != 0;
      const StratumCounts& x = swap ? strata[i].b : strata[i].a;
      const StratumCounts& y = swap ? strata[i].a : strata[i].b;
      a = {a.correct + x.correct, a.gold + x.gold, a.system + x.system};
      b = {b.correct + y.correct, b.gold + y.gold, b.system + y.system};
    }
    return std::abs(f1_of(a) - f1_of(b));
  };
  int as_large = 0;
  for (unsigned swaps = 0; swaps < 1U << strata.size(); ++swaps) {
    if (difference(swaps) >= difference(0) - 1e-9) ++as_large;
  }
  return static_cast<double>(as_large) / static_cast<double>(1U << strata.size());
}

TEST(Shuffling, ApproachesTheEnumerationOfAllSwaps) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto strata = random_strata(seed, 8);
    EXPECT_NEAR(stratified_shuffling(strata, {20'000, 7}).p_f1, shuffling_by_enumeration(strata),
                0.015)
        << seed;
  }
}

TEST(Shuffling, EqualSystemsGiveOneAndTheSmallestPIsOneInRoundsPlusOne) {
  auto strata = random_strata(1, 50);
  for (PairedStratum& stratum : strata) stratum.b = stratum.a;
  EXPECT_EQ(stratified_shuffling(strata).p_f1, 1.0);
  for (PairedStratum& stratum : strata) stratum = {{0, 9, 9}, {9, 9, 9}};
  EXPECT_DOUBLE_EQ(stratified_shuffling(strata).p_f1, 1.0 / 10'001);
  EXPECT_EQ(stratified_shuffling({}).p_f1, 1.0);
}

TEST(Shuffling, TheSameSeedGivesTheSameFigures) {
  const auto strata = random_strata(3, 40);
  EXPECT_EQ(stratified_shuffling(strata, {1000, 5}).p_f1,
            stratified_shuffling(strata, {1000, 5}).p_f1);
}

TEST(Bootstrap, TheIntervalHoldsTheDifferenceAndShrinksToItWithoutVariance) {
  const auto strata = random_strata(4, 100);
  StratumCounts a;
  StratumCounts b;
  for (const PairedStratum& s : strata) {
    a = {a.correct + s.a.correct, a.gold + s.a.gold, a.system + s.a.system};
    b = {b.correct + s.b.correct, b.gold + s.b.gold, b.system + s.b.system};
  }
  const BootstrapInterval interval = paired_bootstrap(strata);
  EXPECT_LT(interval.low, f1_of(b) - f1_of(a));
  EXPECT_GT(interval.high, f1_of(b) - f1_of(a));
  const std::vector<PairedStratum> same(20, {{1, 4, 4}, {3, 4, 4}});
  EXPECT_DOUBLE_EQ(paired_bootstrap(same).low, 50);
  EXPECT_DOUBLE_EQ(paired_bootstrap(same).high, 50);
  EXPECT_EQ(paired_bootstrap({}).low, 0);
}

TEST(Bootstrap, CoversTheMiddleOfAKnownDistribution) {
  // 100 words, B right on half of them, A never: the share of B is binomial with standard
  // deviation 5 points, so that 95% lie within 9.8 of 50.
  std::vector<PairedStratum> strata(100, {{0, 1, 1}, {0, 1, 1}});
  for (std::size_t i = 0; i < 50; ++i) strata[i].b.correct = 1;
  const BootstrapInterval interval = paired_bootstrap(strata);
  EXPECT_NEAR(interval.low, 40.2, 1.5);
  EXPECT_NEAR(interval.high, 59.8, 1.5);
}

AttachmentReport report_of(const std::vector<std::vector<unsigned char>>& sentences) {
  AttachmentReport report;
  for (const auto& words : sentences) {
    AttachmentCounts counts;
    for (const unsigned char bits : words) {
      ++counts.words;
      counts.heads += bits & 1;
      counts.both += bits >> 1;
      report.per_word.push_back(bits);
    }
    report.per_sentence.push_back(counts);
    report.total.words += counts.words;
    report.total.heads += counts.heads;
    report.total.both += counts.both;
  }
  return report;
}

TEST(Comparison, CountsTheWordsOnWhichOneSystemAloneIsRight) {
  const auto a = report_of({{3, 3, 0}, {1, 0}});
  const auto b = report_of({{3, 0, 3}, {3, 3}});
  const Comparison las = compare_attachment(a, b, true);
  EXPECT_EQ(las.words.a_only, 1);
  EXPECT_EQ(las.words.b_only, 3);
  EXPECT_DOUBLE_EQ(las.difference(), 40);
  EXPECT_DOUBLE_EQ(las.words.p, 0.625);
  const Comparison uas = compare_attachment(a, b, false);
  EXPECT_EQ(uas.words.a_only, 1);
  EXPECT_EQ(uas.words.b_only, 2);
}

TEST(Comparison, CountsTheSentencesInWhichOneSystemHasMoreRightWords) {
  const auto a = report_of({{3, 3, 0}, {1, 0}, {0}, {3}, {0}});
  const auto b = report_of({{3, 0, 3}, {3, 3}, {3}, {3}, {3}});
  const Comparison las = compare_attachment(a, b, true);
  EXPECT_EQ(las.sentences.a_only, 0);
  EXPECT_EQ(las.sentences.b_only, 3);
  EXPECT_DOUBLE_EQ(las.sentences.p, 0.25);
}

TEST(Comparison, ShufflingWordsOrSentencesAreDifferentTests) {
  // All of B's gain is in one sentence: with sentences as strata every swap is as large.
  const auto a = report_of({{0, 0, 0, 0, 0, 0}, {3}});
  const auto b = report_of({{3, 3, 3, 3, 3, 3}, {3}});
  CompareOptions words;
  words.stratum = Stratum::word;
  EXPECT_EQ(compare_attachment(a, b, true).shuffling.p_f1, 1.0);
  EXPECT_NEAR(compare_attachment(a, b, true, words).shuffling.p_f1, 2.0 / 64, 0.01);
}

TEST(Comparison, BracketsAreComparedWhereBothAreValid) {
  const std::string gold = "(S (NP (NN a)))\n(S (NP (NN b)))\n(S (NP (NN c)))\n";
  const auto a = evaluate_constituency(gold, "(S (NP (NN a)))\n(S (NP (NN b)))\n\n");
  const auto b = evaluate_constituency(gold, "(S (VP (NN a)))\n(S (NP (NN b)))\n(S (NN c))\n");
  const Comparison result = compare_constituency(a, b);
  EXPECT_EQ(result.n, 2);
  EXPECT_EQ(result.left_out, 1);
  EXPECT_DOUBLE_EQ(result.a, 100);
  EXPECT_DOUBLE_EQ(result.b, 75);
  EXPECT_EQ(result.sentences.a_only, 1);
  EXPECT_EQ(result.words.a_only, 0);
  EXPECT_THROW(compare_constituency(a, evaluate_constituency(gold, "")), Error);
}

}  // namespace
}  // namespace copse
