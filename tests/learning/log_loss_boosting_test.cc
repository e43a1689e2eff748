#include "copse/learning/log_loss_boosting.h"

#include <gtest/gtest.h>

#include <cmath>

#include "copse/learning/boosting_step.h"
#include "copse/learning/ranking_log_linear.h"
#include "copse/learning/ranking_perceptron.h"
#include "tests/learning/ranking_testing.h"

namespace copse {
namespace {

using ranking_testing::random_lists;
using ranking_testing::RandomLists;

PairOptions for_log_loss() {
  PairOptions options;
  options.uniform = true;
  return options;
}

// Appendix B with everything computed anew each round.
BoostingRun reference(const RankingPairs& pairs, double log_probability_weight,
                      const BoostingOptions& options) {
  BoostingRun run;
  run.log_probability_weight = log_probability_weight;
  std::vector<double> weights(pairs.features(), 0.0);
  for (int round = 0; round < options.rounds; ++round) {
    std::vector<boosting::Sums> sums(pairs.features());
    double mass = 0;
    for (std::size_t l = 0; l < pairs.lists(); ++l) {
      double d = 1;
      std::vector<double> e;
      for (std::size_t p = pairs.first(l); p < pairs.first(l + 1); ++p) {
        e.push_back(pairs.importance(p) *
                    std::exp(-boosting::margin(pairs, p, log_probability_weight, weights)));
        d += e.back();
      }
      for (std::size_t p = pairs.first(l); p < pairs.first(l + 1); ++p) {
        const double q = e[p - pairs.first(l)] / d;
        mass += q;
        for (const auto k : pairs.plus(p)) sums[k].plus += q;
        for (const auto k : pairs.minus(p)) sums[k].minus += q;
      }
    }
    std::uint32_t best = 0;
    for (std::uint32_t k = 1; k < sums.size(); ++k) {
      if (boosting::gain(sums[k]) > boosting::gain(sums[best])) best = k;
    }
    const double d = boosting::step(sums[best], options.smoothing * mass);
    run.rounds.push_back(
        {best, d, log_loss(pairs, log_probability_weight, weights), boosting::gain(sums[best]), 0});
    weights[best] += d;
  }
  run.loss = log_loss(pairs, log_probability_weight, weights);
  return run;
}

TEST(LogLossBoosting, EqualsRecomputation) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    SCOPED_TRACE(seed);
    PairOptions options = for_log_loss();
    options.uniform = seed != 3;  // weighted log loss
    const RankingPairs pairs(random_lists({}, seed), options);
    BoostingOptions boosting;
    boosting.rounds = 150;
    const auto fast = boost_log_loss(pairs, 1, boosting), slow = reference(pairs, 1, boosting);
    ASSERT_EQ(fast.rounds.size(), slow.rounds.size());
    for (std::size_t t = 0; t < slow.rounds.size(); ++t) {
      ASSERT_EQ(fast.rounds[t].feature, slow.rounds[t].feature) << t;
      EXPECT_NEAR(fast.rounds[t].step, slow.rounds[t].step, 1e-9);
      EXPECT_NEAR(fast.rounds[t].loss, slow.rounds[t].loss, 1e-9);
    }
    EXPECT_NEAR(fast.loss, slow.loss, 1e-9);
  }
}

TEST(LogLossBoosting, TheLossFallsAtLeastByTheBound) {
  const RankingPairs pairs(random_lists({}, 11), for_log_loss());
  BoostingOptions boosting;
  boosting.rounds = 30;
  boosting.smoothing = 0;
  const auto run = boost_log_loss(pairs, 1, boosting);
  ASSERT_EQ(run.rounds.size(), 30U);
  for (std::size_t t = 0; t < run.rounds.size(); ++t) {
    const double after = t + 1 < run.rounds.size() ? run.rounds[t + 1].loss : run.loss;
    const double gain = run.rounds[t].gain;
    EXPECT_LE(after, run.rounds[t].loss - gain * gain + 1e-12);
  }
}

TEST(LogLossBoosting, MovesTheWeightOfTheLogProbability) {
  const RankingPairs pairs(random_lists({}, 5), for_log_loss());
  BoostingOptions boosting;
  boosting.rounds = 40;
  boosting.move_log_probability_every = 10;
  const auto run = boost_log_loss(pairs, 3, boosting);
  const auto weights = run.weights_after(40, pairs.features());
  EXPECT_LT(weights.log_probability, 3);
  EXPECT_NEAR(run.loss, log_loss(pairs, weights.log_probability, weights.features), 1e-9);
  for (std::size_t t = 1; t < run.rounds.size(); ++t) {
    EXPECT_LE(run.rounds[t].loss, run.rounds[t - 1].loss + 1e-9);
  }
}

TEST(ExactLogLoss, NewtonAndIterativeScalingAgree) {
  Random random(3);
  for (int round = 0; round < 50; ++round) {
    std::vector<FeatureMass> lists;
    for (int i = 0; i < 8; ++i) lists.push_back({random.uniform(), random.chance(0.5)});
    lists.push_back({0.3, true});
    lists.push_back({0.3, false});
    const auto newton = best_log_loss_step(lists), scaling = best_log_loss_step(lists, true);
    EXPECT_NEAR(newton.step, scaling.step, 1e-6);
    EXPECT_NEAR(newton.change, scaling.change, 1e-9);
    EXPECT_LT(newton.iterations, 12);
    EXPECT_LE(newton.change, 0);
  }
  const std::vector<FeatureMass> always = {{0.5, true}, {0.25, true}};
  EXPECT_EQ(best_log_loss_step(always).step, 5);
  EXPECT_EQ(best_log_loss_step(std::vector<FeatureMass>{{1, true}}).step, 0);
}

TEST(ExactLogLoss, PredictsTheLossAndFallsFaster) {
  RandomLists shape;
  shape.features = 15;
  const RankingLists lists = random_lists(shape, 2);
  PairOptions options = for_log_loss();
  options.keep_ties = true;  // the exact form has no pairs to leave out
  const RankingPairs pairs(lists, options);
  const auto exact = select_by_exact_log_loss(lists, 1, 20);
  for (std::size_t t = 0; t < exact.rounds.size(); ++t) {
    const auto weights = exact.weights_after(t, lists.dimension());
    EXPECT_NEAR(exact.rounds[t].loss, log_loss(pairs, 1, weights.features), 1e-9) << t;
  }
  BoostingOptions boosting;
  boosting.rounds = 20;
  EXPECT_LT(exact.loss, boost_log_loss(pairs, 1, boosting).loss);
  EXPECT_NEAR(exact.rounds[0].loss, boost_log_loss(pairs, 1, boosting).rounds[0].loss, 1e-9);
}

TEST(RankingLogLinear, GradientEqualsFiniteDifferences) {
  const RankingLists lists = random_lists({}, 4);
  Random random(1);
  std::vector<double> at(lists.dimension() + 1), gradient(at.size()), none(at.size());
  for (double& x : at) x = random.normal();
  ranking_log_linear_objective(lists, 0.5, at, gradient);
  for (std::size_t k = 0; k < at.size(); ++k) {
    const double h = 1e-6, keep = at[k];
    at[k] = keep + h;
    const double above = ranking_log_linear_objective(lists, 0.5, at, none);
    at[k] = keep - h;
    const double below = ranking_log_linear_objective(lists, 0.5, at, none);
    at[k] = keep;
    EXPECT_NEAR(gradient[k], (above - below) / (2 * h), 1e-5 * (1 + std::abs(gradient[k])));
  }
}

TEST(RankingLogLinear, TheGradientVanishesAtTheResult) {
  const RankingLists lists = random_lists({}, 6);
  RankingLogLinearOptions options;
  options.max_iterations = 1000;
  const auto found = train_ranking_log_linear(lists, options);
  std::vector<double> at = found.weights, gradient(found.weights.size() + 1);
  at.push_back(found.log_probability_weight);
  const double value = ranking_log_linear_objective(lists, 1, at, gradient);
  EXPECT_NEAR(value, found.loss, 1e-9 * value);
  double norm = 0;
  for (const double slope : gradient) norm += slope * slope;
  EXPECT_LT(std::sqrt(norm), 0.05);
}

TEST(RankingPerceptron, AverageByHand) {
  // Feature 0 belongs to the best candidate, 1 to its rival; a tie is a mistake, made once.
  RankingLists lists;
  lists.add_candidate(0, 1, std::vector<std::uint32_t>{0});
  lists.add_candidate(0, 0, std::vector<std::uint32_t>{1});
  lists.end_list();
  RankingPerceptronOptions options;
  options.epochs = 3;
  std::vector<std::vector<double>> averages;
  std::vector<std::size_t> mistakes;
  train_ranking_perceptron(lists, options,
                           [&](int, std::size_t m, std::span<const double> average) {
                             mistakes.push_back(m);
                             averages.emplace_back(average.begin(), average.end());
                           });
  EXPECT_EQ(mistakes, (std::vector<std::size_t>{1, 0, 0}));
  // after the first step w = (1, -1); the mean counts the zero before it
  EXPECT_EQ(averages[0], (std::vector<double>{0.5, -0.5}));
  EXPECT_EQ(averages[2], (std::vector<double>{0.75, -0.75}));
}

}  // namespace
}  // namespace copse
