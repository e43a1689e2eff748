#include "copse/cluster/fixed_log.h"

#include <gtest/gtest.h>

#include <cmath>

#include "copse/base/random.h"

namespace copse {
namespace {

void ExpectRounded(const FixedLog& logs, std::uint64_t x) {
  const long double truth =
      std::log2(static_cast<long double>(x)) * static_cast<long double>(1LL << logs.fraction());
  ASSERT_NEAR(static_cast<double>(static_cast<long double>(logs.log(x)) - truth), 0, 0.5001) << x;
  ASSERT_EQ(logs.f(x), static_cast<Fixed>(x) * logs.log(x)) << x;
}

TEST(FixedLog, IsTheTrueValueRounded) {
  for (const int fraction : {1, 20, 33, 40}) {
    SCOPED_TRACE(fraction);
    const FixedLog logs(fraction);
    EXPECT_EQ(logs.f(0), 0);
    EXPECT_EQ(logs.log(1), 0);
    for (std::uint64_t x = 1; x < 2 * FixedLog::kTabled; x += 7) ExpectRounded(logs, x);
  }
  const FixedLog logs(FixedLog::fraction_for(FixedLog::kLargestTotal));
  Random random(3);
  for (int i = 0; i < 20000; ++i) {
    ExpectRounded(logs, 1 + random.next() % (std::uint64_t{1} << random.between(1, 36)));
  }
}

TEST(FixedLog, IsExactAtPowersOfTwo) {
  const FixedLog logs(20);
  for (int e = 0; e <= 36; ++e) EXPECT_EQ(logs.log(std::uint64_t{1} << e), Fixed{e} << 20);
}

TEST(FixedLog, LeavesRoomForSumsOfAFewLargestValues) {
  for (int e = 0; e <= 36; ++e) {
    const std::uint64_t total = std::uint64_t{1} << e;
    const FixedLog logs(FixedLog::fraction_for(total));
    EXPECT_LT(static_cast<double>(logs.f(total)) * 8, 0x1p63) << e;
    EXPECT_TRUE(logs.fraction() == 40 || logs.fraction() >= 16) << logs.fraction();
  }
}

TEST(FixedLog, JoiningTwoCellsLosesG) {
  const FixedLog logs(30);
  EXPECT_EQ(logs.g(0, 5), 0);
  EXPECT_EQ(logs.g(5, 0), 0);
  EXPECT_EQ(logs.g(1, 1), Fixed{2} << 30);
  EXPECT_EQ(logs.g(70000, 3), logs.f(70003) - logs.f(70000) - logs.f(3));
}

}  // namespace
}  // namespace copse
