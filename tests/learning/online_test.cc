// Learning one example at a time, against steps made by hand and averages of stored weights.
#include "copse/learning/online.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <tuple>

#include "copse/base/error.h"
#include "tests/learning/toy_parts.h"

namespace copse {
namespace {

using Entries = std::vector<std::pair<FeatureId, float>>;

Entries drained(SparseSum& sum) {
  std::vector<FeatureValue> out;
  sum.drain(out);
  Entries entries;
  for (const auto& [feature, value] : out) entries.emplace_back(feature, value);
  return entries;
}

TEST(SparseSum, AddsCancelsAndIsEmptyAfterwards) {
  SparseSum sum;
  sum.resize(5);
  sum.add(3, 1);
  sum.add(1, 2);
  sum.add(3, -1);  // cancels
  sum.add(4, 1);
  sum.add(1, 0.5F);
  EXPECT_EQ(drained(sum), (Entries{{1, 2.5F}, {4, 1}}));
  EXPECT_TRUE(drained(sum).empty());
  sum.add(2, 1);
  sum.add(2, -1);
  sum.add(2, 3);  // met again after cancelling: comes out once
  EXPECT_EQ(drained(sum), (Entries{{2, 3}}));
}

OnlineOptions of_rule(OnlineRule rule) {
  OnlineOptions options;
  options.rule = rule;
  options.batch = 1;
  return options;
}

OnlineUpdate::Answer wrong(std::vector<FeatureValue> difference, double loss) {
  return {std::move(difference), loss, false};
}

TEST(OnlineUpdate, ThePassiveAggressiveStepIsTheOneWorkedOutByHand) {
  OnlineOptions options = of_rule(OnlineRule::passive_aggressive);
  options.aggressiveness = 0.5;
  OnlineState state;
  OnlineUpdate update(options, 10, 3, state);
  // |d|^2 = 5, w.d = 0, L = 2: 2/5.
  update.apply(wrong({{0, 1}, {2, -2}}, 2));
  EXPECT_EQ(state.weights, (std::vector<float>{0.4F, 0, -0.8F}));
  // |d|^2 = 2, w.d = 0.4, L = 1: 0.6 / 2.
  update.apply(wrong({{0, 1}, {1, 1}}, 1));
  EXPECT_FLOAT_EQ(state.weights[0], 0.7F);
  EXPECT_FLOAT_EQ(state.weights[1], 0.3F);
  // |d|^2 = 1, w.d = -0.8, L = 3: 3.8, but no more than C.
  update.apply(wrong({{2, 1}}, 3));
  EXPECT_FLOAT_EQ(state.weights[2], -0.3F);
  // The margin is kept: no step. Nor is there one without a direction.
  const std::vector<float> before = state.weights;
  update.apply(wrong({{0, 2}}, 1));
  update.apply(wrong({}, 1));
  EXPECT_EQ(state.weights, before);
  EXPECT_EQ(state.steps, 5U);
}

TEST(OnlineUpdate, TheAdaptiveStepIsTheOneWorkedOutByHand) {
  OnlineOptions options = of_rule(OnlineRule::log_linear);
  options.rate = 0.1;
  options.variance = 0.25;
  OnlineState state;
  OnlineUpdate update(options, 8, 2, state);  // the prior pulls by 1 / (0.25 * 8) = 0.5
  update.apply(wrong({{0, 3}}, 0));
  EXPECT_NEAR(state.weights[0], 0.1, 1e-6);  // 0.1 / 3 * 3
  update.apply(wrong({{1, -1}}, 0));
  update.apply(wrong({{0, 4}}, 0));
  // Two steps of pull at the rate 0.1 / 5, then 0.1 / 5 * 4.
  EXPECT_NEAR(state.weights[0], 0.1 * std::exp(-0.02 * 0.5 * 2) + 0.08, 1e-6);
  EXPECT_NEAR(state.weights[1], -0.1, 1e-6);
  update.finish_pass();
  EXPECT_NEAR(state.weights[1], -0.1 * std::exp(-0.1 * 0.5 * 2), 1e-6);
}

TEST(OnlineUpdate, SlopesTooSmallToSquareLeaveTheWeightsFinite) {
  OnlineState state;
  OnlineUpdate update(of_rule(OnlineRule::log_linear), 1, 1, state);
  update.apply(wrong({{0, 1e-30F}}, 0));
  update.finish_pass();
  EXPECT_LT(std::abs(state.weights[0]), 1e-20F);
}

TEST(OnlineUpdate, AveragesAreThoseOfStoredWeights) {
  for (const OnlineRule rule :
       {OnlineRule::perceptron, OnlineRule::passive_aggressive, OnlineRule::log_linear}) {
    const std::size_t dimension = 6;
    OnlineState state;
    OnlineUpdate update(of_rule(rule), 20, dimension, state);
    EXPECT_EQ(state.averaged(), std::vector<float>(dimension));
    Random random(17);
    std::vector<double> sum(dimension);
    for (int step = 1; step <= 20; ++step) {
      OnlineUpdate::Answer answer;
      if (random.chance(0.7)) {
        for (FeatureId j = 0; j < dimension; ++j) {
          if (random.chance(0.4)) {
            answer.difference.push_back({j, static_cast<float>(random.between(-2, 2))});
          }
        }
        answer.loss = 2;
        answer.right = false;
      }
      update.apply(answer);
      for (std::size_t j = 0; j < dimension; ++j) sum[j] += double{state.weights[j]};
      const std::vector<float> average = state.averaged();
      for (std::size_t j = 0; j < dimension; ++j) {
        EXPECT_NEAR(average[j], sum[j] / step, 1e-6) << "step " << step;
      }
    }
    EXPECT_NE(state.averaged(), state.weights);
  }
}

ToyOptions toy(std::uint64_t seed, bool separable = true) {
  ToyOptions options;
  options.examples = 20;
  options.features = 30;
  options.separable = separable;
  options.seed = seed;
  return options;
}

std::size_t mistakes(const ToyParts& problem, std::span<const float> w) {
  std::size_t count = 0;
  std::vector<float> scores(problem.parts(0));
  std::vector<float> found(problem.parts(0));
  for (std::size_t i = 0; i < problem.size(); ++i) {
    problem.score(i, w, scores);
    problem.best(i, scores, found);
    count += std::ranges::equal(found, problem.gold(i)) ? 0 : 1;
  }
  return count;
}

TEST(OnlineLearner, ReachesZeroMistakesOnSeparableData) {
  const ToyParts problem(toy(2));
  ASSERT_GT(mistakes(problem, std::vector<float>(problem.dimension())), 0U);
  ThreadTeam team(1);
  for (const OnlineRule rule :
       {OnlineRule::perceptron, OnlineRule::passive_aggressive, OnlineRule::log_linear}) {
    OnlineOptions options = of_rule(rule);
    options.aggressiveness = 1;
    options.variance = std::numeric_limits<double>::infinity();
    OnlineLearner<ToyParts> learner(problem, options, team);
    PassResult first = learner.pass();
    PassResult last;
    for (int pass = 0; pass < 300; ++pass) last = learner.pass();
    EXPECT_GT(first.mistakes, 0U);
    EXPECT_GT(first.loss, last.loss);
    EXPECT_EQ(last.mistakes, 0U);
    EXPECT_EQ(mistakes(problem, learner.state().weights), 0U);
  }
}

TEST(OnlineLearner, RightAnswersChangeNothing) {
  const ToyParts problem(toy(2));
  ThreadTeam team(1);
  for (const OnlineRule rule : {OnlineRule::perceptron, OnlineRule::passive_aggressive}) {
    OnlineOptions options = of_rule(rule);
    options.aggressiveness = 1;
    OnlineLearner<ToyParts> learner(problem, options, team);
    for (int pass = 0; pass < 300; ++pass) learner.pass();
    const OnlineState before = learner.state();
    const PassResult result = learner.pass();
    EXPECT_EQ(result.mistakes, 0U);
    EXPECT_EQ(result.loss, 0);
    EXPECT_EQ(learner.state().weights, before.weights);
    EXPECT_EQ(learner.state().moments, before.moments);
    EXPECT_EQ(learner.state().steps, before.steps + problem.size());
  }
}

// One perceptron pass over the examples in the order of a pass.
PassResult textbook_pass(const ToyParts& problem, std::uint64_t seed, std::uint64_t pass,
                         double cost_weight, std::vector<double>& w) {
  std::vector<std::uint32_t> order(problem.size());
  std::iota(order.begin(), order.end(), 0U);
  pass_order(seed, pass).shuffle(std::span(order));
  PassResult result;
  std::vector<float> scores(problem.parts(0));
  std::vector<float> cost(problem.parts(0));
  std::vector<float> found(problem.parts(0));
  for (const std::uint32_t i : order) {
    problem.score(i, std::vector<float>(w.begin(), w.end()), scores);
    problem.cost(i, cost);
    for (std::size_t a = 0; a < cost.size(); ++a) {
      scores[a] += static_cast<float>(cost_weight) * cost[a];
    }
    problem.best(i, scores, found);
    for (std::size_t a = 0; a < cost.size(); ++a) result.loss += double{cost[a]} * found[a];
    result.mistakes += std::ranges::equal(found, problem.gold(i)) ? 0 : 1;
    const std::vector<double> right = problem.vector_of(i, problem.gold(i));
    const std::vector<double> predicted = problem.vector_of(i, found);
    for (std::size_t j = 0; j < w.size(); ++j) w[j] += right[j] - predicted[j];
  }
  return result;
}

TEST(OnlineUpdate, TheStepAsksForTheMarginOfTheSearch) {
  OnlineOptions options = of_rule(OnlineRule::passive_aggressive);
  options.aggressiveness = 100;
  const auto weight_after = [&](double cost_weight) {
    options.cost_weight = cost_weight;
    OnlineState state;
    OnlineUpdate update(options, 10, 1, state);
    update.apply(wrong({{0, 1}}, 3));
    return state.weights[0];
  };
  EXPECT_FLOAT_EQ(weight_after(1), 3);
  EXPECT_FLOAT_EQ(weight_after(0.5), 1.5F);
  EXPECT_FLOAT_EQ(weight_after(2), 6);
  EXPECT_FLOAT_EQ(weight_after(0), 3);  // the plain search: the cost itself
}

TEST(PassOrder, NoSeedRepeatsTheOrdersOfAnother) {
  std::set<std::vector<int>> orders;
  constexpr int kSeeds = 6, kPasses = 8;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    for (std::uint64_t pass = 0; pass < kPasses; ++pass) {
      std::vector<int> order(30);
      std::iota(order.begin(), order.end(), 0);
      pass_order(seed, pass).shuffle(std::span(order));
      orders.insert(std::move(order));
    }
  }
  EXPECT_EQ(orders.size(), std::size_t{kSeeds * kPasses});
}

TEST(OnlineLearner, APerceptronPassIsTheTextbookOne) {
  const ToyParts problem(toy(5, false));
  ThreadTeam team(1);
  for (const double cost_weight : {0.0, 1.5}) {
    OnlineOptions options = of_rule(OnlineRule::perceptron);
    options.cost_weight = cost_weight;
    options.seed = 40;
    OnlineLearner<ToyParts> learner(problem, options, team);
    std::vector<double> w(problem.dimension());
    for (std::uint64_t pass = 0; pass < 3; ++pass) {  // another order in each
      const PassResult wanted = textbook_pass(problem, 40, pass, cost_weight, w);
      const PassResult result = learner.pass();
      EXPECT_EQ(result.mistakes, wanted.mistakes);
      EXPECT_EQ(result.loss, wanted.loss);
      EXPECT_EQ(learner.state().weights, std::vector<float>(w.begin(), w.end()));
    }
  }
}

TEST(OnlineLearner, TheLogLinearLossIsThatOfTheObjective) {
  const ToyParts problem(toy(6, false));
  ThreadTeam team(1);
  OnlineOptions options = of_rule(OnlineRule::log_linear);
  options.batch = 100;  // all are answered for the same weights
  OnlineLearner<ToyParts> learner(problem, options, team);
  learner.pass();
  const std::vector<float> before = learner.state().weights;
  const double none = std::numeric_limits<double>::infinity();
  EXPECT_NEAR(learner.pass().loss, log_linear_objective(problem, before, none), 1e-9);
}

OnlineState after(const ToyParts& problem, OnlineOptions options, int threads, int passes,
                  OnlineState state = {}) {
  options.batch = 7;
  options.cost_weight = 1;
  ThreadTeam team(threads);
  OnlineLearner<ToyParts> learner(problem, options, team, std::move(state));
  for (int pass = 0; pass < passes; ++pass) learner.pass();
  return learner.state();
}

TEST(OnlineLearner, TheNumberOfThreadsDoesNotChangeABit) {
  const ToyParts problem(toy(3, false));
  for (const OnlineRule rule :
       {OnlineRule::perceptron, OnlineRule::passive_aggressive, OnlineRule::log_linear}) {
    const OnlineState one = after(problem, of_rule(rule), 1, 10);
    for (const int threads : {2, 3}) {
      EXPECT_TRUE(after(problem, of_rule(rule), threads, 10) == one) << threads;
    }
  }
}

TEST(OnlineLearner, GoingOnLaterIsTheSameAsNotStopping) {
  const ToyParts problem(toy(4, false));
  for (const OnlineRule rule :
       {OnlineRule::perceptron, OnlineRule::passive_aggressive, OnlineRule::log_linear}) {
    const OnlineOptions options = of_rule(rule);
    const OnlineState whole = after(problem, options, 1, 9);
    EXPECT_TRUE(after(problem, options, 1, 5, after(problem, options, 1, 4)) == whole);
    EXPECT_FALSE(after(problem, options, 1, 8) == whole);
  }
}

TEST(OnlineLearner, RefusesOptionsThatMakeNoSense) {
  const ToyParts problem(toy(1));
  ThreadTeam team(1);
  const auto with = [&](void (*change)(OnlineOptions&), OnlineState state = {}) {
    OnlineOptions options;
    change(options);
    OnlineLearner<ToyParts> learner(problem, options, team, std::move(state));
  };
  EXPECT_NO_THROW(with([](OnlineOptions&) {}));
  EXPECT_THROW(with([](OnlineOptions& options) { options.batch = 0; }), Error);
  EXPECT_THROW(with([](OnlineOptions& options) { options.variance = 0; }), Error);
  EXPECT_THROW(with([](OnlineOptions& options) { options.rate = std::nan(""); }), Error);
  EXPECT_THROW(with([](OnlineOptions& options) { options.aggressiveness = -1; }), Error);
  OnlineState larger;
  larger.weights.resize(problem.dimension() + 1);
  EXPECT_THROW(with([](OnlineOptions&) {}, larger), Error);
}

}  // namespace
}  // namespace copse
