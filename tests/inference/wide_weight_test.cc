#include "copse/inference/wide_weight.h"

#include <gtest/gtest.h>

#include <cmath>

#include "copse/base/random.h"

namespace copse {
namespace {

TEST(WideWeight, AgreesWithDoublesWithinTheirRange) {
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const double x = 100 * random.normal();
    const double y = 100 * random.normal();
    const auto a = WideWeight::exp(x);
    const auto b = WideWeight::exp(y);
    const double p = std::exp(x);
    const double q = std::exp(y);
    EXPECT_NEAR(a.plain() / p, 1, 1e-13);
    EXPECT_NEAR((a + b).plain() / (p + q), 1, 1e-13);
    EXPECT_NEAR((a * b).plain() / (p * q), 1, 1e-13);
    EXPECT_NEAR((a / b).plain() / (p / q), 1, 1e-13);
    EXPECT_NEAR(a.log(), x, 1e-11);
    EXPECT_EQ(a < b, x < y);
  }
}

TEST(WideWeight, ReachesFarBeyondTheRangeOfDoubles) {
  const auto tiny = WideWeight::exp(-1e15);
  const auto huge = WideWeight::exp(1e15);
  EXPECT_FALSE(tiny.is_zero());
  EXPECT_EQ(tiny.plain(), 0);
  EXPECT_TRUE(std::isinf(huge.plain()));
  EXPECT_EQ((tiny + tiny).plain(), 0);
  EXPECT_NEAR(((tiny + tiny) / tiny).plain(), 2, 1e-15);
  EXPECT_NEAR((tiny * huge).plain(), 1, 0.2);  // the rest of 1e15 / ln 2 has few digits
  EXPECT_TRUE(tiny < huge);
}

TEST(WideWeight, ZeroIsZero) {
  const WideWeight zero;
  const auto one = WideWeight::exp(0);
  EXPECT_TRUE(WideWeight::exp(-HUGE_VAL).is_zero());
  EXPECT_TRUE((zero * one).is_zero());
  EXPECT_TRUE((zero / one).is_zero());
  EXPECT_TRUE((zero + zero).is_zero());
  EXPECT_EQ((zero + one).plain(), 1);
  EXPECT_TRUE(zero < WideWeight::exp(-1e15));
  EXPECT_EQ(zero.log(), -HUGE_VAL);
}

}  // namespace
}  // namespace copse
