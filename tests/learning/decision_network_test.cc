// The network that reads histories: slopes against differences, histories side by side against one
// after the other, kernels against each other.
#include "copse/learning/decision_pass.h"

#include <gtest/gtest.h>

#include <cmath>

#include "copse/base/random.h"
#include "copse/learning/dense_kernels.h"

namespace copse {
namespace {

NetworkShape shape_of(bool gated, bool flat) {
  NetworkShape shape;
  shape.hidden = 5;
  shape.gated = gated;
  shape.roles = 3;
  shape.features = 6;
  shape.embedding = 4;
  shape.table = 7;
  shape.places = 2;
  if (flat) {
    shape.factors = {{1, 4, 3}};
  } else {
    shape.factors = {{1, 1, 1}, {4}, {9}};
  }
  return shape;
}

DecisionSteps random_history(const NetworkShape& shape, std::size_t steps, Random& random) {
  DecisionSteps out;
  const std::size_t items = 3;
  for (std::size_t i = 0; i < items; ++i) {
    for (int k = random.between(1, 3); k > 0; --k) {
      out.item_rows.push_back(static_cast<std::uint32_t>(random.below(shape.table)));
    }
    out.item_end.push_back(static_cast<std::uint32_t>(out.item_rows.size()));
  }
  for (std::size_t t = 0; t < steps; ++t) {
    for (std::size_t r = 0; r < shape.roles; ++r) {
      out.roles.push_back(static_cast<std::int32_t>(random.below(t + 1)) - 1);
    }
    for (std::size_t q = 0; q < shape.places; ++q) {
      out.places.push_back(random.between(-1, static_cast<int>(items) - 1));
    }
    for (int k = random.between(0, 2); k > 0; --k) {
      out.features.push_back(static_cast<std::uint32_t>(random.below(shape.features)));
    }
    out.feature_end.push_back(static_cast<std::uint32_t>(out.features.size()));
    for (std::uint32_t f = 0; f < shape.factors.size(); ++f) {
      if (!random.chance(0.7)) continue;
      // The row decides which group must be allowed.
      const auto row = static_cast<std::uint32_t>(random.below(shape.rows(f)));
      std::uint32_t group = 0, end = 0;
      while (row >= (end += static_cast<std::uint32_t>(shape.factors[f][group]))) ++group;
      const auto others = static_cast<std::uint32_t>(random.below(8));
      out.decisions.push_back({static_cast<std::uint32_t>(t), f, row, 1U << group | others});
    }
  }
  return out;
}

struct Case {
  Case(bool gated, bool flat, std::uint64_t seed) : network(shape_of(gated, flat)) {
    Random random(seed);
    network.start(seed, 0.7);
    for (const std::size_t steps : {4U, 7U, 1U, 5U}) {
      histories.push_back(random_history(network.shape(), steps, random));
    }
    for (const DecisionSteps& each : histories) pointers.push_back(&each);
  }
  DecisionNetwork<double> network;
  std::vector<DecisionSteps> histories;
  std::vector<const DecisionSteps*> pointers;
};

TEST(DecisionNetwork, SlopesAreThoseOfDifferences) {
  for (const bool gated : {false, true}) {
    for (const bool flat : {false, true}) {
      for (const Dropout& dropout : {Dropout{}, Dropout{0.3, 11}, Dropout{0, 11, 0.3, 0},
                                     Dropout{0, 11, 0, 0.3}, Dropout{0.2, 11, 0.2, 0.4}}) {
        Case c(gated, flat, 3);
        DecisionPass<double> pass;
        TransposedWeights<double> transposed;
        transposed.make(c.network);
        std::vector<double> gradient(c.network.weights().size(), 0.0);
        pass.run(c.network, c.pointers, &transposed, gradient, dropout);
        double largest = 0;
        for (std::size_t i = 0; i < gradient.size(); ++i) {
          constexpr double kStep = 1e-5;
          double& weight = c.network.weights()[i];
          const double before = weight;
          weight = before + kStep;
          const double more = pass.run(c.network, c.pointers, nullptr, {}, dropout);
          weight = before - kStep;
          const double less = pass.run(c.network, c.pointers, nullptr, {}, dropout);
          weight = before;
          EXPECT_NEAR(gradient[i], (more - less) / (2 * kStep), 1e-8) << gated << flat << " " << i;
          largest = std::max(largest, std::abs(gradient[i]));
        }
        EXPECT_GT(largest, 0.1);
      }
    }
  }
}

TEST(DecisionNetwork, HistoriesSideBySideAreAsAlone) {
  for (const bool gated : {false, true}) {
    const Case c(gated, false, 5);
    DecisionPass<double> together, alone;
    const double all = together.run(c.network, c.pointers);
    double sum = 0;
    for (std::size_t b = 0; b < c.pointers.size(); ++b) {
      const double loss = alone.run(c.network, std::span(&c.pointers[b], 1));
      EXPECT_DOUBLE_EQ(loss, together.loss(b));
      sum += loss;
      for (std::size_t t = 0; t < c.histories[b].steps(); ++t) {
        for (std::size_t k = 0; k < c.network.shape().hidden; ++k) {
          EXPECT_EQ(alone.hidden(t)[k], together.hidden(together.begin_of(b) + t)[k]);
        }
      }
    }
    EXPECT_NEAR(all, sum, 1e-12);
  }
}

// A plain cell with one role by hand: s_0 = sigmoid(b + m), s_1 = sigmoid(b + R s_0).
TEST(DecisionNetwork, PlainCellByHand) {
  NetworkShape shape;
  shape.hidden = 1;
  shape.roles = 1;
  shape.factors = {{2}};
  DecisionNetwork<double> network(shape);
  ASSERT_EQ(network.weights().size(), 1U + 1 + 1 + 2 + 2);
  const std::vector<double> weights{0.25, 2.0, -0.5, 1.0, -1.0, 0.1, 0.3};  // b R m theta biases
  std::ranges::copy(weights, network.weights().begin());
  DecisionSteps history;
  history.roles = {kNoStep, 0};
  history.feature_end = {0, 0};
  history.decisions = {{1, 0, 1, 1}};
  const DecisionSteps* one = &history;
  DecisionPass<double> pass;
  const double loss = pass.run(network, std::span(&one, 1));
  const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
  const double s0 = sigmoid(0.25 - 0.5), s1 = sigmoid(0.25 + 2 * s0);
  EXPECT_NEAR(pass.hidden(1)[0], s1, 1e-15);
  EXPECT_NEAR(loss, std::log(1 + std::exp((s1 + 0.1) - (-s1 + 0.3))), 1e-14);
}

TEST(DecisionNetwork, SoftmaxLeavesOutWhatIsNotAllowed) {
  std::vector<double> x{1, 2, 3, 4, 5, 6};
  const double normaliser = softmax<double>({1, 2, 3}, 0b101, x);
  const double sum = std::exp(1) + std::exp(4) + std::exp(5) + std::exp(6);
  EXPECT_NEAR(normaliser, std::log(sum), 1e-12);
  EXPECT_NEAR(x[0], std::exp(1) / sum, 1e-15);
  EXPECT_EQ(x[1], 0);
  EXPECT_EQ(x[2], 0);
  EXPECT_NEAR(x[5], std::exp(6) / sum, 1e-15);
}

template <class T>
void products_agree() {
  Random random(7);
  for (int time = 0; time < 40; ++time) {
    const auto m = static_cast<std::size_t>(random.between(1, 9));
    const auto k = static_cast<std::size_t>(random.between(1, 300));
    const auto n = static_cast<std::size_t>(random.between(1, 40));
    const bool turned = random.chance(0.5);
    std::vector<T> a(m * k), b(k * n), start(m * n);
    for (auto* each : {&a, &b, &start}) {
      for (T& value : *each) value = static_cast<T>(random.normal());
    }
    std::vector<T> slow = start;
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t p = 0; p < k; ++p) {
          slow[i * n + j] += (turned ? a[p * m + i] : a[i * k + p]) * b[p * n + j];
        }
      }
    }
    for (const auto* kernels : {&baseline_dense_kernels<T>(), avx2_dense_kernels<T>()}) {
      if (kernels == nullptr) continue;
      std::vector<T> c = start;
      kernels->multiply_add(
          {m, k, n, a.data(), turned ? 1 : k, turned ? m : 1, b.data(), n, c.data(), n});
      EXPECT_EQ(c, slow);
    }
  }
}

TEST(DenseKernels, ProductsAreTheSameBitsOnAnyMachine) {
  products_agree<float>();
  products_agree<double>();
}

TEST(DenseKernels, FunctionsAreCloseAndTheSameOnAnyMachine) {
  std::vector<float> x;
  for (float value = -100; value < 100; value += 0.37F) x.push_back(value);
  std::vector<float> base = x, squashed = x, power = x;
  baseline_dense_kernels<float>().sigmoid(base.data(), base.size());
  baseline_dense_kernels<float>().tanh(squashed.data(), squashed.size());
  baseline_dense_kernels<float>().exp_less(power.data(), 100, power.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(base[i], 1 / (1 + std::exp(-static_cast<double>(x[i]))), 1e-6);
    EXPECT_NEAR(squashed[i], std::tanh(static_cast<double>(x[i])), 1e-6);
    const double right = std::exp(static_cast<double>(x[i]) - 100);
    if (right > 1e-37) {
      EXPECT_NEAR(power[i] / right, 1, 1e-5);
    }
  }
  if (avx2_dense_kernels<float>() == nullptr) return;
  std::vector<float> other = x;
  avx2_dense_kernels<float>()->sigmoid(other.data(), other.size());
  EXPECT_EQ(other, base);
}

}  // namespace
}  // namespace copse
