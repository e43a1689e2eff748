// Features derived from models: closed forms against differences, the Gram form against features
// that are written out, gradients of networks against differences.
#include "copse/learning/top_perceptron.h"

#include <gtest/gtest.h>

#include <cmath>

#include "copse/base/random.h"
#include "copse/learning/decision_gradient.h"

namespace copse {
namespace {

struct Lists {
  std::vector<double> log_probability, quality;
  std::vector<std::vector<double>> g;
};

Lists random_list(Random& random, std::size_t count, std::size_t width) {
  Lists out;
  for (std::size_t k = 0; k < count; ++k) {
    out.log_probability.push_back(-20 + random.normal());
    out.quality.push_back(static_cast<double>(random.between(0, 4)) * 20);
    auto& g = out.g.emplace_back();
    for (std::size_t i = 0; i < width; ++i) g.push_back(random.normal());
  }
  return out;
}

// phi of all candidates, base first.
std::vector<std::vector<double>> written_out(const DerivedList& list,
                                             const std::vector<std::vector<double>>& g) {
  std::vector<std::vector<double>> out;
  for (std::size_t k = 0; k < list.size(); ++k) {
    auto& phi = out.emplace_back(1, list.base[k]);
    std::vector<double> c(list.size(), 0.0);
    list.add(k, 1, c);
    for (std::size_t i = 0; i < g[k].size(); ++i) {
      double sum = 0;
      for (std::size_t t = 0; t < g.size(); ++t) sum += c[t] * g[t][i];
      phi.push_back(sum);
    }
  }
  return out;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// v_k as a function of theta, where ln P_t = l_t + <theta, g_t>: its slopes at 0 are the features.
TEST(DerivedFeatures, TopIsTheSlopeOfTheLogOdds) {
  Random random(4);
  const Lists list = random_list(random, 5, 3);
  const DerivedList derived = derived_list(DerivedKernel::top, list.log_probability, 0);
  const auto phi = written_out(derived, list.g);
  const auto v = [&](std::size_t k, std::size_t i, double step) {
    double others = 0;
    for (std::size_t t = 0; t < 5; ++t) {
      if (t != k) others += std::exp(list.log_probability[t] + step * list.g[t][i]);
    }
    return list.log_probability[k] + step * list.g[k][i] - std::log(others);
  };
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_NEAR(phi[k][0], v(k, 0, 0), 1e-12);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(phi[k][i + 1], (v(k, i, 1e-5) - v(k, i, -1e-5)) / 2e-5, 1e-8);
    }
  }
}

TEST(DerivedFeatures, OfOneThatHasNearlyAllTheProbability) {
  const std::vector<double> sure{-10, -2000, -3000};
  const DerivedList list = derived_list(DerivedKernel::top, sure, 0);
  EXPECT_NEAR(list.base[0], 1990, 1e-9);
  EXPECT_EQ(list.factor[0], 1e30);
  EXPECT_EQ(derived_list(DerivedKernel::top, sure, 1000).factor[0], 1000);
  EXPECT_EQ(list.factor[1], 1);
  const std::vector<double> nearly{0, -40};
  EXPECT_NEAR(derived_list(DerivedKernel::top, nearly, 0).factor[0] / std::exp(40), 1, 1e-12);
}

TEST(DerivedFeatures, FisherIsTheGradientItself) {
  Random random(4);
  const Lists list = random_list(random, 3, 2);
  const auto phi =
      written_out(derived_list(DerivedKernel::fisher, list.log_probability, 0), list.g);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(phi[k], (std::vector<double>{list.log_probability[k], list.g[k][0], list.g[k][1]}));
  }
}

// Lists one after the other, by the Gram matrix and with features written out.
TEST(DerivedPerceptron, GramFormIsTheOneWithFeaturesWrittenOut) {
  for (const DerivedKernel kernel : {DerivedKernel::fisher, DerivedKernel::top}) {
    for (const double unit : {1.0, 0.01}) {
      Random random(8);
      const std::size_t width = 4;
      std::vector<double> w(width + 1, 0.0), by_gram(width + 1, 0.0);
      std::size_t updates = 0;
      for (int time = 0; time < 30; ++time) {
        Lists list = random_list(random, static_cast<std::size_t>(random.between(2, 6)), width);
        for (double& each : list.quality) each *= unit;
        const std::size_t count = list.g.size();
        const DerivedList derived = derived_list(kernel, list.log_probability, 0);
        const std::size_t best = best_by_quality(list.quality, list.log_probability);
        const auto phi = written_out(derived, list.g);
        std::vector<double> a, gram;
        for (std::size_t t = 0; t < count; ++t) {
          a.push_back(dot({by_gram.begin() + 1, by_gram.end()}, list.g[t]));
          for (std::size_t u = 0; u < count; ++u) gram.push_back(dot(list.g[t], list.g[u]));
        }
        for (std::size_t k = 0; k < count; ++k) {
          EXPECT_NEAR(derived.score(k, by_gram[0], a), dot(w, phi[k]), 1e-6);
        }
        for (std::size_t k = 0; k < count; ++k) {
          const double loss = list.quality[best] - list.quality[k];
          if (loss <= 0 || dot(w, phi[k]) < dot(w, phi[best])) continue;
          for (std::size_t i = 0; i <= width; ++i) w[i] += loss * (phi[best][i] - phi[k][i]);
        }
        const auto update = learn_list(derived, list.quality, best, by_gram[0], a, gram);
        updates += update.updates;
        by_gram[0] += update.base;
        for (std::size_t t = 0; t < count; ++t) {
          for (std::size_t i = 0; i < width; ++i) {
            by_gram[i + 1] += update.coefficients[t] * list.g[t][i];
          }
        }
        for (std::size_t i = 0; i <= width; ++i) ASSERT_NEAR(by_gram[i], w[i], 1e-6 * unit);
      }
      EXPECT_GT(updates, 10U);
    }
  }
}

TEST(DerivedPerceptron, TheBaseAloneIsTheOrderOfTheModel) {
  Random random(3);
  const Lists list = random_list(random, 6, 1);
  const std::vector<double> none(6, 0.0);
  for (const DerivedKernel kernel : {DerivedKernel::fisher, DerivedKernel::top}) {
    const DerivedList derived = derived_list(kernel, list.log_probability, 0);
    for (std::size_t j = 0; j < 6; ++j) {
      for (std::size_t k = 0; k < 6; ++k) {
        EXPECT_EQ(derived.score(j, 1, none) < derived.score(k, 1, none),
                  list.log_probability[j] < list.log_probability[k]);
      }
    }
  }
}

TEST(DerivedPerceptron, LearnsNothingFromEqualQuality) {
  const std::vector<double> l{-1, -2}, same{50, 50}, none{0, 0}, gram{1, 0, 0, 1};
  const DerivedList list = derived_list(DerivedKernel::top, l, 0);
  EXPECT_EQ(best_by_quality(same, l), 0U);
  EXPECT_EQ(best_by_quality(same, std::vector<double>{-2, -1}), 1U);
  EXPECT_EQ(learn_list(list, same, 0, 0, none, gram).updates, 0U);
  EXPECT_EQ(learn_list(list, std::vector<double>{50, 20}, 0, 0, none, gram).updates, 1U);
}

// Of ln P by theta, exact and with the normaliser left out.
TEST(DecisionGradient, IsThatOfDifferences) {
  NetworkShape shape;
  shape.hidden = 3;
  shape.roles = 1;
  shape.features = 2;
  shape.factors = {{1, 1}, {3}};
  DecisionNetwork<float> network(shape);
  network.start(5, 1.0);
  DecisionSteps history;
  history.roles = {kNoStep, 0, 1};
  history.features = {0, 1, 0};
  history.feature_end = {1, 2, 3};
  history.decisions = {{0, 0, 1, 3}, {0, 1, 2, 1}, {1, 0, 0, 1}, {2, 1, 0, 1}};
  const DecisionSteps* one = &history;
  DecisionPass<float> pass;
  const auto exact = output_gradients(network, std::span(&one, 1), true, pass);
  const auto frozen = output_gradients(network, std::span(&one, 1), false, pass);
  DecisionNetwork<double> precise(shape);
  std::ranges::copy(network.weights(), precise.weights().begin());
  DecisionPass<double> slow;
  const auto loss = [&] { return slow.run(precise, std::span(&one, 1)); };
  EXPECT_NEAR(exact[0].log_probability, -loss(), 1e-5);
  const auto& at = network.layout();
  ASSERT_EQ(exact[0].rows.rows.size(), 5U);
  EXPECT_EQ(frozen[0].rows.rows, (std::vector<std::uint64_t>{0, 1, 2, 4}));
  for (std::size_t i = 0; i < 5; ++i) {
    const std::size_t row = exact[0].rows.rows[i];
    const std::size_t factor = row < 2 ? 0 : 1, in = row < 2 ? row : row - 2,
                      n = shape.rows(factor);
    for (std::size_t k = 0; k <= 3; ++k) {
      double& weight =
          precise.weights()[k < 3 ? at.theta[factor] + k * n + in : at.theta_bias[factor] + in];
      const double before = weight;
      weight = before + 1e-4;
      const double more = loss();
      weight = before - 1e-4;
      const double less = loss();
      weight = before;
      EXPECT_NEAR(exact[0].rows.values[i * 4 + k], (less - more) / 2e-4, 1e-5);
    }
  }
  // Row 4 is chosen at step 0 alone.
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(frozen[0].rows.values[12 + k], pass.hidden(0)[k]);
  }
  EXPECT_EQ(frozen[0].rows.values[15], 1);
  EXPECT_NEAR(dot_product(frozen[0].rows, exact[0].rows, 4),
              dot_product(exact[0].rows, frozen[0].rows, 4), 1e-12);
}

}  // namespace
}  // namespace copse
