#include "copse/base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace copse {
namespace {

TEST(Random, SameSeedSameNumbers) {
  Random a(42);
  Random b(42);
  Random c(43);
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const auto value = a.next();
    EXPECT_EQ(value, b.next());
    differs = differs || value != c.next();
  }
  EXPECT_TRUE(differs);
}

TEST(Random, BelowIsUniform) {
  Random random(7);
  std::array<int, 6> counts{};
  constexpr int kRounds = 60000;
  for (int i = 0; i < kRounds; ++i) ++counts[random.below(6)];
  double chi_square = 0;
  for (const int count : counts) chi_square += std::pow(count - kRounds / 6.0, 2) / (kRounds / 6.0);
  EXPECT_LT(chi_square, 20.5);  // 5 degrees of freedom, p = 0.001
}

TEST(Random, DrawFollowsTheWeightsAndSkipsZero) {
  Random random(3);
  const std::vector<double> weights{0.0, 1.0, 3.0, 0.0};
  std::array<int, 4> counts{};
  for (int i = 0; i < 40000; ++i) ++counts[random.draw(weights)];
  EXPECT_EQ(counts[0], 0);
  EXPECT_EQ(counts[3], 0);
  EXPECT_NEAR(counts[2] / 40000.0, 0.75, 0.01);
}

TEST(Random, NormalHasMeanZeroAndVarianceOne) {
  Random random(11);
  double sum = 0;
  double squares = 0;
  constexpr int kRounds = 50000;
  for (int i = 0; i < kRounds; ++i) {
    const double value = random.normal();
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / kRounds, 0, 0.02);
  EXPECT_NEAR(squares / kRounds, 1, 0.03);
}

TEST(Random, ShuffleKeepsTheItems) {
  Random random(5);
  std::vector<int> items(50);
  for (int i = 0; i < 50; ++i) items[static_cast<std::size_t>(i)] = i;
  auto shuffled = items;
  random.shuffle(std::span(shuffled));
  EXPECT_NE(shuffled, items);
  std::sort(shuffled.begin(), shuffled.end());
  EXPECT_EQ(shuffled, items);
}

}  // namespace
}  // namespace copse
