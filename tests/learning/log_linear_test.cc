// Log-linear training by L-BFGS against differences, and against its sisters: AdaGrad and
// exponentiated gradient must come to the same objective.
#include "copse/learning/log_linear.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "copse/base/error.h"
#include "copse/learning/exponentiated_gradient.h"
#include "copse/learning/online.h"
#include "tests/learning/toy_parts.h"

namespace copse {
namespace {

ToyOptions noisy(std::uint64_t seed) {
  ToyOptions options;
  options.examples = 10;
  options.slots = 3;
  options.separable = false;
  options.seed = seed;
  return options;
}

std::vector<float> trained(const ToyParts& problem, double variance, int threads = 1) {
  ThreadTeam team(threads);
  LogLinearOptions options;
  options.variance = variance;
  options.iterations = 300;
  options.tolerance = 1e-9;
  std::vector<float> weights;
  learn_log_linear(problem, weights, options, team);
  return weights;
}

TEST(LogLinearObjective, TheGradientIsThatOfDifferences) {
  const ToyParts problem(noisy(3));
  ThreadTeam team(1);
  Alone alone;
  LogLinearObjective<ToyParts> objective(problem, team, alone);
  Random random(5);
  std::vector<float> w(problem.dimension());
  for (float& weight : w) weight = static_cast<float>(random.normal());
  std::vector<double> gradient(w.size(), 77.0);
  const std::vector<double> at(w.begin(), w.end());
  const double value = objective(at, gradient);
  const double none = std::numeric_limits<double>::infinity();
  EXPECT_NEAR(value, log_linear_objective(problem, w, none), 1e-9);
  for (std::size_t j = 0; j < w.size(); ++j) {
    std::vector<float> above(w);
    std::vector<float> below(w);
    above[j] += 0x1p-7F;
    below[j] -= 0x1p-7F;
    const double slope =
        (log_linear_objective(problem, above, none) - log_linear_objective(problem, below, none)) /
        (double{above[j]} - below[j]);
    EXPECT_NEAR(gradient[j], slope, 2e-4) << "feature " << j;
  }
}

TEST(LogLinearObjective, TheNumberOfThreadsDoesNotChangeABit) {
  const ToyParts problem(noisy(3));
  const std::vector<double> w(problem.dimension(), 0.3);
  std::vector<std::vector<double>> gradients;
  std::vector<double> values;
  for (const int threads : {1, 2, 3}) {
    ThreadTeam team(threads);
    Alone alone;
    LogLinearObjective<ToyParts> objective(problem, team, alone);
    gradients.emplace_back(w.size());
    values.push_back(objective(w, gradients.back()));
    EXPECT_EQ(values.back(), values.front());
    EXPECT_EQ(gradients.back(), gradients.front());
  }
}

TEST(LearnLogLinear, TheNumberOfThreadsDoesNotChangeABit) {
  const ToyParts problem(noisy(4));
  const std::vector<float> one = trained(problem, 2);
  EXPECT_EQ(trained(problem, 2, 2), one);
  EXPECT_EQ(trained(problem, 2, 3), one);
}

TEST(LearnLogLinear, NoStepFromTheResultLeadsDown) {
  const ToyParts problem(noisy(6));
  const std::vector<float> w = trained(problem, 0.5);
  const double least = log_linear_objective(problem, w, 0.5);
  EXPECT_LT(least, log_linear_objective(problem, std::vector<float>(w.size()), 0.5) - 0.1);
  for (std::size_t j = 0; j < w.size(); ++j) {
    for (const float by : {-0.02F, 0.02F}) {
      std::vector<float> moved(w);
      moved[j] += by;
      EXPECT_GT(log_linear_objective(problem, moved, 0.5), least);
    }
  }
}

TEST(LearnLogLinear, AdaGradAndExponentiatedGradientComeToTheSameObjective) {
  for (const std::uint64_t seed : {7U, 8U}) {
    const double variance = 2;
    const ToyParts problem(noisy(seed));
    const double least = log_linear_objective(problem, trained(problem, variance), variance);

    ThreadTeam team(1);
    OnlineOptions online;
    online.rule = OnlineRule::log_linear;
    online.variance = variance;
    online.least_slope = 0;
    online.rate = 0.5;
    online.batch = 10;
    OnlineLearner<ToyParts> adagrad(problem, online, team);
    for (int pass = 0; pass < 400; ++pass) adagrad.pass();
    EXPECT_NEAR(log_linear_objective(problem, adagrad.state().weights, variance), least, 1e-4);

    ExponentiatedGradientOptions dual;
    dual.loss = DualLoss::log_linear;
    dual.variance = variance;
    ExponentiatedGradient<ToyParts> eg(problem, dual);
    for (int pass = 0; pass < 100; ++pass) eg.pass();
    EXPECT_NEAR(log_linear_objective(problem, eg.weights(), variance), least, 1e-4);
    EXPECT_NEAR(eg.primal(), variance * least, 1e-4);
  }
}

TEST(LearnLogLinear, TheReportSeesTheWeightsOfEachIterationAndMayStop) {
  const ToyParts problem(noisy(9));
  ThreadTeam team(1);
  std::vector<float> seen;
  LogLinearOptions options;
  options.progress = [&](int iteration, double value, std::span<const float> weights) {
    EXPECT_NEAR(value, log_linear_objective(problem, weights, options.variance), 1e-4);
    seen.assign(weights.begin(), weights.end());
    return iteration < 3;
  };
  std::vector<float> weights;
  const Minimum minimum = learn_log_linear(problem, weights, options, team);
  EXPECT_EQ(minimum.iterations, 3);
  EXPECT_FALSE(minimum.converged);
  EXPECT_EQ(minimum.reason, "asked to stop");
  EXPECT_EQ(weights, seen);
}

TEST(LearnLogLinear, StartsFromTheWeightsGiven) {
  const ToyParts problem(noisy(10));
  std::vector<float> weights = trained(problem, 1);
  ThreadTeam team(1);
  LogLinearOptions options;
  double first = 0;
  options.progress = [&](int, double value, std::span<const float>) {
    first = value;
    return false;
  };
  const double least = log_linear_objective(problem, weights, 1);
  learn_log_linear(problem, weights, options, team);
  EXPECT_NEAR(log_linear_objective(problem, weights, 1), least, 1e-4);
  EXPECT_LT(first, least + 1e-4);
}

TEST(LearnLogLinear, ExceptionsPassThroughAndChangeNothing) {
  const ToyParts problem(noisy(11));
  ThreadTeam team(2);
  LogLinearOptions options;
  options.progress = [](int, double, std::span<const float>) -> bool {
    throw std::runtime_error("enough");
  };
  std::vector<float> weights{1, 2, 3};
  EXPECT_THROW(learn_log_linear(problem, weights, options, team), std::runtime_error);
  EXPECT_EQ(weights, (std::vector<float>{1, 2, 3}));
}

TEST(LearnLogLinear, RefusesOptionsThatMakeNoSense) {
  const ToyParts problem(noisy(12));
  ThreadTeam team(1);
  std::vector<float> weights;
  LogLinearOptions options;
  options.variance = 0;
  EXPECT_THROW(learn_log_linear(problem, weights, options, team), Error);
  options = {};
  options.iterations = 0;
  EXPECT_THROW(learn_log_linear(problem, weights, options, team), Error);
}

}  // namespace
}  // namespace copse
