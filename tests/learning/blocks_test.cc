// Learners whose blocks are shared by processes: the same bytes for any number of these, and what
// they learn is what it should be.
#include <gtest/gtest.h>

#include <cmath>

#include "copse/learning/block_gradient.h"
#include "copse/learning/log_linear.h"
#include "copse/learning/mixed_online.h"
#include "tests/learning/toy_parts.h"
#include "tests/thread_group.h"

namespace copse {
namespace {

ToyOptions toy(int examples, bool separable) {
  ToyOptions options;
  options.examples = examples;
  options.slots = 3;
  options.features = 30;
  options.separable = separable;
  options.seed = 5;
  return options;
}

constexpr int kMembers[] = {1, 2, 3, 4, 6};
constexpr DualLoss kLosses[] = {DualLoss::max_margin, DualLoss::log_linear};

// learn(group, team) -> a result, by groups of all sizes and by threads; all members, all sizes and
// all numbers of threads must come to the same.
template <class Learn>
auto same_for_all(const Learn& learn) {
  Alone alone;
  ThreadTeam one(1);
  const auto expected = learn(alone, one);
  for (const int members : kMembers) {
    for (const int threads : {1, 2}) {
      SCOPED_TRACE(testing::Message() << members << " members, " << threads << " threads");
      with_members(members, [&](Group& group) {
        ThreadTeam team(threads);
        EXPECT_TRUE(learn(group, team) == expected);
      });
    }
  }
  return expected;
}

TEST(Blocks, LogLinearIsTheSameForAllSizes) {
  const ToyParts problem(toy(37, false));
  const auto weights = same_for_all([&](Group& group, ThreadTeam& team) {
    std::vector<float> w;
    learn_log_linear(problem, LbfgsState{}, w, LogLinearOptions{}, team, group);
    return w;
  });
  // A minimum: no other point nearby is lower.
  const double least = log_linear_objective(problem, weights, 1);
  for (std::size_t j = 0; j < weights.size(); ++j) {
    for (const float by : {-0.05F, 0.05F}) {
      std::vector<float> moved = weights;
      moved[j] += by;
      EXPECT_GT(log_linear_objective(problem, moved, 1), least);
    }
  }
}

TEST(Blocks, BatchesAreTheSameForAllSizesAndAsInOneProcess) {
  const ToyParts problem(toy(37, false));
  for (const OnlineRule rule :
       {OnlineRule::perceptron, OnlineRule::passive_aggressive, OnlineRule::log_linear}) {
    OnlineOptions options;
    options.rule = rule;
    ThreadTeam one(1);
    OnlineLearner plain(problem, options, one);
    for (int pass = 0; pass < 3; ++pass) plain.pass();
    const OnlineState state = same_for_all([&](Group& group, ThreadTeam& team) {
      OnlineLearner learner(problem, options, team, {}, &group);
      for (int pass = 0; pass < 3; ++pass) learner.pass();
      return learner.state();
    });
    EXPECT_TRUE(state == plain.state());
  }
}

OnlineOptions passive_aggressive() {
  OnlineOptions options;
  options.rule = OnlineRule::passive_aggressive;
  options.cost_weight = 1;
  options.batch = 1;
  return options;
}

TEST(Blocks, MixingIsTheSameForAllSizes) {
  const ToyParts problem(toy(37, true));
  same_for_all([&](Group& group, ThreadTeam& team) {
    MixedOnlineLearner learner(problem, passive_aggressive(), 8, team, group);
    for (int pass = 0; pass < 3; ++pass) learner.pass();
    return learner.state();
  });
}

// With one block nothing is mixed: what an ordinary learner does, up to the rounding of sums.
TEST(Blocks, MixingOneBlockIsOrdinaryLearning) {
  const ToyParts problem(toy(20, true));
  ThreadTeam team(1);
  Alone alone;
  OnlineLearner plain(problem, passive_aggressive(), team);
  MixedOnlineLearner mixed(problem, passive_aggressive(), 1, team, alone);
  for (int pass = 0; pass < 4; ++pass) {
    const PassResult expected = plain.pass(), found = mixed.pass();
    EXPECT_EQ(found.mistakes, expected.mistakes);
    EXPECT_EQ(found.loss, expected.loss);
  }
  EXPECT_EQ(mixed.state().steps, plain.state().steps);
  const auto average = plain.state().averaged(), of_mixed = mixed.state().averaged();
  for (std::size_t j = 0; j < average.size(); ++j) {
    EXPECT_NEAR(mixed.state().weights[j], plain.state().weights[j], 1e-6);
    EXPECT_NEAR(of_mixed[j], average[j], 1e-5);
  }
}

// The average handed out is the mean over all steps of all blocks, as the header says: kept here
// step by step for two blocks of one example each.
TEST(Blocks, MixingAveragesOverAllSteps) {
  const ToyParts problem(toy(2, false));
  ThreadTeam team(1);
  Alone alone;
  MixedOnlineLearner mixed(problem, passive_aggressive(), 2, team, alone);
  std::vector<double> sum(problem.dimension());
  std::vector<float> w(problem.dimension());
  for (int pass = 0; pass < 5; ++pass) {
    std::vector<double> mean(problem.dimension());
    for (std::size_t block = 0; block < 2; ++block) {
      const ProblemBlock<ToyParts> part(problem, {block, block + 1});
      OnlineState start;
      start.weights = w;
      start.moments.resize(w.size());
      OnlineOptions longer = passive_aggressive();
      longer.aggressiveness *= 2;
      OnlineLearner learner(part, longer, team, start);
      learner.pass();
      for (std::size_t j = 0; j < w.size(); ++j) {
        // The mixing changes the weights in the step that follows: this step ended with these.
        sum[j] += double{learner.state().weights[j]};
        mean[j] += double{learner.state().weights[j]} / 2;
      }
    }
    mixed.pass();
    for (std::size_t j = 0; j < w.size(); ++j) {
      w[j] = static_cast<float>(mean[j]);
      EXPECT_NEAR(mixed.state().weights[j], w[j], 1e-6);
      EXPECT_NEAR(mixed.state().averaged()[j], sum[j] / (2 * (pass + 1)), 1e-5);
    }
  }
}

// McDonald et al. 2010, Theorem 3.
TEST(Blocks, TheMixedPerceptronLearnsWhatCanBeSeparated) {
  const ToyParts problem(toy(40, true));
  ThreadTeam team(1);
  Alone alone;
  MixedOnlineLearner learner(problem, OnlineOptions{}, 4, team, alone);
  std::size_t mistakes = 1;
  for (int pass = 0; pass < 1000 && mistakes > 0; ++pass) mistakes = learner.pass().mistakes;
  EXPECT_EQ(mistakes, 0U);
}

ExponentiatedGradientOptions of_loss(DualLoss loss) {
  ExponentiatedGradientOptions options;
  options.loss = loss;
  return options;
}

TEST(Blocks, GradientIsTheSameForAllSizes) {
  const ToyParts problem(toy(37, false));
  for (const DualLoss loss : kLosses) {
    same_for_all([&](Group& group, ThreadTeam& team) {
      BlockGradient learner(problem, of_loss(loss), 8, team, group);
      for (int pass = 0; pass < 3; ++pass) learner.pass();
      return learner.weights();
    });
  }
}

TEST(Blocks, GradientComesToTheDualOfTheSequentialOne) {
  const ToyParts problem(toy(24, false));
  ThreadTeam team(1);
  Alone alone;
  for (const DualLoss loss : kLosses) {
    ExponentiatedGradient<ToyParts> sequential(problem, of_loss(loss));
    for (int pass = 0; pass < 200; ++pass) sequential.pass();
    for (const std::size_t blocks : {1U, 2U, 8U}) {
      BlockGradient learner(problem, of_loss(loss), blocks, team, alone);
      double dual = -1e300;
      for (int pass = 0; pass < 1500; ++pass) {
        const double next = learner.pass().dual;
        if (loss == DualLoss::log_linear) {
          EXPECT_GE(next, dual - 1e-9 * std::abs(next));
        }
        dual = next;
      }
      const double best = sequential.state().best_dual;
      EXPECT_NEAR(learner.whole_state().best_dual, best, 2e-3 * std::abs(best));
    }
  }
}

TEST(Blocks, GradientGoesOnWithAnotherNumberOfMembers) {
  const ToyParts problem(toy(37, false));
  for (const DualLoss loss : kLosses) {
    const auto passes = [&](BlockGradient<ToyParts>& learner, int count) {
      for (int pass = 0; pass < count; ++pass) learner.pass();
      return learner.whole_state();
    };
    ThreadTeam team(1);
    Alone alone;
    BlockGradient whole(problem, of_loss(loss), 8, team, alone);
    const ExponentiatedGradientState expected = passes(whole, 5);
    ExponentiatedGradientState half, end;
    with_members(3, [&](Group& group) {
      ThreadTeam own(1);
      BlockGradient learner(problem, of_loss(loss), 8, own, group);
      const ExponentiatedGradientState state = passes(learner, 2);
      if (group.leads()) half = state;
    });
    with_members(2, [&](Group& group) {
      ThreadTeam own(1);
      BlockGradient learner(problem, of_loss(loss), 8, own, group, half);
      const ExponentiatedGradientState state = passes(learner, 3);
      if (group.leads()) end = state;
    });
    EXPECT_TRUE(end == expected);
  }
}

}  // namespace
}  // namespace copse
