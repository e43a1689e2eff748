// The perceptron and its passive-aggressive sister on problems whose answer is known.
#include "copse/learning/perceptron.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "copse/base/random.h"

namespace copse {
namespace {

using Row = TrainingWeights::Row;

std::vector<std::tuple<Row, Label, float>> listed(const FeatureDifference& difference) {
  std::vector<std::tuple<Row, Label, float>> all;
  for (const auto& [place, value] : difference.entries()) {
    all.emplace_back(place.row, place.label, value);
  }
  return all;
}

TEST(FeatureDifference, SimplifyingSortsSumsAndCancels) {
  FeatureDifference difference;
  difference.add(2, 1, 1);
  difference.add(1, 7, 2);
  difference.add(2, 0, 3);
  difference.add(1, 7, -2);  // cancels
  difference.add(2, 1, 4);
  difference.simplify();
  EXPECT_EQ(listed(difference), (std::vector<std::tuple<Row, Label, float>>{{2, 0, 3}, {2, 1, 5}}));
  difference.clear();
  difference.simplify();
  EXPECT_TRUE(difference.entries().empty());
}

// Vectors with whole coordinates to be put into classes.
struct Example {
  std::vector<float> x;
  Label gold = 0;
};

class Classification {
 public:
  Classification(std::vector<Example> examples, int classes, TrainingWeights& weights)
      : examples_(std::move(examples)), classes_(classes) {
    for (std::size_t j = 0; j < examples_[0].x.size(); ++j) {
      rows_.push_back(weights.intern(scramble(j + 1)));
    }
  }

  std::size_t size() const { return examples_.size(); }

  double score(const TrainingWeights& weights, const std::vector<float>& x, Label label) const {
    double sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      sum += static_cast<double>(x[j]) * weights.weight(rows_[j], label);
    }
    return sum;
  }

  double decode(std::uint32_t i, const TrainingWeights& weights,
                FeatureDifference& difference) const {
    const Example& example = examples_[i];
    Label best = 0;
    for (Label label = 1; label < classes_; ++label) {
      if (score(weights, example.x, label) > score(weights, example.x, best)) best = label;
    }
    if (best == example.gold) return 0;
    for (std::size_t j = 0; j < rows_.size(); ++j) {
      difference.add(rows_[j], example.gold, example.x[j]);
      difference.add(rows_[j], best, -example.x[j]);
    }
    return 1;
  }

  const std::vector<Example>& examples() const { return examples_; }

 private:
  std::vector<Example> examples_;
  int classes_;
  std::vector<Row> rows_;
};

// Examples that the unit vector `u` (by class and coordinate) separates by at least `margin`.
std::vector<Example> separable(Random& random, int classes, std::size_t dimension, double margin) {
  std::vector<std::vector<double>> u(static_cast<std::size_t>(classes),
                                     std::vector<double>(dimension));
  double norm = 0;
  for (auto& row : u) {
    for (double& value : row) {
      value = random.normal();
      norm += value * value;
    }
  }
  std::vector<Example> examples;
  while (examples.size() < 60) {
    Example example;
    for (std::size_t j = 0; j < dimension; ++j) {
      example.x.push_back(static_cast<float>(random.between(-3, 3)));
    }
    std::vector<double> scores;
    for (const auto& row : u) {
      scores.push_back(std::inner_product(row.begin(), row.end(), example.x.begin(), 0.0) /
                       std::sqrt(norm));
    }
    const auto best = std::max_element(scores.begin(), scores.end());
    example.gold = static_cast<Label>(best - scores.begin());
    const double top = *best;
    *best = -1e9;
    if (top - *std::max_element(scores.begin(), scores.end()) < margin) continue;
    examples.push_back(example);
  }
  return examples;
}

TEST(Perceptron, ConvergesWithinTheMistakeBound) {
  // Collins (2002), theorem 1: at most R^2 / margin^2 mistakes, R the longest difference.
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Random random(seed);
    constexpr double kMargin = 0.5;
    TrainingWeights weights;
    Classification problem(separable(random, 3, 4, kMargin), 3, weights);
    double longest = 0;
    for (const Example& example : problem.examples()) {
      longest = std::max(longest, 2.0 * std::inner_product(example.x.begin(), example.x.end(),
                                                           example.x.begin(), 0.0));
    }
    std::vector<std::uint32_t> order(problem.size());
    std::iota(order.begin(), order.end(), 0U);
    std::size_t mistakes = 0;
    bool converged = false;
    for (int epoch = 0; epoch < 1000 && !converged; ++epoch) {
      random.shuffle(std::span(order));
      const EpochResult result = perceptron_epoch(problem, order, weights);
      EXPECT_EQ(result.examples, problem.size());
      EXPECT_EQ(result.loss, static_cast<double>(result.mistakes));
      mistakes += result.mistakes;
      converged = result.mistakes == 0;
    }
    EXPECT_TRUE(converged) << "seed " << seed;
    EXPECT_GT(mistakes, 0U);
    EXPECT_LE(static_cast<double>(mistakes), longest / (kMargin * kMargin)) << "seed " << seed;
  }
}

TEST(Perceptron, CountsAStepForEveryExample) {
  Random random(1);
  TrainingWeights weights;
  Classification problem(separable(random, 2, 3, 0.2), 2, weights);
  const std::vector<std::uint32_t> order{0, 1, 2, 0};
  perceptron_epoch(problem, order, weights);
  EXPECT_EQ(weights.steps(), 4U);
}

// Crammer et al. (2006): tau = min(C, (loss - margin) / |difference|^2).
TEST(PassiveAggressive, StepIsTheClosedForm) {
  FeatureDifference difference;
  difference.add(0, 0, 1);
  difference.add(0, 1, -1);
  difference.add(1, 0, 2);
  difference.add(1, 1, -2);  // squared norm 10
  const auto length = [&](double weight, double loss, double most) {
    TrainingWeights weights;
    weights.update(weights.intern(7), 1, weight);  // the margin is minus that
    weights.intern(8);
    return passive_aggressive_length(weights, difference.entries(), loss, most);
  };
  EXPECT_DOUBLE_EQ(length(0.5, 1, 1), 0.15);
  EXPECT_DOUBLE_EQ(length(0.5, 1, 0.1), 0.1);
  EXPECT_EQ(length(-3, 1, 1), 0);  // the margin is there already
  difference.clear();
  EXPECT_EQ(length(0.5, 1, 1), 0);
}

TEST(Perceptron, AStepAddsTheDifference) {
  FeatureDifference difference;
  difference.add(0, 3, 2);
  difference.add(0, 1, -1);
  TrainingWeights weights;
  weights.intern(7);
  perceptron_step(weights, difference.entries(), 5, {});
  EXPECT_EQ(weights.weight(0, 3), 2);
  EXPECT_EQ(weights.weight(0, 1), -1);
}

TEST(PassiveAggressive, AnUnboundedStepMakesTheMarginEqualTheLoss) {
  Random random(2);
  TrainingWeights weights;
  Classification problem(separable(random, 4, 5, 0.3), 4, weights);
  const PerceptronOptions options{true, 1e9};
  int updates = 0;
  for (std::uint32_t i = 0; i < problem.size(); ++i) {
    FeatureDifference difference;
    const double loss = problem.decode(i, weights, difference);
    if (loss == 0) continue;
    const std::vector<std::uint32_t> order{i};
    perceptron_epoch(problem, order, weights, options);
    double margin = 0;  // of gold over what was predicted
    for (const auto& [place, delta] : difference.entries()) {
      margin += static_cast<double>(delta) * weights.weight(place);
    }
    EXPECT_NEAR(margin, loss, 1e-5);
    ++updates;
  }
  EXPECT_GT(updates, 3);
}

TEST(PassiveAggressive, TheNormIsThatOfTheSimplifiedVector) {
  // A feature that gold and prediction share cancels and must not shorten the step.
  struct Shared {
    double decode(std::uint32_t, const TrainingWeights&, FeatureDifference& difference) const {
      difference.add(0, 5, 1);
      difference.add(0, 5, -1);
      difference.add(0, 1, 1);
      difference.add(0, 2, -1);
      return 1;
    }
  };
  TrainingWeights weights;
  weights.intern(1);
  Shared problem;
  const std::vector<std::uint32_t> order{0};
  perceptron_epoch(problem, order, weights, {true, 10});
  EXPECT_EQ(weights.weight(0, 1), 0.5F);
  EXPECT_EQ(weights.weight(0, 2), -0.5F);
  EXPECT_EQ(weights.cells(0).size(), 2U);
}

}  // namespace
}  // namespace copse
