// L-BFGS and AdaGrad on problems with a known optimum.
#include "copse/learning/minimise.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace copse {
namespace {

constexpr double kNoPrior = std::numeric_limits<double>::infinity();

// loss_j(w) = a_j (w_j - t_j)^2 / 2: with the prior the optimum is  a t / (a + 1 / variance).
struct Quadratic {
  std::vector<double> a{1, 2, 30, 0.5, 4};
  std::vector<double> t{1, -2, 0.25, 10, 0};

  std::size_t dimension() const { return a.size(); }
  std::size_t size() const { return a.size(); }
  double loss(std::size_t j, std::span<const double> w, const auto& add) const {
    const double distance = w[j] - t[j];
    add(j, a[j] * distance);
    return a[j] * distance * distance / 2;
  }
};

// -log p(y | x) for p(y | x) proportional to exp(w_y . x).
struct LogLinear {
  static constexpr std::size_t kLabels = 3;
  static constexpr std::size_t kFeatures = 4;
  struct Example {
    std::vector<double> x;
    std::size_t gold;
  };
  std::vector<Example> examples;

  LogLinear(std::uint64_t seed, int count) {
    Random random(seed);
    for (int i = 0; i < count; ++i) {
      Example example{{}, random.below(kLabels)};
      for (std::size_t j = 0; j < kFeatures; ++j) {
        example.x.push_back(random.normal() + (j == example.gold ? 0.7 : 0));
      }
      examples.push_back(std::move(example));
    }
  }

  std::size_t dimension() const { return kLabels * kFeatures; }
  std::size_t size() const { return examples.size(); }

  static std::vector<double> probabilities(const Example& example, std::span<const double> w) {
    std::vector<double> p(kLabels);
    double sum = 0;
    for (std::size_t y = 0; y < kLabels; ++y) {
      double score = 0;
      for (std::size_t j = 0; j < kFeatures; ++j) score += w[y * kFeatures + j] * example.x[j];
      sum += p[y] = std::exp(score);
    }
    for (double& value : p) value /= sum;
    return p;
  }

  double loss(std::size_t i, std::span<const double> w, const auto& add) const {
    const Example& example = examples[i];
    const auto p = probabilities(example, w);
    for (std::size_t y = 0; y < kLabels; ++y) {
      for (std::size_t j = 0; j < kFeatures; ++j) {
        const std::size_t at = y * kFeatures + j;
        // Expected and observed apart, as a trainer over parts does it.
        add(at, p[y] * example.x[j]);
        if (y == example.gold) add(at, -example.x[j]);
      }
    }
    return -std::log(p[example.gold]);
  }

  double value(std::span<const double> w, double variance) const {
    double sum = 0;
    for (const Example& example : examples)
      sum -= std::log(probabilities(example, w)[example.gold]);
    for (const double weight : w) sum += weight * weight / (2 * variance);
    return sum;
  }
  std::vector<double> gradient(std::span<const double> w, double variance) const {
    std::vector<double> slopes(w.size());
    for (std::size_t i = 0; i < size(); ++i) {
      loss(i, w, [&](std::size_t at, double slope) { slopes[at] += slope; });
    }
    for (std::size_t j = 0; j < w.size(); ++j) slopes[j] += w[j] / variance;
    return slopes;
  }

  // By plain gradient descent, to the last digit.
  std::vector<double> optimum(double variance) const {
    std::vector<double> w(dimension());
    for (int step = 0; step < 20000; ++step) {
      const auto slopes = gradient(w, variance);
      for (std::size_t j = 0; j < w.size(); ++j) w[j] -= 0.01 * slopes[j];
    }
    return w;
  }
};

LbfgsOptions precise(double variance = 1) {
  LbfgsOptions options;
  options.variance = variance;
  options.tolerance = 1e-14;
  return options;
}

TEST(Lbfgs, FindsTheMinimumOfAQuadratic) {
  const Quadratic problem;
  for (const double variance : {0.5, 1.0, 100.0, kNoPrior}) {
    std::vector<double> w(problem.dimension(), 3.0);
    const Minimum minimum = minimise_by_lbfgs(problem, w, precise(variance));
    EXPECT_TRUE(minimum.converged) << minimum.reason;
    EXPECT_GT(minimum.iterations, 0);
    double value = 0;
    for (std::size_t j = 0; j < w.size(); ++j) {
      EXPECT_NEAR(w[j], problem.a[j] * problem.t[j] / (problem.a[j] + 1 / variance), 1e-5);
      value += problem.a[j] * std::pow(w[j] - problem.t[j], 2) / 2 + w[j] * w[j] / (2 * variance);
    }
    EXPECT_NEAR(minimum.value, value, 1e-12);
  }
}

TEST(Lbfgs, AShortStartIsFilledWithZeros) {
  std::vector<double> w;
  minimise_by_lbfgs(Quadratic(), w, precise(kNoPrior));
  ASSERT_EQ(w.size(), 5U);
  EXPECT_NEAR(w[1], -2, 1e-5);
}

TEST(Lbfgs, TheToyGradientIsTheSlopeOfItsValue) {
  const LogLinear problem(1, 20);
  Random random(2);
  std::vector<double> w(problem.dimension());
  for (double& value : w) value = random.normal();
  const auto slopes = problem.gradient(w, 2);
  for (std::size_t j = 0; j < w.size(); ++j) {
    constexpr double kStep = 1e-5;
    auto above = w;
    auto below = w;
    above[j] += kStep;
    below[j] -= kStep;
    EXPECT_NEAR(slopes[j], (problem.value(above, 2) - problem.value(below, 2)) / (2 * kStep), 1e-6);
  }
}

TEST(Lbfgs, ReachesTheOptimumThatGradientDescentFinds) {
  for (const double variance : {0.1, 1.0, 10.0}) {
    const LogLinear problem(3, 50);
    const auto wanted = problem.optimum(variance);
    std::vector<double> w(problem.dimension());
    const Minimum minimum = minimise_by_lbfgs(problem, w, precise(variance));
    EXPECT_TRUE(minimum.converged) << minimum.reason;
    for (std::size_t j = 0; j < w.size(); ++j) EXPECT_NEAR(w[j], wanted[j], 1e-5);
    EXPECT_NEAR(minimum.value, problem.value(wanted, variance), 1e-9);
  }
}

TEST(Lbfgs, TheNumberOfThreadsDoesNotChangeABit) {
  for (const int examples : {1, 3, 50}) {
    const LogLinear problem(4, examples);
    std::vector<double> one(problem.dimension());
    const Minimum alone = minimise_by_lbfgs(problem, one, {});
    for (const int threads : {2, 3, 8}) {
      LbfgsOptions options;
      options.threads = threads;
      std::vector<double> many(problem.dimension());
      const Minimum together = minimise_by_lbfgs(problem, many, options);
      EXPECT_EQ(many, one) << threads << " threads";
      EXPECT_EQ(together.value, alone.value);
      EXPECT_EQ(together.iterations, alone.iterations);
    }
  }
}

TEST(Lbfgs, ReportsEveryIterationAndStopsAtTheLimit) {
  const LogLinear problem(5, 50);
  LbfgsOptions options = precise();
  options.max_iterations = 3;
  std::vector<double> values;
  options.progress = [&](int iteration, double value) {
    values.push_back(value);
    EXPECT_EQ(iteration, static_cast<int>(values.size()));
  };
  std::vector<double> w(problem.dimension());
  const Minimum minimum = minimise_by_lbfgs(problem, w, options);
  EXPECT_FALSE(minimum.converged);
  EXPECT_EQ(minimum.reason, "the iterations allowed are used up");
  ASSERT_EQ(values.size(), 3U);
  EXPECT_GT(values[0], values[1]);
  EXPECT_GT(values[1], values[2]);
  EXPECT_EQ(minimum.value, values[2]);
  EXPECT_NEAR(minimum.value, problem.value(w, 1), 1e-12);
}

TEST(Lbfgs, NothingToChooseIsDoneAtOnce) {
  std::vector<double> w;
  EXPECT_TRUE(run_lbfgs([](auto, auto) { return 1.0; }, w, {}).converged);
}

// Fails at one example, from the given evaluation of it on.
struct Failing : LogLinear {
  Failing(std::size_t example, int from) : LogLinear(6, 40), bad(example), first(from) {}
  double loss(std::size_t i, std::span<const double> w, const auto& add) const {
    if (i == bad && ++calls >= first) throw std::runtime_error("no such example");
    return LogLinear::loss(i, w, add);
  }
  std::size_t bad;
  int first;
  mutable std::atomic<int> calls = 0;
};

TEST(Lbfgs, ExceptionsOfTheLossPassThroughFromEveryThread) {
  for (const int threads : {1, 2, 4}) {
    for (const std::size_t example : {0, 15, 39}) {
      for (const int from : {1, 2, 5}) {
        const Failing problem(example, from);
        LbfgsOptions options = precise();
        options.threads = threads;
        std::vector<double> w(problem.dimension(), 0.25);
        EXPECT_THROW(minimise_by_lbfgs(problem, w, options), std::runtime_error);
        EXPECT_EQ(w, std::vector<double>(problem.dimension(), 0.25));
        EXPECT_EQ(problem.calls, from);  // and nobody asks again
      }
    }
  }
}

TEST(Lbfgs, AfterAnExceptionTheObjectiveIsNotAskedAgain) {
  // Values far below zero: the library takes no other value for an improvement and keeps searching.
  int calls = 0;
  std::vector<double> w{5, 5};
  const auto objective = [&](std::span<const double> x, std::span<double> gradient) {
    if (++calls >= 3) throw std::runtime_error("no more");
    double value = -1000;
    for (std::size_t j = 0; j < x.size(); ++j) {
      gradient[j] = 2 * x[j];
      value += x[j] * x[j];
    }
    return value;
  };
  EXPECT_THROW(run_lbfgs(objective, w, precise(kNoPrior)), std::runtime_error);
  EXPECT_EQ(calls, 3);
}

TEST(Lbfgs, ExceptionsOfTheProgressReportPassThrough) {
  const LogLinear problem(7, 20);
  LbfgsOptions options = precise();
  options.progress = [](int iteration, double) {
    if (iteration == 2) throw std::runtime_error("enough");
  };
  std::vector<double> w(problem.dimension());
  EXPECT_THROW(minimise_by_lbfgs(problem, w, options), std::runtime_error);
}

TEST(Lbfgs, AnObjectiveThatIsNotANumberEndsTheRun) {
  std::vector<double> w(3, 1.0);
  const Minimum minimum = run_lbfgs(
      [](std::span<const double>, std::span<double> gradient) {
        std::ranges::fill(gradient, 1.0);
        return std::nan("");
      },
      w, {});
  EXPECT_FALSE(minimum.converged);
  EXPECT_EQ(minimum.reason, "the objective is not a finite number");
}

TEST(Lbfgs, AfterAFailedLineSearchTheValueIsThatOfThePointGivenBack) {
  // The gradient points the wrong way after the first steps: no point along the line is better.
  const auto value_at = [](double x) { return (x - 3) * (x - 3); };
  int calls = 0;
  std::vector<double> w{10};
  LbfgsOptions options;
  options.variance = kNoPrior;
  const Minimum minimum = run_lbfgs(
      [&](std::span<const double> x, std::span<double> gradient) {
        gradient[0] = (++calls > 1 ? -1 : 1) * 2 * (x[0] - 3);
        return value_at(x[0]);
      },
      w, options);
  EXPECT_DOUBLE_EQ(minimum.value, value_at(w[0]));
}

AdaGradOptions thorough(double variance) {
  AdaGradOptions options;
  options.variance = variance;
  options.epochs = 400;
  options.rate = 0.3;
  return options;
}

TEST(AdaGrad, ComesCloseToTheSameOptimum) {
  for (const double variance : {0.1, 1.0, 10.0}) {
    const LogLinear problem(3, 50);
    const auto wanted = problem.optimum(variance);
    std::vector<double> w(problem.dimension());
    minimise_by_adagrad(problem, w, thorough(variance));
    const double best = problem.value(wanted, variance);
    EXPECT_LT(problem.value(w, variance), best * 1.002) << "variance " << variance;
    // A weak prior leaves flat directions: the value is close long before the weights are.
    for (std::size_t j = 0; j < w.size(); ++j) EXPECT_NEAR(w[j], wanted[j], 0.1);
  }
}

TEST(AdaGrad, ThePriorPullsThroughAllExamplesOfAPass) {
  // Only one example in five touches a coordinate: the prior must count all the same.
  const Quadratic problem;
  std::vector<double> w(problem.dimension());
  AdaGradOptions options = thorough(0.5);
  options.epochs = 3000;
  options.rate = 1;
  minimise_by_adagrad(problem, w, options);
  for (std::size_t j = 0; j < w.size(); ++j) {
    EXPECT_NEAR(w[j], problem.a[j] * problem.t[j] / (problem.a[j] + 2), 0.02) << j;
  }
}

// The same losses, but every slope given out in pieces that partly cancel.
struct InPieces : LogLinear {
  using LogLinear::LogLinear;
  double loss(std::size_t i, std::span<const double> w, const auto& add) const {
    std::vector<double> slopes(w.size());
    const double value =
        LogLinear::loss(i, w, [&](std::size_t at, double slope) { slopes[at] += slope; });
    for (std::size_t j = 0; j < w.size(); ++j) {
      add(j, 1024.0);
      add(j, -1024.0);
      add(j, slopes[j]);
    }
    return value;
  }
};

TEST(AdaGrad, SlopesOfAnExampleAreSummedBeforeTheStep) {
  AdaGradOptions options;
  std::vector<double> whole;
  std::vector<double> pieces;
  minimise_by_adagrad(LogLinear(8, 30), whole, options);
  minimise_by_adagrad(InPieces(8, 30), pieces, options);
  EXPECT_EQ(whole, pieces);
}

TEST(AdaGrad, TheSeedDecidesTheOrderAndNothingElseIsRandom) {
  const LogLinear problem(9, 30);
  const auto trained = [&](std::uint64_t seed) {
    AdaGradOptions options;
    options.seed = seed;
    std::vector<double> w;
    minimise_by_adagrad(problem, w, options);
    return w;
  };
  EXPECT_EQ(trained(1), trained(1));
  EXPECT_NE(trained(1), trained(2));
}

TEST(AdaGrad, ReportsTheLossOfEveryPass) {
  const LogLinear problem(10, 30);
  std::vector<double> losses;
  AdaGradOptions options;
  options.epochs = 5;
  options.progress = [&](int epoch, double loss) {
    losses.push_back(loss);
    EXPECT_EQ(epoch, static_cast<int>(losses.size()));
  };
  std::vector<double> w;
  minimise_by_adagrad(problem, w, options);
  ASSERT_EQ(losses.size(), 5U);
  EXPECT_LT(losses[4], losses[0]);
}

TEST(AdaGrad, ExceptionsPassThrough) {
  const Failing problem(10, 3);
  std::vector<double> w;
  EXPECT_THROW(minimise_by_adagrad(problem, w, {}), std::runtime_error);
}

}  // namespace
}  // namespace copse
