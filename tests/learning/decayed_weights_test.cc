#include "copse/learning/decayed_weights.h"

#include <gtest/gtest.h>

#include "copse/base/random.h"

namespace copse {
namespace {

// Against weights that are all multiplied and all added up at every step.
TEST(DecayedWeights, EqualTheDenseOnes) {
  for (const double factor : {1.0, 0.99, 0.3}) {  // the last makes the scale small within 8 steps
    Random random(1);
    constexpr std::size_t kSize = 7;
    std::vector<double> dense(kSize), sum(kSize, 0.0);
    for (double& weight : dense) weight = random.normal();
    DecayedWeights weights(dense);
    double steps = 0;
    for (int step = 0; step < 60; ++step) {
      if (step == 10) weights.begin_average();
      const double rate = random.uniform();
      const std::size_t touched = random.below(kSize);
      weights.shrink(factor);
      weights.change(-rate, [&](double by, std::span<double> out) { out[touched] += by * 2.5; });
      weights.end_step();
      for (double& weight : dense) weight *= factor;
      dense[touched] -= rate * 2.5;
      if (step < 10) continue;
      ++steps;
      for (std::size_t i = 0; i < kSize; ++i) sum[i] += dense[i];
    }
    for (std::size_t i = 0; i < kSize; ++i) {
      EXPECT_NEAR(weights.weight(i), dense[i], 1e-12);
      EXPECT_NEAR(weights.average(i), sum[i] / steps, 1e-10);
    }
    // What is kept goes on as it would have.
    DecayedWeights copy(weights.state());
    for (DecayedWeights* each : {&weights, &copy}) {
      each->shrink(factor);
      each->change(1, [](double by, std::span<double> out) { out[0] += by; });
      each->end_step();
    }
    for (std::size_t i = 0; i < kSize; ++i) EXPECT_EQ(weights.average(i), copy.average(i));
  }
}

TEST(DecayedWeights, WithoutStepsTheAverageIsTheWeight) {
  DecayedWeights weights({2.0});
  weights.begin_average();
  EXPECT_EQ(weights.average(0), 2);
  weights.replace({5.0});
  EXPECT_EQ(weights.average(0), 5);
}

}  // namespace
}  // namespace copse
