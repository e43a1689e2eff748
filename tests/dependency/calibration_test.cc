// Honest probabilities: the error that is measured and the temperature that is chosen.
#include "copse/dependency/calibration.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "copse/base/random.h"

namespace copse {
namespace {

TEST(CalibrationError, IsTheMeanDistanceOfTheBins) {
  CalibrationError error;
  EXPECT_EQ(error.value(), 0);
  // Bin 0.9 .. 1: mean 0.95, three of four right; bin 0.2 .. 0.3: 0.2, right.
  for (const bool right : {true, true, true, false}) error.add(0.95, right);
  error.add(0.2, true);
  EXPECT_EQ(error.arcs(), 5U);
  EXPECT_NEAR(error.value(), (4 * std::abs(0.95 - 0.75) + std::abs(0.2 - 1.0)) / 5, 1e-12);
}

TEST(CalibrationError, TakesProbabilitiesAtAndBeyondTheEnds) {
  CalibrationError error;
  error.add(0.0, false);
  error.add(1.0, true);
  EXPECT_EQ(error.value(), 0);
  error.add(1.0000001, true);
  error.add(-0.0000001, false);
  EXPECT_NEAR(error.value(), 0, 1e-6);
}

TEST(CalibrationError, OfPartsAddsUpToTheWhole) {
  Random random(1);
  CalibrationError whole, first, second;
  for (int k = 0; k < 200; ++k) {
    const double probability = random.uniform();
    const bool right = random.chance(probability);
    whole.add(probability, right);
    (k % 3 == 0 ? first : second).add(probability, right);
  }
  first.add(second);
  EXPECT_EQ(first.arcs(), whole.arcs());
  EXPECT_NEAR(first.value(), whole.value(), 1e-12);
}

TEST(BestTemperature, IsWhereTheLossIsLeast) {
  for (const double best : {0.05, 0.5, 1.0, 3.7, 40.0}) {
    const double found =
        best_temperature([&](double t) { return std::pow(std::log(t) - std::log(best), 2); });
    EXPECT_NEAR(found / best, 1, 0.03);
  }
}

TEST(BestTemperature, StaysWithinItsRange) {
  EXPECT_NEAR(best_temperature([](double t) { return t; }), 1.0 / 64, 0.001);
  EXPECT_NEAR(best_temperature([](double t) { return -t; }), 64, 2);
}

// By hand: the log-odds of 0.8 are ln 4, of 0.1 ln 1/9.
TEST(TreeOdds, AreStretchedAndMoved) {
  const TreeOdds odds{.slope = 0.5, .offset = 0.2};
  EXPECT_NEAR(odds.probability(std::log(0.8)), 0.7095392129298094, 1e-12);
  EXPECT_NEAR(odds.probability(std::log(0.1)), 0.28933575594016486, 1e-12);
  EXPECT_NEAR(odds.probability(std::log(0.5)), 1 / (1 + std::exp(-0.2)), 1e-12);
}

TEST(TreeOdds, OfModelsWithoutThemChangeNothing) {
  for (const double p : {1.0, 0.999, 0.3, 1e-40}) {
    EXPECT_EQ(TreeOdds().probability(std::log(p)), std::exp(std::log(p)));
  }
}

TEST(TreeOdds, TakeWhatIsSureAndWhatIsImpossible) {
  const double infinity = std::numeric_limits<double>::infinity();
  const TreeOdds odds{.slope = 0.5, .offset = 0};
  for (const double log_p : {0.0, 1e-7}) {  // 1, and more than 1 by rounding
    EXPECT_NEAR(odds.probability(log_p), 1 / (1 + std::exp(-7)), 1e-12);
  }
  for (const double log_p : {-infinity, -1000.0}) {
    EXPECT_NEAR(odds.probability(log_p), 1 / (1 + std::exp(15)), 1e-12);
  }
}

// At even odds the offset alone counts: b with 10 / (1 + e^-b) + b = 6.
TEST(FitTreeOdds, OfOneNumberIsTheRootOfItsEquation) {
  std::vector<JudgedTree> trees(10, {std::log(0.5), false});
  for (std::size_t k = 0; k < 6; ++k) trees[k].right = true;
  const TreeOdds odds = fit_tree_odds(trees);
  EXPECT_NEAR(odds.slope, 1, 1e-9);
  EXPECT_NEAR(10 / (1 + std::exp(-odds.offset)) + odds.offset, 6, 1e-9);
}

// Log-odds 1 and -1, 7 and 3 of 10 right: no offset, and the slope a of 20 / (1 + e^-a) + a = 15.
TEST(FitTreeOdds, OfTwoEqualSidesHasTheSlopeOfItsEquation) {
  std::vector<JudgedTree> trees;
  for (int k = 0; k < 10; ++k) {
    trees.push_back({-std::log1p(std::exp(-1)), k < 7});
    trees.push_back({-std::log1p(std::exp(1)), k < 3});
  }
  const TreeOdds odds = fit_tree_odds(trees);
  EXPECT_NEAR(odds.offset, 0, 1e-9);
  EXPECT_NEAR(20 / (1 + std::exp(-odds.slope)) + odds.slope, 15, 1e-9);
}

TEST(FitTreeOdds, FindsTheNumbersBehindManyTrees) {
  const TreeOdds truth{.slope = 0.45, .offset = 0.6};
  Random random(7);
  std::vector<JudgedTree> trees;
  for (int k = 0; k < 40'000; ++k) {
    const double log_p = std::log(std::max(1e-9, random.uniform()));
    trees.push_back({log_p, random.chance(truth.probability(log_p))});
  }
  const TreeOdds found = fit_tree_odds(trees);
  EXPECT_NEAR(found.slope, truth.slope, 0.03);
  EXPECT_NEAR(found.offset, truth.offset, 0.05);
}

TEST(FitTreeOdds, StaysNearWhereItBeganWithNothingToLearnFrom) {
  EXPECT_EQ(fit_tree_odds({}), TreeOdds());
  // All wrong: without the squares the least loss would be infinitely far away. With them the slope
  // ends at 0 and the offset at the root of 20 / (1 + e^-b) + b = 0.
  const std::vector<JudgedTree> wrong(20, {std::log(0.9), false});
  const TreeOdds found = fit_tree_odds(wrong);
  EXPECT_EQ(found.slope, 0);
  EXPECT_NEAR(20 / (1 + std::exp(-found.offset)) + found.offset, 0, 1e-6);
}

// Odds that say 0.5, and 0.1, whatever the model says.
TEST(TreeProbabilities, LeaveTheOthersWhatTheFirstLeaves) {
  const std::vector<double> log_p = {std::log(0.8), std::log(0.1), std::log(0.05)};
  const auto half = tree_probabilities({.slope = 0, .offset = 0}, log_p);
  ASSERT_EQ(half.size(), 3U);
  EXPECT_NEAR(half[0], 0.5, 1e-12);
  EXPECT_NEAR(half[1], 0.25, 1e-12);
  EXPECT_NEAR(half[2], 0.125, 1e-12);
  const auto little = tree_probabilities({.slope = 0, .offset = -std::log(9)}, log_p);
  EXPECT_NEAR(little[0], 0.1, 1e-12);
  EXPECT_NEAR(little[1], 0.1, 1e-12) << "0.45, but none has more than the first";
  EXPECT_NEAR(little[2], 0.1, 1e-12);
  EXPECT_EQ(tree_probabilities({}, log_p)[1], std::exp(log_p[1]));
}

TEST(TreeProbabilities, AddUpToOneAtMostInTheirOrder) {
  Random random(3);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> mass(1 + random.below(6));
    for (double& each : mass) each = std::pow(random.uniform(), 8) + 1e-12;
    const double all = std::accumulate(mass.begin(), mass.end(), 0.0);
    std::sort(mass.rbegin(), mass.rend());
    std::vector<double> log_p = mass;
    // The sums are rounded as those of floats are.
    for (double& each : log_p) each = std::log(each / all) + 1e-6;
    const TreeOdds odds{.slope = 2 * random.uniform(), .offset = 4 * random.uniform() - 2};
    const auto found = tree_probabilities(odds, log_p);
    EXPECT_EQ(found.front(), odds.probability(log_p.front()));
    EXPECT_LE(std::accumulate(found.begin(), found.end(), 0.0), 1 + 1e-12);
    EXPECT_TRUE(std::is_sorted(found.rbegin(), found.rend()));
  }
}

}  // namespace
}  // namespace copse
