// Honest probabilities: the error that is measured and the temperature that is chosen.
#include "copse/dependency/calibration.h"

#include <gtest/gtest.h>

#include <cmath>

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

}  // namespace
}  // namespace copse
