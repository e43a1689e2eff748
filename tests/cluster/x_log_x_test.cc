#include "copse/cluster/x_log_x.h"

#include <gtest/gtest.h>

#include <cmath>

#include "copse/base/random.h"

namespace copse {
namespace {

long double true_value(std::uint64_t x) {
  const auto wide = static_cast<long double>(x);
  return wide * std::log2(wide) * (1 << kFixedFraction);
}

TEST(XLogX, IsTheTrueValueRounded) {
  const XLogX f;
  EXPECT_EQ(f(0), 0);
  EXPECT_EQ(f(1), 0);
  for (std::uint64_t x = 1; x < 2 * XLogX::kTabled; ++x) {
    ASSERT_NEAR(static_cast<double>(static_cast<long double>(f(x)) - true_value(x)), 0, 0.5001)
        << x;
  }
  Random random(3);
  for (int i = 0; i < 200000; ++i) {
    const std::uint64_t x = 1 + random.next() % (std::uint64_t{1} << random.between(1, 36));
    const double allowed = x < (std::uint64_t{1} << 30) ? 0.51 : 1;
    ASSERT_NEAR(static_cast<double>(static_cast<long double>(f(x)) - true_value(x)), 0, allowed)
        << x;
  }
}

TEST(XLogX, IsExactAtPowersOfTwo) {
  const XLogX f;
  for (int e = 0; e <= 36; ++e) {
    EXPECT_EQ(f(std::uint64_t{1} << e), Fixed{e} << (e + kFixedFraction));
  }
}

TEST(XLogX, JointIsTheLossOfTwoCells) {
  const XLogX f;
  EXPECT_EQ(f.joint(0, 5), 0);
  EXPECT_EQ(f.joint(5, 0), 0);
  EXPECT_EQ(f.joint(1, 1), Fixed{2} << kFixedFraction);
  EXPECT_EQ(f.joint(70000, 3), f(70003) - f(70000) - f(3));
}

}  // namespace
}  // namespace copse
