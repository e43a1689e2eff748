// Exponentiated gradient against its own duality (primal, dual and weights must fit together) and,
// for the largest margin, against a quadratic programme over all structures.
#include "copse/learning/exponentiated_gradient.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "copse/base/error.h"
#include "tests/learning/toy_parts.h"

namespace copse {
namespace {

ToyOptions toy(std::uint64_t seed, bool separable = false) {
  ToyOptions options;
  options.slots = 3;
  options.separable = separable;
  options.seed = seed;
  return options;
}

ExponentiatedGradientOptions of_loss(DualLoss loss, double variance = 1) {
  ExponentiatedGradientOptions options;
  options.loss = loss;
  options.variance = variance;
  return options;
}

constexpr DualLoss kLosses[] = {DualLoss::max_margin, DualLoss::log_linear};

// C sum_i sum_a ( gold_ia - mu_ia ) f(i, a)
std::vector<double> weights_of(const ToyParts& problem, std::span<const float> mu, double c) {
  std::vector<double> w(problem.dimension());
  const std::size_t parts = problem.parts(0);
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const std::vector<double> right = problem.vector_of(i, problem.gold(i));
    const std::vector<double> expected = problem.vector_of(i, mu.subspan(i * parts, parts));
    for (std::size_t j = 0; j < w.size(); ++j) w[j] += c * (right[j] - expected[j]);
  }
  return w;
}

double half_square(std::span<const double> w) {
  double sum = 0;
  for (const double weight : w) sum += weight * weight / 2;
  return sum;
}

// The dual of a state, from its theta alone.
double dual_of(const ToyParts& problem, const ExponentiatedGradientState& state, DualLoss loss,
               double c) {
  const std::size_t parts = problem.parts(0);
  std::vector<float> all(state.theta.size());
  std::vector<float> cost(parts);
  double gain = 0;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const auto theta = std::span(state.theta).subspan(i * parts, parts);
    const auto mu = std::span(all).subspan(i * parts, parts);
    const double log_z = problem.marginals(i, theta, mu);
    problem.cost(i, cost);
    if (loss == DualLoss::log_linear) gain += log_z;
    for (std::size_t a = 0; a < parts; ++a) {
      gain += double{mu[a]} * (loss == DualLoss::log_linear ? -double{theta[a]} : double{cost[a]});
    }
  }
  return c * gain - half_square(weights_of(problem, all, c));
}

TEST(DualWeights, ThePenaltyChangesAsForetold) {
  std::vector<double> w{1, -2, 3};
  DualWeights weights(w);
  weights.round();
  EXPECT_EQ(weights.penalty(), 7);
  const std::vector<FeatureValue> change{{0, 2}, {2, -1}};
  EXPECT_EQ(weights.penalty_change(change, 0.5), (4 + 4 + 6.25) / 2 - 7);
  weights.add(change, 0.5);
  EXPECT_EQ(w, (std::vector<double>{2, -2, 2.5}));
  EXPECT_EQ(weights.penalty(), (4 + 4 + 6.25) / 2);
  EXPECT_EQ(weights.rounded()[2], 2.5F);
}

TEST(ExponentiatedGradient, StartsAtTheRightStructuresWithADualCloseToZero) {
  const ToyParts problem(toy(1));
  for (const DualLoss loss : kLosses) {
    const ExponentiatedGradient<ToyParts> learner(problem, of_loss(loss));
    EXPECT_NEAR(learner.state().dual, 0, 0.05);
    EXPECT_NEAR(learner.state().dual, dual_of(problem, learner.state(), loss, 1), 1e-6);
    for (std::size_t a = 0; a < problem.parts(0); ++a) {
      EXPECT_EQ(learner.state().theta[a], 9 * problem.gold(0)[a]);
      EXPECT_NEAR(learner.state().marginals[a], problem.gold(0)[a], 0.01);
    }
  }
}

TEST(ExponentiatedGradient, TheWeightsAreThoseOfTheMarginals) {
  for (const double least_change : {0.0, 1e-3}) {
    for (const DualLoss loss : kLosses) {
      for (const double c : {0.1, 1.0, 5.0}) {
        const ToyParts problem(toy(2));
        ExponentiatedGradientOptions options = of_loss(loss, c);
        options.least_change = least_change;
        ExponentiatedGradient<ToyParts> learner(problem, options);
        for (int pass = 0; pass < 60; ++pass) learner.pass();
        const auto& state = learner.state();
        const std::vector<double> wanted = weights_of(problem, state.marginals, c);
        for (std::size_t j = 0; j < wanted.size(); ++j) {
          EXPECT_NEAR(state.weights[j], wanted[j], 1e-6 * std::max(c, 1.0));
        }
        if (least_change > 0) continue;
        EXPECT_NEAR(state.dual, dual_of(problem, state, loss, c), 1e-5 * std::max(c, 1.0));
      }
    }
  }
}

TEST(ExponentiatedGradient, TheDualIsNeverAboveThePrimalAndRisesToIt) {
  for (const DualLoss loss : kLosses) {
    for (const double c : {0.1, 1.0, 5.0}) {
      SCOPED_TRACE(testing::Message() << "loss " << static_cast<int>(loss) << " C " << c);
      const ToyParts problem(toy(3));
      ExponentiatedGradient<ToyParts> learner(problem, of_loss(loss, c));
      const double rounding = 1e-6 * std::max(c, 1.0);  // marginals are floats
      const double first_gap = learner.primal() - learner.state().dual;
      double highest = -std::numeric_limits<double>::infinity();
      for (int pass = 0; pass < 1000; ++pass) {
        const DualPass result = learner.pass();
        if (loss == DualLoss::log_linear) {
          EXPECT_GE(result.dual, highest - rounding);
        }
        highest = std::max(highest, result.dual);
        EXPECT_EQ(result.dual, learner.state().dual);
        EXPECT_EQ(learner.state().best_dual, highest);
        if (pass % 10 == 0) {
          EXPECT_LE(highest, learner.primal() + rounding);
        }
      }
      const double gap = learner.primal() - highest;
      EXPECT_GE(gap, -rounding);
      EXPECT_LT(gap, loss == DualLoss::log_linear ? 1e-5 : 1e-3 * first_gap);
    }
  }
}

// One log-linear pass as the formulas say, without anything cached, from a state where steps of
// full length are far too long.
TEST(ExponentiatedGradient, ALogLinearPassIsTheOneOfTheFormulas) {
  const double c = 1000;
  const ToyParts problem(toy(4));
  const std::size_t parts = problem.parts(0);
  ExponentiatedGradientOptions options = of_loss(DualLoss::log_linear, c);
  options.seed = 11;
  ExponentiatedGradient<ToyParts> earlier(problem, options);
  for (int pass = 0; pass < 30; ++pass) earlier.pass();
  ExponentiatedGradientState slow = earlier.state();
  for (std::size_t i = 0; i < slow.rates.size(); ++i) slow.rates[i] = i % 2 == 0 ? 1 : 0.005;
  ExponentiatedGradient<ToyParts> learner(problem, options, slow);
  std::size_t passed_over = 0;
  std::size_t halved = 0;
  std::vector<std::uint32_t> order(problem.size());
  std::iota(order.begin(), order.end(), 0U);
  pass_order(11, 30).shuffle(std::span(order));
  const auto refresh = [&](ExponentiatedGradientState& state) {
    for (std::size_t i = 0; i < problem.size(); ++i) {
      problem.marginals(i, std::span(state.theta).subspan(i * parts, parts),
                        std::span(state.marginals).subspan(i * parts, parts));
    }
    state.weights = weights_of(problem, state.marginals, c);
    state.dual = dual_of(problem, state, DualLoss::log_linear, c);
  };
  refresh(slow);
  for (const std::uint32_t i : order) {
    const std::vector<float> w(slow.weights.begin(), slow.weights.end());
    std::vector<float> scores(parts);
    problem.score(i, w, scores);
    bool done = false;
    for (int attempt = 0; attempt < 6 && !done; ++attempt) {
      if (attempt > 0) slow.rates[i] /= 2;
      halved += attempt > 0 ? 1 : 0;
      ExponentiatedGradientState trial = slow;
      for (std::size_t a = 0; a < parts; ++a) {
        float& theta = trial.theta[i * parts + a];
        theta = static_cast<float>((1 - slow.rates[i]) * theta + slow.rates[i] * scores[a]);
      }
      refresh(trial);
      done = trial.dual >= slow.dual;
      if (!done) continue;
      trial.rates[i] = std::min(1.0, trial.rates[i] * 1.05);
      slow = trial;
    }
    passed_over += done ? 0 : 1;
  }
  EXPECT_GT(halved, 5 * passed_over);  // some are accepted after halving,
  EXPECT_GT(passed_over, 0U);          // some are not: else this example shows little
  EXPECT_EQ(learner.pass().passed_over, passed_over);
  EXPECT_NEAR(learner.state().dual, slow.dual, 1e-6 * slow.dual);
  EXPECT_EQ(learner.state().rates, slow.rates);
  for (std::size_t a = 0; a < slow.theta.size(); ++a) {
    EXPECT_NEAR(learner.state().theta[a], slow.theta[a], 1e-5 * std::abs(slow.theta[a]) + 1e-4);
  }
}

TEST(ExponentiatedGradient, AMaxMarginPassIsTheOneOfTheFormulas) {
  const double c = 0.5;
  const ToyParts problem(toy(5));
  const std::size_t parts = problem.parts(0);
  ExponentiatedGradient<ToyParts> learner(problem, of_loss(DualLoss::max_margin, c));
  for (int pass = 0; pass < 50; ++pass) learner.pass();
  ASSERT_GT(learner.state().dual, 1);  // well on its way
  ASSERT_EQ(learner.state().rate * c, 1);
  std::vector<float> theta = learner.state().theta;
  std::vector<float> mu = learner.state().marginals;
  std::vector<float> scores(parts);
  std::vector<float> cost(parts);
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const std::vector<double> exact = weights_of(problem, mu, c);
    problem.score(i, std::vector<float>(exact.begin(), exact.end()), scores);
    problem.cost(i, cost);
    const auto own = std::span(theta).subspan(i * parts, parts);
    for (std::size_t a = 0; a < parts; ++a) own[a] += cost[a] + scores[a];
    problem.marginals(i, own, std::span(mu).subspan(i * parts, parts));
  }
  learner.pass();
  for (std::size_t a = 0; a < theta.size(); ++a) {
    EXPECT_NEAR(learner.state().theta[a], theta[a], 1e-4);
    EXPECT_NEAR(learner.state().marginals[a], mu[a], 1e-4);
  }
}

TEST(ExponentiatedGradient, AFallingDualHalvesTheRateAndTheBestWeightsAreKept) {
  const ToyParts problem(toy(6));
  ExponentiatedGradient<ToyParts> learner(problem, of_loss(DualLoss::max_margin, 20));
  EXPECT_EQ(learner.state().rate, 1.0 / 20);
  int falls = 0;
  for (int pass = 0; pass < 30; ++pass) {
    const ExponentiatedGradientState before = learner.state();
    const double dual = learner.pass().dual;
    const bool fell = dual < before.dual;
    falls += fell ? 1 : 0;
    EXPECT_EQ(learner.state().rate, fell ? before.rate / 2 : before.rate);
    const auto& now = learner.state().weights;
    EXPECT_EQ(learner.weights(), dual > before.best_dual
                                     ? std::vector<float>(now.begin(), now.end())
                                     : before.best_weights);
  }
  EXPECT_GT(falls, 0);
}

// The largest margin over explicit structures: the dual is a quadratic programme over one
// distribution per example, solved by moving mass between the two structures that gain most, as far
// as is best. The gap to the primal proves the answer.
struct MarginSolution {
  double primal = 0;
  double dual = 0;
};

MarginSolution solve_margin(const ToyParts& problem, double c) {
  const auto& structures = problem.structures();
  const std::size_t count = structures.size();
  const std::size_t dimension = problem.dimension();
  const double share = 1 / static_cast<double>(count);
  // difference[i][y] = f(gold) - f(y), and its cost.
  std::vector<std::vector<std::vector<double>>> difference(problem.size());
  std::vector<std::vector<double>> cost(problem.size());
  std::vector<std::vector<double>> alpha(problem.size(), std::vector<double>(count, share));
  std::vector<double> w(dimension);
  std::vector<float> part_cost(problem.parts(0));
  for (std::size_t i = 0; i < problem.size(); ++i) {
    problem.cost(i, part_cost);
    const std::vector<double> right = problem.vector_of(i, problem.gold(i));
    for (std::size_t y = 0; y < count; ++y) {
      std::vector<float> chosen(problem.parts(i));
      double total = 0;
      for (const std::size_t a : structures[y]) {
        chosen[a] = 1;
        total += double{part_cost[a]};
      }
      std::vector<double> vector = problem.vector_of(i, chosen);
      for (std::size_t j = 0; j < dimension; ++j) {
        vector[j] = right[j] - vector[j];
        w[j] += c * vector[j] * share;
      }
      difference[i].push_back(std::move(vector));
      cost[i].push_back(total);
    }
  }
  const auto slope = [&](std::size_t i, std::size_t y) {
    return cost[i][y] - std::inner_product(w.begin(), w.end(), difference[i][y].begin(), 0.0);
  };
  for (int round = 0; round < 20000; ++round) {
    double worst = 0;
    for (std::size_t i = 0; i < problem.size(); ++i) {
      std::size_t up = 0;
      std::size_t down = count;
      for (std::size_t y = 0; y < count; ++y) {
        if (slope(i, y) > slope(i, up)) up = y;
        if (alpha[i][y] > 0 && (down == count || slope(i, y) < slope(i, down))) down = y;
      }
      const double gain = slope(i, up) - slope(i, down);
      worst = std::max(worst, gain);
      if (gain <= 1e-12) continue;
      double curve = 0;
      for (std::size_t j = 0; j < dimension; ++j) {
        const double d = difference[i][up][j] - difference[i][down][j];
        curve += c * d * d;
      }
      const double mass = curve > 0 ? std::min(alpha[i][down], gain / curve) : alpha[i][down];
      alpha[i][up] += mass;
      alpha[i][down] -= mass;
      for (std::size_t j = 0; j < dimension; ++j) {
        w[j] += c * mass * (difference[i][up][j] - difference[i][down][j]);
      }
    }
    if (worst < 1e-9) break;
  }
  MarginSolution solution;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    double highest = slope(i, 0);
    for (std::size_t y = 0; y < count; ++y) {
      highest = std::max(highest, slope(i, y));
      solution.dual += c * alpha[i][y] * cost[i][y];
    }
    solution.primal += c * highest;
  }
  solution.primal += half_square(w);
  solution.dual -= half_square(w);
  return solution;
}

TEST(ExponentiatedGradient, MaxMarginComesToTheOptimumOfTheQuadraticProgramme) {
  for (const bool separable : {false, true}) {
    for (const double c : {0.05, 0.5}) {
      SCOPED_TRACE(testing::Message() << "separable " << separable << " C " << c);
      const ToyParts problem(toy(7, separable));
      const MarginSolution solution = solve_margin(problem, c);
      ASSERT_NEAR(solution.primal, solution.dual, 1e-6);
      ExponentiatedGradient<ToyParts> learner(problem, of_loss(DualLoss::max_margin, c));
      for (int pass = 0; pass < 600; ++pass) learner.pass();
      EXPECT_LE(learner.state().best_dual, solution.primal + 1e-6);
      EXPECT_GT(learner.state().best_dual, solution.dual * (1 - 2e-3));
      EXPECT_LT(learner.primal(), solution.primal * (1 + 2e-2));
      EXPECT_GE(learner.primal(), solution.dual - 1e-6);
    }
  }
}

// The same problem with a constant per slot taken away.
class RecentredToy : public ToyParts {
 public:
  using ToyParts::ToyParts;
  void recentre(std::size_t, std::span<float> scores) const {
    for (int slot = 0; slot < 3; ++slot) {
      float top = -std::numeric_limits<float>::infinity();
      for (std::size_t a = 0; a < scores.size(); ++a) {
        if (slot_of(a) == slot) top = std::max(top, scores[a]);
      }
      for (std::size_t a = 0; a < scores.size(); ++a) {
        if (slot_of(a) == slot) scores[a] -= top;
      }
    }
  }
};

TEST(ExponentiatedGradient, RecentringKeepsThetaSmallAndTheWeightsTheSame) {
  static_assert(Recentring<RecentredToy>);
  const ToyParts plain(toy(8));
  const RecentredToy recentred(toy(8));
  ExponentiatedGradient<ToyParts> one(plain, of_loss(DualLoss::max_margin, 0.3));
  ExponentiatedGradient<RecentredToy> two(recentred, of_loss(DualLoss::max_margin, 0.3));
  for (int pass = 0; pass < 40; ++pass) {
    one.pass();
    two.pass();
  }
  const std::vector<float> w = one.weights();
  for (std::size_t j = 0; j < w.size(); ++j) EXPECT_NEAR(two.weights()[j], w[j], 1e-3);
  for (std::size_t a = 0; a < two.state().theta.size(); ++a) {
    if (plain.slot_of(a % plain.parts(0)) >= 0) {
      EXPECT_LE(two.state().theta[a], 0);
    }
  }
  EXPECT_GT(*std::ranges::max_element(one.state().theta), 10);
}

TEST(ExponentiatedGradient, GoingOnLaterIsTheSameAsNotStopping) {
  const ToyParts problem(toy(9));
  for (const DualLoss loss : kLosses) {
    const ExponentiatedGradientOptions options = of_loss(loss, 3);
    ExponentiatedGradient<ToyParts> whole(problem, options);
    for (int pass = 0; pass < 9; ++pass) whole.pass();
    ExponentiatedGradient<ToyParts> first(problem, options);
    for (int pass = 0; pass < 4; ++pass) first.pass();
    ExponentiatedGradient<ToyParts> second(problem, options, first.state());
    EXPECT_FALSE(second.state() == whole.state());
    for (int pass = 0; pass < 5; ++pass) second.pass();
    EXPECT_TRUE(second.state() == whole.state());
    EXPECT_EQ(second.weights(), whole.weights());
  }
}

TEST(ExponentiatedGradient, TheSeedOrdersTheExamplesOfLogLinearAlone) {
  const ToyParts problem(toy(9));
  for (const DualLoss loss : kLosses) {
    ExponentiatedGradientOptions options = of_loss(loss);
    ExponentiatedGradient<ToyParts> one(problem, options);
    options.seed = 2;
    ExponentiatedGradient<ToyParts> two(problem, options);
    one.pass();
    two.pass();
    EXPECT_EQ(one.state() == two.state(), loss == DualLoss::max_margin);
  }
}

TEST(ExponentiatedGradient, RefusesWhatMakesNoSense) {
  const ToyParts problem(toy(10));
  using Learner = ExponentiatedGradient<ToyParts>;
  for (const double variance : {0.0, -1.0, std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(Learner(problem, of_loss(DualLoss::max_margin, variance)), Error);
  }
  const Learner margin(problem, of_loss(DualLoss::max_margin));
  EXPECT_THROW(Learner(problem, of_loss(DualLoss::log_linear), margin.state()), Error);
  const ToyParts other(toy(10, true));
  EXPECT_NO_THROW(Learner(other, of_loss(DualLoss::max_margin), margin.state()));
  ToyOptions more = toy(10);
  ++more.examples;
  const ToyParts larger(more);
  EXPECT_THROW(Learner(larger, of_loss(DualLoss::max_margin), margin.state()), Error);
}

TEST(ExponentiatedGradient, AStateOfTheWrongSizeIsRefused) {
  using State = ExponentiatedGradientState;
  const ToyParts problem(toy(10));
  for (const DualLoss loss : kLosses) {
    const ExponentiatedGradient<ToyParts> learner(problem, of_loss(loss));
    const auto resume_with = [&](void (*change)(State&)) {
      State state = learner.state();
      change(state);
      const ExponentiatedGradient<ToyParts> resumed(problem, of_loss(loss), state);
    };
    EXPECT_NO_THROW(resume_with([](State&) {}));
    EXPECT_THROW(resume_with([](State& state) { state.theta.pop_back(); }), Error);
    EXPECT_THROW(resume_with([](State& state) { state.marginals.push_back(0); }), Error);
    EXPECT_THROW(resume_with([](State& state) { state.gains.pop_back(); }), Error);
    EXPECT_THROW(resume_with([](State& state) { state.weights.pop_back(); }), Error);
    EXPECT_THROW(resume_with([](State& state) { state.best_weights.push_back(0); }), Error);
    EXPECT_THROW(resume_with([](State& state) { state.rates.push_back(1); }), Error);
  }
}

TEST(ExponentiatedGradient, NumbersThatGrowTooLargeAreAnError) {
  const ToyParts problem(toy(11));
  ExponentiatedGradient<ToyParts> learner(problem, of_loss(DualLoss::max_margin, 1e38));
  EXPECT_THROW(
      {
        for (int pass = 0; pass < 50; ++pass) learner.pass();
      },
      Error);
}

TEST(ExponentiatedGradient, AProblemWithoutExamplesIsSolved) {
  ToyOptions none = toy(12);
  none.examples = 0;
  const ToyParts problem(none);
  for (const DualLoss loss : kLosses) {
    ExponentiatedGradient<ToyParts> learner(problem, of_loss(loss));
    EXPECT_EQ(learner.pass().dual, 0);
    EXPECT_EQ(learner.primal(), 0);
    EXPECT_EQ(learner.weights(), std::vector<float>(problem.dimension()));
  }
}

}  // namespace
}  // namespace copse
