#include "copse/learning/dual_perceptron.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "copse/base/error.h"
#include "copse/base/random.h"
#include "copse/learning/voted_perceptron.h"

namespace copse {
namespace {

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// Lists of random vectors with qualities that some of them explain.
struct Problem {
  std::vector<std::vector<Vector>> vectors;
  std::vector<Vector> quality, base;

  // Whole numbers make many ties, and sums that are exact; fractions make neither.
  Problem(std::uint64_t seed, std::size_t lists, bool whole = true) {
    constexpr std::size_t dimension = 5;
    Random random(seed);
    Vector truth(dimension);
    for (double& w : truth) w = random.normal();
    for (std::size_t i = 0; i < lists; ++i) {
      auto& list = vectors.emplace_back();
      auto& q = quality.emplace_back();
      auto& l = base.emplace_back();
      const int size = random.between(1, 6);
      for (int j = 0; j < size; ++j) {
        Vector x(dimension);
        for (double& value : x) value = whole ? random.between(-3, 3) : random.normal();
        q.push_back(std::round(dot(truth, x)));
        l.push_back(whole ? -random.between(0, 4) : -4 * random.uniform());
        list.push_back(x);
      }
    }
  }
  std::vector<RankedList> lists() const {
    std::vector<RankedList> result;
    for (std::size_t i = 0; i < quality.size(); ++i) result.push_back({quality[i], base[i]});
    return result;
  }
  auto kernel() const {
    return [this](std::size_t i, std::size_t j, std::size_t k, std::size_t l) {
      return dot(vectors[i][j], vectors[k][l]);
    };
  }
};

// The primal perceptron of section 3 on vectors (beta L, h), written out; ties and all.
struct Primal : RankingExpansion {
  explicit Primal(const Problem& p) : problem(p), weights(p.vectors[0][0].size(), 0.0) {}
  void scores(std::size_t list, std::span<double> out) override {
    for (std::size_t j = 0; j < out.size(); ++j) out[j] = dot(weights, problem.vectors[list][j]);
  }
  void add(std::size_t list, std::span<const RankingCoefficient> coefficients) override {
    for (const auto& c : coefficients) {
      for (std::size_t d = 0; d < weights.size(); ++d) {
        weights[d] += c.weight * problem.vectors[list][c.candidate][d];
      }
    }
  }
  double squared_norm(std::size_t list, std::span<const RankingCoefficient> coefficients) override {
    Vector sum(weights.size(), 0.0);
    for (const auto& c : coefficients) {
      for (std::size_t d = 0; d < sum.size(); ++d) {
        sum[d] += c.weight * problem.vectors[list][c.candidate][d];
      }
    }
    return dot(sum, sum);
  }
  const Problem& problem;
  Vector weights;
};

void expect_same(const RankingRun& a, const RankingRun& b) {
  ASSERT_EQ(a.updates.size(), b.updates.size());
  EXPECT_EQ(a.steps, b.steps);
  for (std::size_t m = 0; m < a.updates.size(); ++m) {
    EXPECT_EQ(a.updates[m].list, b.updates[m].list);
    EXPECT_EQ(a.updates[m].time, b.updates[m].time);
  }
  ASSERT_EQ(a.coefficients.size(), b.coefficients.size());
  for (std::size_t c = 0; c < a.coefficients.size(); ++c) {
    EXPECT_EQ(a.coefficients[c].candidate, b.coefficients[c].candidate);
    EXPECT_NEAR(a.coefficients[c].weight, b.coefficients[c].weight, 1e-9);
  }
}

TEST(DualPerceptron, PrimalAndDualMakeTheSameUpdates) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    for (int mode = 0; mode < 16; ++mode) {
      const Problem problem(seed, 25, mode < 2);
      const auto lists = problem.lists();
      DualPerceptronOptions options;
      options.beta = seed % 3 == 0 ? 0 : 0.5;
      options.epochs = 2;
      options.loss_scaled = mode & 1;
      options.all_pairs = mode & 2;
      options.passive_aggressive = mode & 4;
      options.margin = mode & 8 ? 0.9 : 0;
      options.shuffle = mode & 8;
      SumOfKernels dual(problem.kernel());
      Primal primal(problem);
      expect_same(train_dual_perceptron(lists, 0, lists.size(), dual, options),
                  train_dual_perceptron(lists, 0, lists.size(), primal, options));
    }
  }
}

// The algorithm as the paper states it, on explicit vectors, with nothing shared.
TEST(DualPerceptron, IsTheAlgorithmOfThePaper) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem(seed, 30);
    const double beta = 0.4;
    Vector w(6, 0.0);
    std::vector<std::array<std::size_t, 3>> mistakes;
    const auto extended = [&](std::size_t i, std::size_t j) {
      Vector x = problem.vectors[i][j];
      x.push_back(beta * problem.base[i][j]);
      return x;
    };
    for (std::size_t i = 0; i < problem.quality.size(); ++i) {
      const auto& q = problem.quality[i];
      const auto& base = problem.base[i];
      std::size_t best = 0;
      for (std::size_t j = 1; j < q.size(); ++j) {
        if (q[j] > q[best] || (q[j] == q[best] && base[j] > base[best])) best = j;
      }
      std::size_t rival = q.size();
      for (std::size_t j = 0; j < q.size(); ++j) {
        if (j == best) continue;
        const double g = dot(w, extended(i, j));
        if (rival == q.size() || g > dot(w, extended(i, rival)) ||
            (g == dot(w, extended(i, rival)) && base[j] > base[rival])) {
          rival = j;
        }
      }
      if (rival == q.size() || dot(w, extended(i, rival)) < dot(w, extended(i, best))) continue;
      for (std::size_t d = 0; d < w.size(); ++d) {
        w[d] += extended(i, best)[d] - extended(i, rival)[d];
      }
      mistakes.push_back({i, best, rival});
    }
    DualPerceptronOptions options;
    options.beta = beta;
    options.keep_ties = true;
    SumOfKernels dual(problem.kernel());
    const auto lists = problem.lists();
    const RankingRun run = train_dual_perceptron(lists, 0, lists.size(), dual, options);
    ASSERT_EQ(run.updates.size(), mistakes.size());
    for (std::size_t m = 0; m < mistakes.size(); ++m) {
      EXPECT_EQ(run.updates[m].list, mistakes[m][0]);
      EXPECT_EQ(run.updates[m].time, mistakes[m][0] + 1);
      const auto c = run.of(run.updates[m]);
      ASSERT_EQ(c.size(), 2U);
      EXPECT_EQ(c[0], (RankingCoefficient{static_cast<std::uint32_t>(mistakes[m][1]), 1}));
      EXPECT_EQ(c[1], (RankingCoefficient{static_cast<std::uint32_t>(mistakes[m][2]), -1}));
    }
  }
}

TEST(DualPerceptron, ATieAtTheStartIsAMistakeAgainstTheMostProbable) {
  const Vector quality{3, 1, 2, 1}, base{-2, -3, -2, -1};
  const std::vector<RankedList> lists{{quality, base}};
  SumOfKernels kernel([](auto...) { return 0.0; });
  DualPerceptronOptions options;
  options.beta = 0;
  const RankingRun run = train_dual_perceptron(lists, 0, 1, kernel, options);
  ASSERT_EQ(run.updates.size(), 1U);
  EXPECT_EQ(run.coefficients, (std::vector<RankingCoefficient>{{0, 1}, {3, -1}}));
}

TEST(DualPerceptron, EquallyGoodCandidatesAreNoMistakesUnlessAsked) {
  const Vector quality{2, 2, 2}, base{-3, -1, -2};
  const std::vector<RankedList> lists{{quality, base}};
  SumOfKernels kernel([](auto...) { return 0.0; });
  DualPerceptronOptions options;
  EXPECT_TRUE(train_dual_perceptron(lists, 0, 1, kernel, options).updates.empty());
  options.keep_ties = true;
  EXPECT_EQ(train_dual_perceptron(lists, 0, 1, kernel, options).coefficients,
            (std::vector<RankingCoefficient>{{1, 1}, {2, -1}}));
}

TEST(DualPerceptron, OneCandidateIsNoMistake) {
  const Vector one{1};
  const std::vector<RankedList> lists{{one, one}, {{}, {}}};
  SumOfKernels kernel([](auto...) { return 1.0; });
  const RankingRun run = train_dual_perceptron(lists, 0, 2, kernel, {});
  EXPECT_TRUE(run.updates.empty());
  EXPECT_EQ(run.steps, 2U);
  EXPECT_EQ(run.survival(-1), 2U);
}

TEST(DualPerceptron, MistakesOnSeparableListsAreBounded) {
  // One feature that is 1 for the best and 0 else, margin 1; R^2 = 1: at most 1 mistake, without L.
  const Problem problem(3, 40);
  std::vector<RankedList> lists = problem.lists();
  const auto kernel = [&](std::size_t i, std::size_t j, std::size_t k, std::size_t l) {
    const auto good = [&](std::size_t list, std::size_t candidate) {
      return candidate == best_candidate(lists[list].quality, lists[list].base) ? 1.0 : 0.0;
    };
    return good(i, j) * good(k, l);
  };
  SumOfKernels sum(kernel);
  DualPerceptronOptions options;
  options.beta = 0;
  options.epochs = 5;
  EXPECT_EQ(train_dual_perceptron(lists, 0, lists.size(), sum, options).updates.size(), 1U);
}

TEST(DualPerceptron, AConstantInTheBaseScoresOfAListChangesNothing) {
  const Problem problem(5, 40);
  Problem moved = problem;
  for (std::size_t i = 0; i < moved.base.size(); ++i) {
    for (double& l : moved.base[i]) l -= 8.0 * static_cast<double>(i % 5);
  }
  DualPerceptronOptions options;
  options.beta = 0.5;
  SumOfKernels a(problem.kernel()), b(moved.kernel());
  const auto lists = problem.lists(), moved_lists = moved.lists();
  const RankingRun run = train_dual_perceptron(lists, 0, lists.size(), a, options);
  EXPECT_GT(run.updates.size(), 3U);
  expect_same(run, train_dual_perceptron(moved_lists, 0, lists.size(), b, options));
}

TEST(DualPerceptron, RefusesWhatIsNotFinite) {
  const Vector good{1, 2}, bad{1, INFINITY};
  const std::vector<RankedList> lists{{good, bad}}, fine{{good, good}, {good, good}};
  SumOfKernels kernel([](auto...) { return 1.0; });
  EXPECT_THROW(train_dual_perceptron(lists, 0, 1, kernel, {}), Error);
  SumOfKernels huge([](auto...) { return INFINITY; });
  try {
    train_dual_perceptron(fine, 0, 2, huge, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "the sum of kernels is larger than a double can hold");
  }
  DualPerceptronOptions options;
  options.epochs = 0;
  EXPECT_THROW(train_dual_perceptron(fine, 0, 2, kernel, options), Error);
}

TEST(DualPerceptron, ThePassiveAggressiveStepReachesTheMargin) {
  const Problem problem(9, 1);
  Vector quality{4, 1}, base{-1, -3};
  std::vector<RankedList> lists{{quality, base}};
  const std::vector<Vector> x{{1, 0}, {0, 2}};
  const auto kernel = [&](std::size_t, std::size_t j, std::size_t, std::size_t l) {
    return dot(x[j], x[l]);
  };
  SumOfKernels sum(kernel);
  DualPerceptronOptions options;
  options.beta = 0.5;
  options.loss_scaled = true;
  options.passive_aggressive = true;
  options.aggressiveness = 100;
  const RankingRun run = train_dual_perceptron(lists, 0, 1, sum, options);
  // d = (1, -2) and 0.5 * (-1 + 3) = 1: |d|^2 = 6; loss 3: the step is 1/2.
  ASSERT_EQ(run.coefficients.size(), 2U);
  EXPECT_DOUBLE_EQ(run.coefficients[0].weight, 0.5);
  options.aggressiveness = 0.25;
  SumOfKernels again(kernel);
  EXPECT_DOUBLE_EQ(train_dual_perceptron(lists, 0, 1, again, options).coefficients[0].weight, 0.25);
}

// --- voting -----------------------------------------------------------------------------------

TEST(Voting, SurvivalCountsEqualRunningEveryModel) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem(seed, 30);
    const auto lists = problem.lists();
    const std::size_t test = 20;  // the rest is what is voted on
    const auto kernel = problem.kernel();
    DualPerceptronOptions options;
    options.beta = 0.3;
    options.epochs = 2;
    for (const int chunks : {1, 3}) {
      const auto bounds = chunk_bounds(test, chunks);
      for (std::size_t i = test; i < lists.size(); ++i) {
        Vector votes(lists[i].base.size(), 0.0);
        Voter voter(lists[i].base, options.beta);
        for (std::size_t c = 0; c + 1 < bounds.size(); ++c) {
          SumOfKernels sum(kernel);
          const RankingRun run =
              train_dual_perceptron(lists, bounds[c], bounds[c + 1], sum, options);
          // Every V_t by itself.
          for (std::uint64_t t = 1; t <= run.steps; ++t) {
            Vector g(votes.size(), 0.0);
            for (const auto& update : run.updates) {
              if (update.time > t) continue;
              for (const auto& coefficient : run.of(update)) {
                for (std::size_t j = 0; j < g.size(); ++j) {
                  g[j] += coefficient.weight *
                          (kernel(update.list, coefficient.candidate, i, j) +
                           options.beta * options.beta *
                               lists[update.list].base[coefficient.candidate] * lists[i].base[j]);
                }
              }
            }
            for (double& value : g) value = std::round(value * 1e9) / 1e9;
            ++votes[best_candidate(g, lists[i].base)];
          }
          voter.begin_chunk(run.survival(-1));
          for (std::size_t m = 0; m < run.updates.size(); ++m) {
            const auto& update = run.updates[m];
            Vector change(votes.size(), 0.0);
            for (std::size_t j = 0; j < change.size(); ++j) {
              for (const auto& coefficient : run.of(update)) {
                change[j] += coefficient.weight * kernel(update.list, coefficient.candidate, i, j);
              }
            }
            voter.update(change, base_weight(run.of(update), lists[update.list].base, options.beta),
                         run.survival(static_cast<std::ptrdiff_t>(m)));
          }
        }
        EXPECT_EQ(votes, Vector(voter.votes().begin(), voter.votes().end()));
        EXPECT_EQ(best_candidate(votes, lists[i].base), voter.winner());
      }
    }
  }
}

TEST(Voting, TheAverageOfAllModelsWeighsUpdatesByTheirUse) {
  const Problem problem(4, 30);
  const auto lists = problem.lists();
  Primal primal(problem);
  DualPerceptronOptions options;
  options.beta = 0;
  const RankingRun run = train_dual_perceptron(lists, 0, lists.size(), primal, options);
  // The mean of the weights after each step.
  Vector sum(5, 0.0);
  for (std::uint64_t t = 1; t <= run.steps; ++t) {
    for (const auto& update : run.updates) {
      if (update.time > t) continue;
      for (const auto& c : run.of(update)) {
        for (std::size_t d = 0; d < sum.size(); ++d) {
          sum[d] += c.weight * problem.vectors[update.list][c.candidate][d];
        }
      }
    }
  }
  Vector averaged(5, 0.0);
  std::uint64_t lived = run.survival(-1);
  for (std::size_t m = 0; m < run.updates.size(); ++m) {
    lived += run.survival(static_cast<std::ptrdiff_t>(m));
    for (const auto& c : run.of(run.updates[m])) {
      for (std::size_t d = 0; d < sum.size(); ++d) {
        averaged[d] += static_cast<double>(run.averaging(m)) * c.weight *
                       problem.vectors[run.updates[m].list][c.candidate][d];
      }
    }
  }
  EXPECT_EQ(averaged, sum);
  EXPECT_EQ(lived, run.steps);
}

TEST(Voting, WithoutUpdatesTheMostProbableWins) {
  const Vector base{-3, -1, -2};
  Voter voter(base, 0.2);
  voter.begin_chunk(7);
  EXPECT_EQ(voter.winner(), 1U);
  EXPECT_EQ(voter.votes()[1], 7);
}

TEST(Chunks, CoverEverythingOnce) {
  EXPECT_EQ(chunk_bounds(10, 3), (std::vector<std::size_t>{0, 3, 6, 10}));
  EXPECT_EQ(chunk_bounds(2, 5), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(chunk_bounds(0, 1), (std::vector<std::size_t>{0, 0}));
  EXPECT_THROW(chunk_bounds(5, 0), Error);
}

}  // namespace
}  // namespace copse
