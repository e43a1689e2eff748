// Every kernel, in both instruction sets, against the obvious loop; all lengths around the width of
// a vector.
#include "copse/inference/lane_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "copse/base/random.h"

namespace copse {
namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

std::vector<const LaneKernels*> sets() {
  std::vector<const LaneKernels*> all{&baseline_lane_kernels()};
  if (avx2_lane_kernels() != nullptr) all.push_back(avx2_lane_kernels());
  return all;
}

template <class Real>
std::vector<Real> random_row(int n, Random& random) {
  std::vector<Real> row(static_cast<std::size_t>(n));
  for (Real& x : row)
    x = random.chance(0.1) && sizeof(Real) == 4 ? static_cast<Real>(kMinusInfinity)
                                                : static_cast<Real>(random.normal());
  return row;
}

TEST(LaneKernels, MaximaEqualTheLoop) {
  Random random(1);
  for (const LaneKernels* kernels : sets())
    for (int n = 0; n <= 40; ++n) {
      SCOPED_TRACE(std::string(kernels->name) + " n=" + std::to_string(n));
      const auto a = random_row<float>(n, random);
      const auto b = random_row<float>(n, random);
      const auto q = random_row<float>(n, random);
      float best = kMinusInfinity;
      float pair = kMinusInfinity;
      float triple = kMinusInfinity;
      std::vector<float> one(a.size(), -1.0F);
      std::vector<float> two(a.size(), -1.0F);
      for (std::size_t k = 0; k < a.size(); ++k) {
        best = std::max(best, a[k]);
        pair = std::max(pair, a[k] + b[k]);
        triple = std::max(triple, a[k] + b[k] + q[k]);
        one[k] = std::max({one[k], a[k] + 0.5F, b[k] - 0.5F});
        two[k] = std::max({two[k], a[k] + 0.5F + b[k], b[k] - 0.5F + q[k]});
      }
      EXPECT_EQ(kernels->best(a.data(), n), best);
      EXPECT_EQ(kernels->best_pair(a.data(), b.data(), n), pair);
      EXPECT_EQ(kernels->best_triple(a.data(), b.data(), q.data(), n), triple);
      EXPECT_EQ(kernels->largest(a.data(), n), best);
      std::vector<float> out(a.size(), -1.0F);
      const LaneKernels::Term single[] = {{a.data(), nullptr, 0.5F}, {b.data(), nullptr, -0.5F}};
      kernels->max_terms(out.data(), n, single, 2);
      EXPECT_EQ(out, one);
      std::fill(out.begin(), out.end(), -1.0F);
      const LaneKernels::Term pairs[] = {{a.data(), b.data(), 0.5F}, {b.data(), q.data(), -0.5F}};
      kernels->max_pair_terms(out.data(), n, pairs, 2);
      EXPECT_EQ(out, two);
    }
}

TEST(LaneKernels, SumsEqualTheLoopAndDoNotDependOnTheInstructionSet) {
  Random random(2);
  for (int n = 0; n <= 40; ++n) {
    const auto a = random_row<double>(n, random);
    const auto b = random_row<double>(n, random);
    const auto c = random_row<double>(n, random);
    double sum = 0;
    double dot = 0;
    double dot3 = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      sum += a[k];
      dot += a[k] * b[k];
      dot3 += a[k] * b[k] * c[k];
    }
    for (const LaneKernels* kernels : sets()) {
      SCOPED_TRACE(std::string(kernels->name) + " n=" + std::to_string(n));
      EXPECT_NEAR(kernels->sum(a.data(), n), sum, 1e-13);
      EXPECT_NEAR(kernels->dot(a.data(), b.data(), n), dot, 1e-13);
      EXPECT_NEAR(kernels->dot3(a.data(), b.data(), c.data(), n), dot3, 1e-13);
      EXPECT_EQ(kernels->dot3(a.data(), b.data(), c.data(), n),
                baseline_lane_kernels().dot3(a.data(), b.data(), c.data(), n));
      auto axpy = c;
      auto pair = c;
      auto cross_a = c;
      auto cross_b = c;
      std::vector<double> product(a.size());
      auto scaled = a;
      kernels->axpy(axpy.data(), a.data(), 2.0, n);
      kernels->axpy_pair(pair.data(), a.data(), b.data(), 2.0, n);
      kernels->axpy_cross(cross_a.data(), cross_b.data(), a.data(), b.data(), 2.0, n);
      kernels->product(product.data(), a.data(), b.data(), 2.0, n);
      kernels->scale(scaled.data(), 2.0, n);
      for (std::size_t k = 0; k < a.size(); ++k) {
        EXPECT_DOUBLE_EQ(axpy[k], c[k] + 2.0 * a[k]);
        EXPECT_DOUBLE_EQ(pair[k], c[k] + 2.0 * a[k] * b[k]);
        EXPECT_DOUBLE_EQ(cross_a[k], c[k] + 2.0 * b[k]);
        EXPECT_DOUBLE_EQ(cross_b[k], c[k] + 2.0 * a[k]);
        EXPECT_DOUBLE_EQ(product[k], 2.0 * a[k] * b[k]);
        EXPECT_DOUBLE_EQ(scaled[k], 2.0 * a[k]);
      }
    }
  }
}

TEST(LaneKernels, ExponentialIsWithinTwoUnitsInTheLastPlace) {
  Random random(3);
  for (const LaneKernels* kernels : sets())
    for (const double range : {1.0, 30.0, 700.0})
      for (int n = 0; n <= 20; ++n) {
        std::vector<float> q(static_cast<std::size_t>(n));
        std::vector<float> p(q.size());
        for (float& x : q) x = static_cast<float>((random.uniform() * 2 - 1) * range / 2);
        for (float& x : p) x = static_cast<float>((random.uniform() * 2 - 1) * range / 2);
        std::vector<double> out(q.size());
        std::vector<double> values(q.begin(), q.end());
        kernels->exp_parts(out.data(), q.data(), p.data(), n);
        kernels->exp_values(values.data(), n);
        for (std::size_t k = 0; k < q.size(); ++k) {
          const double exact = std::exp(static_cast<double>(q[k]) + static_cast<double>(p[k]));
          EXPECT_NEAR(out[k] / exact, 1.0, 4.5e-16);
          EXPECT_NEAR(values[k] / std::exp(static_cast<double>(q[k])), 1.0, 4.5e-16);
        }
      }
}

TEST(LaneKernels, ExponentialOfZeroIsOneAndOfMinusInfinityZero) {
  for (const LaneKernels* kernels : sets()) {
    const std::vector<float> q{0.0F, kMinusInfinity, -709.0F, -1e15F, 1.0F};
    std::vector<double> out(q.size());
    kernels->exp_parts(out.data(), q.data(), nullptr, 5);
    EXPECT_EQ(out[0], 1.0);
    EXPECT_EQ(out[1], 0.0);
    EXPECT_EQ(out[2], 0.0);
    EXPECT_EQ(out[3], 0.0);
    EXPECT_DOUBLE_EQ(out[4], std::exp(1.0));
  }
}

TEST(LaneKernels, RangeCheckSeesEveryKindOfBadScoreInEveryPlace) {
  for (const LaneKernels* kernels : sets())
    for (std::size_t n = 1; n <= 20; ++n)
      for (std::size_t place = 0; place < n; ++place) {
        std::vector<float> q(n, 1.0F);
        const auto fine = [&] {
          return kernels->all_within(q.data(), 1e15F, static_cast<long>(n));
        };
        q[place] = kMinusInfinity;
        EXPECT_TRUE(fine());
        for (const float bad :
             {std::numeric_limits<float>::quiet_NaN(), -kMinusInfinity, 1.1e15F, -1.1e15F}) {
          q[place] = bad;
          EXPECT_FALSE(fine());
        }
      }
}

}  // namespace
}  // namespace copse
