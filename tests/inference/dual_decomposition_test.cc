#include "copse/inference/dual_decomposition.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "copse/base/error.h"
#include "copse/inference/projective_search.h"
#include "copse/inference/state_machine.h"
#include "tests/inference/crossing_oracle.h"
#include "tests/inference/dual_ilp.h"
#include "tests/repeats.h"

namespace copse {
namespace {

using reference::CrossingOracle;
using reference::kCrossingModels;
using reference::kRules;

constexpr double kTolerance = 1e-5;

struct Problem {
  ArcMask mask;
  PartIndex index;
  PartScores scores;
  Problem(const ArcMask& arcs, Factorisation model, RootRule rule, int labels, double range,
          Random& random)
      : mask(arcs), index(mask, model, rule, Crossing::allowed), scores(index, labels) {
    reference::randomise(scores, range, random);
  }
};

// As the paper has it: no branches, no reductions, its own steps.
DualOptions plain(int iterations) {
  DualOptions options;
  options.iterations = iterations;
  options.step = StepRule::paper;
  options.reduce_every = 0;
  options.branch_after = 0;
  return options;
}

void ExpectTree(const Problem& problem, const DualAnswer& answer) {
  ASSERT_EQ(answer.heads.size(), static_cast<std::size_t>(problem.index.words()) + 1);
  ASSERT_TRUE(reference::is_tree(answer.heads));
  for (int m = 1; m <= problem.index.words(); ++m) {
    EXPECT_TRUE(problem.mask.allowed(answer.heads[m], m));
  }
  if (problem.index.rule() == RootRule::single) {
    EXPECT_EQ(reference::root_modifiers(answer.heads), 1);
  }
}

TEST(DualDecomposition, BoundsEveryIterationAndCertifiesOnlyTheBestTree) {
  Random random(21);
  DualDecomposition search;
  for (const Factorisation model : kCrossingModels) {
    int certified = 0;
    for (int trial = 0; trial < repeats(20, 4); ++trial) {
      const RootRule rule = kRules[trial % 2];
      const Problem problem(reference::random_mask(5, trial % 4 < 2 ? 0 : 0.3, random), model, rule,
                            trial % 3 == 0 ? 2 : 0, 4, random);
      SCOPED_TRACE(reference::describe(problem.mask, model, rule));
      const CrossingOracle oracle(problem.index, problem.scores);
      const double best = oracle.best(problem.mask, Crossing::allowed);
      double least = std::numeric_limits<double>::infinity();
      double most = kMinusInfinity;
      search.watch([&](const DualStep& step) {
        EXPECT_GE(step.dual, best - 1e-9);
        EXPECT_LE(step.primal, best + 1e-9);
        least = std::min(least, step.dual);
        most = std::max(most, step.primal);
      });
      const DualAnswer answer = search.best(problem.index, problem.scores, plain(100));
      search.watch({});
      if (best == kMinusInfinity) {
        EXPECT_EQ(answer.status, SearchStatus::no_tree);
        continue;
      }
      ASSERT_EQ(answer.status, SearchStatus::ok);
      ExpectTree(problem, answer);
      EXPECT_NEAR(answer.score, oracle.score(answer.heads), 1e-9);
      EXPECT_GE(answer.score, most - 1e-9);  // the best tree seen or better, not the last one
      if (answer.certificate.optimal) {
        EXPECT_NEAR(answer.score, best, kTolerance);
        EXPECT_EQ(answer.certificate.gap, 0);
        ++certified;
      } else {
        EXPECT_EQ(answer.certificate.bound, least);
        EXPECT_NEAR(answer.certificate.gap, least - answer.score, 1e-12);
      }
    }
    EXPECT_GE(certified, model == Factorisation::first ? repeats(11) : repeats(1, 0));
  }
}

TEST(DualDecomposition, WithBranchesEveryTreeIsProved) {
  Random random(22);
  DualDecomposition search;
  for (const Factorisation model : kCrossingModels) {
    for (const StepRule rule : {StepRule::paper, StepRule::polyak}) {
      for (int trial = 0; trial < repeats(12, 4); ++trial) {
        const Problem problem(reference::random_mask(5, trial % 4 < 2 ? 0 : 0.3, random), model,
                              kRules[trial % 2], trial % 3 == 0 ? 2 : 0, 4, random);
        const CrossingOracle oracle(problem.index, problem.scores);
        DualOptions options;
        options.step = rule;
        options.branch_after = 20;
        options.reduce_every = trial % 2 == 0 ? 5 : 0;
        options.iterations = 20000;
        const DualAnswer answer = search.best(problem.index, problem.scores, options);
        const double best = oracle.best(problem.mask, Crossing::allowed);
        if (best == kMinusInfinity) {
          EXPECT_EQ(answer.status, SearchStatus::no_tree);
          continue;
        }
        ExpectTree(problem, answer);
        EXPECT_TRUE(answer.certificate.optimal);
        EXPECT_NEAR(answer.score, best, kTolerance);
        EXPECT_NEAR(oracle.score(answer.heads), answer.score, 1e-9);
      }
    }
  }
}

TEST(DualDecomposition, StoppedAnywhereTheBoundHolds) {
  Random random(23);
  DualDecomposition search;
  for (int trial = 0; trial < 12; ++trial) {
    const Problem problem(ArcMask(5), Factorisation::model1, kRules[trial % 2], 0, 4, random);
    const double best =
        CrossingOracle(problem.index, problem.scores).best(problem.mask, Crossing::allowed);
    for (const int iterations : {1, 2, 7, 30, 100}) {
      DualOptions options;
      options.iterations = iterations;
      options.branch_after = 10;
      options.reduce_every = 3;
      const DualAnswer answer = search.best(problem.index, problem.scores, options);
      EXPECT_LE(answer.certificate.iterations, iterations);
      EXPECT_LE(answer.score, best + 1e-9);
      EXPECT_GE(answer.certificate.bound, best - kTolerance);
      if (answer.certificate.optimal) {
        EXPECT_NEAR(answer.score, best, kTolerance);
      }
    }
    DualOptions options;
    options.gap = 1.5;
    const DualAnswer near = search.best(problem.index, problem.scores, options);
    EXPECT_GE(near.score, best - 1.5 - kTolerance);
    EXPECT_LE(near.certificate.gap, 1.5 + kTolerance);
    EXPECT_GE(near.certificate.bound, best - kTolerance);
  }
}

// Where there is no certificate, hanging a word elsewhere gains nothing.
TEST(DualDecomposition, TreesWithoutAProofAreImproved) {
  Random random(36);
  DualDecomposition search;
  int better = 0;
  for (const Factorisation model :
       {Factorisation::sibling, Factorisation::model1, Factorisation::model2}) {
    for (int trial = 0; trial < 10; ++trial) {
      const Problem problem(ArcMask(6), model, kRules[trial % 2], trial % 3 == 0 ? 2 : 0, 4,
                            random);
      const CrossingOracle oracle(problem.index, problem.scores);
      double most = kMinusInfinity;
      search.watch([&](const DualStep& step) { most = std::max(most, step.primal); });
      const DualAnswer answer = search.best(problem.index, problem.scores, plain(2));
      search.watch({});
      ExpectTree(problem, answer);
      EXPECT_NEAR(answer.score, oracle.score(answer.heads), 1e-9);
      EXPECT_GE(answer.certificate.bound, answer.score);
      if (answer.certificate.optimal) continue;
      EXPECT_NEAR(answer.certificate.gap, answer.certificate.bound - answer.score, 1e-12);
      better += answer.score > most + 1e-9 ? 1 : 0;
      for (int m = 1; m <= 6; ++m) {
        for (int h = 0; h <= 6; ++h) {
          auto heads = answer.heads;
          heads[m] = h;
          if (h == m || !reference::is_tree(heads)) continue;
          const bool at_root = h == 0 || answer.heads[m] == 0;
          if (at_root && problem.index.rule() == RootRule::single) continue;
          EXPECT_LE(oracle.score(heads), answer.score + 1e-6);
        }
      }
    }
  }
  EXPECT_GT(better, 5);
}

struct Trace {
  std::vector<std::vector<int>> trees;
  std::vector<std::vector<bool>> taken;
  std::vector<double> duals, steps;
  bool operator==(const Trace&) const = default;
};

TEST(DualDecomposition, LazyDecodingChangesNothing) {
  Random random(24);
  for (const Factorisation model :
       {Factorisation::sibling, Factorisation::model1, Factorisation::model2}) {
    for (int trial = 0; trial < 6; ++trial) {
      const Problem problem(ArcMask(7), model, kRules[trial % 2], 0, 4, random);
      std::vector<Trace> traces;
      std::vector<DualAnswer> answers;
      for (const bool lazy : {true, false}) {
        DualDecomposition search;
        Trace& trace = traces.emplace_back();
        search.watch([&](const DualStep& step) {
          trace.trees.emplace_back(step.relaxation->tree().begin(), step.relaxation->tree().end());
          auto& taken = trace.taken.emplace_back();
          for (int a = 0; a < problem.index.arcs(); ++a) {
            taken.push_back(step.relaxation->is_taken(a));
          }
          trace.duals.push_back(step.dual);
          trace.steps.push_back(step.step);
        });
        DualOptions options = plain(60);
        if (trial >= 3) {
          options.step = StepRule::polyak;
          options.branch_after = 20;
          options.reduce_every = 7;
        }
        options.lazy = lazy;
        answers.push_back(search.best(problem.index, problem.scores, options));
      }
      EXPECT_EQ(traces[0], traces[1]);  // bit for bit
      EXPECT_EQ(answers[0].heads, answers[1].heads);
      EXPECT_LT(answers[0].certificate.recomputed, answers[1].certificate.recomputed);
      EXPECT_LE(answers[1].certificate.recomputed, answers[1].certificate.automata);
    }
  }
}

TEST(DualDecomposition, StepsOfThePaperNeverGrow) {
  Random random(25);
  DualDecomposition search;
  for (int trial = 0; trial < 10; ++trial) {
    const Problem problem(ArcMask(6), Factorisation::sibling, RootRule::multi, 0, 4, random);
    double last = std::numeric_limits<double>::infinity();
    double last_dual = std::numeric_limits<double>::infinity();
    double first = -1;
    int rises = 0;
    search.watch([&](const DualStep& step) {
      if (step.step == 0) return;  // the end
      if (first < 0) first = step.step;
      if (step.dual > last_dual) ++rises;
      EXPECT_LE(step.step, last);
      EXPECT_DOUBLE_EQ(step.step, first / (1 + rises));
      last = step.step;
      last_dual = step.dual;
      const DualPoint& point = step.relaxation->point();
      for (int a = 0; a < problem.index.arcs(); ++a) {
        if (step.relaxation->disagreement_counts()[a] == 0) {
          EXPECT_EQ(point.u[a], 0);
        }
      }
    });
    search.best(problem.index, problem.scores, plain(50));
  }
}

// alpha = theta (L - best) / |z - y|^2, theta a power of one half that only falls.
TEST(DualDecomposition, PolyakStepsAimAtTheBestTree) {
  Random random(34);
  DualDecomposition search;
  int halved = 0;
  for (int trial = 0; trial < 6; ++trial) {
    const Problem problem(ArcMask(6), Factorisation::model1, RootRule::multi, 0, 4, random);
    double most = kMinusInfinity;
    double last = 1;
    search.watch([&](const DualStep& step) {
      most = std::max(most, step.primal);
      if (step.step == 0) return;  // the end
      const double theta = step.step * step.relaxation->disagreements() / (step.dual - most);
      const double halvings = -std::log2(theta);
      EXPECT_NEAR(halvings, std::round(halvings), 1e-6);
      EXPECT_LE(theta, last + 1e-9);
      halved += theta < last - 1e-9 ? 1 : 0;
      last = theta;
    });
    DualOptions options = plain(100);
    options.step = StepRule::polyak;
    search.best(problem.index, problem.scores, options);
  }
  EXPECT_GT(halved, 0);
}

// A branch goes on from the multipliers at hand: its first bound is no higher than the last one.
TEST(DualDecomposition, BranchesStartWarm) {
  Random random(35);
  DualDecomposition search;
  int branched = 0;
  for (int trial = 0; trial < 12; ++trial) {
    const Problem problem(ArcMask(6), Factorisation::model1, RootRule::multi, 0, 4, random);
    DualOptions options;
    options.branch_after = 15;
    options.reduce_every = 0;
    std::vector<double> duals;
    search.watch([&](const DualStep& step) { duals.push_back(step.dual); });
    const DualAnswer answer = search.best(problem.index, problem.scores, options);
    search.watch({});
    if (answer.certificate.relaxations < 2 || duals.size() < 17) continue;
    ++branched;
    EXPECT_LE(duals[15], duals[14] + 1e-9);
    EXPECT_LT(duals[15], duals[0]);
  }
  EXPECT_GT(branched, 2);
}

TEST(DualDecomposition, ArcScoresAloneAreASpanningTree) {
  Random random(26);
  for (const RootRule rule : kRules) {
    Problem problem(ArcMask(enumerated(6)), Factorisation::model1, rule, 0, 4, random);
    for (PartIndex::Id id = problem.index.arcs(); id < problem.index.size(); ++id) {
      problem.scores[id] = 0;
    }
    DualDecomposition search;
    DualOptions options = plain(1);
    options.gamma = 1;
    const DualAnswer answer = search.best(problem.index, problem.scores, options);
    EXPECT_TRUE(answer.certificate.optimal);
    EXPECT_EQ(answer.certificate.iterations, 1);
    EXPECT_NEAR(answer.score,
                CrossingOracle(problem.index, problem.scores).best(problem.mask, Crossing::allowed),
                kTolerance);
  }
}

TEST(DualDecomposition, AnyShareOfArcScoresGivesTheSameCertifiedTree) {
  Random random(27);
  DualDecomposition search;
  for (int trial = 0; trial < 8; ++trial) {
    const Problem problem(ArcMask(5), Factorisation::sibling, RootRule::single, 0, 4, random);
    std::vector<double> found;
    for (const double gamma : {0.0, 0.001, 0.5, 1.0}) {
      DualOptions options;
      options.gamma = gamma;
      options.branch_after = 20;
      const DualAnswer answer = search.best(problem.index, problem.scores, options);
      ASSERT_TRUE(answer.certificate.optimal);
      found.push_back(answer.score);
    }
    for (const double score : found) EXPECT_NEAR(score, found[0], kTolerance);
  }
}

// Projective trees: the exact charts say what must come out.
TEST(DualDecomposition, ProjectiveTreesEqualTheCharts) {
  Random random(28);
  DualDecomposition search;
  Workspace workspace;
  for (const Factorisation model : {Factorisation::sibling, Factorisation::model1}) {
    for (int trial = 0; trial < 8; ++trial) {
      const RootRule rule = kRules[trial % 2];
      const Problem problem(reference::random_mask(6, 0.2, random), model, rule, 0, 4, random);
      const PartIndex chart_index(problem.mask, model, rule);
      PartScores chart_scores(chart_index);
      for (const PartFamily family : reference::kFamilies) {
        chart_index.for_each(family, [&](PartIndex::Id id, const Part& part) {
          chart_scores[id] = problem.scores[problem.index.find(part)];
        });
      }
      const auto exact = ProjectiveSearch(chart_index).best(chart_scores, workspace);
      DualOptions options;
      options.crossing = Crossing::never;
      options.branch_after = 20;
      options.tolerance = 1e-5;
      const DualAnswer answer = search.best(problem.index, problem.scores, options);
      ASSERT_EQ(answer.status, exact.status);
      if (answer.status != SearchStatus::ok) continue;
      EXPECT_TRUE(reference::is_projective(answer.heads));
      ASSERT_TRUE(answer.certificate.optimal);
      EXPECT_NEAR(answer.score, exact.score, 1e-3);
    }
  }
}

// Thinned as a pruner would, every word keeping the one before it.
ArcMask thinned(int words, int heads, Random& random) {
  ArcMask mask = ArcMask::none(words);
  for (int m = 1; m <= words; ++m) {
    mask.allow(m - 1, m);
    for (int k = 1; k < heads; ++k) {
      const int h = random.between(0, words);
      if (h != m) mask.allow(h, m);
    }
  }
  return mask;
}

TEST(DualDecomposition, EqualsTheIntegerProgramOnLongerSentences) {
  Random random(29);
  DualDecomposition search;
  for (const Factorisation model : {Factorisation::sibling, Factorisation::model1}) {
    for (int trial = 0; trial < 6; ++trial) {
      const int words = 9 + trial % 4;
      const Problem problem(thinned(words, 4, random), model, kRules[trial % 2],
                            trial % 3 == 0 ? 2 : 0, 4, random);
      const reference::IlpAnswer exact = reference::solve_ilp(problem.index, problem.scores);
      ASSERT_TRUE(exact.feasible);
      EXPECT_NEAR(CrossingOracle(problem.index, problem.scores).score(exact.heads), exact.value,
                  1e-6);
      const DualAnswer paper = search.best(problem.index, problem.scores, plain(500));
      EXPECT_LE(paper.score, exact.value + kTolerance);
      EXPECT_GE(paper.certificate.bound, exact.value - kTolerance);
      if (paper.certificate.optimal) {
        EXPECT_NEAR(paper.score, exact.value, kTolerance);
      }
      const DualAnswer answer = search.best(problem.index, problem.scores, {});
      EXPECT_TRUE(answer.certificate.optimal);
      EXPECT_NEAR(answer.score, exact.value, kTolerance);
    }
  }
}

// The path and multi-commodity constraints describe both halves exactly.
TEST(DualDecomposition, TheLeastDualIsTheLinearProgram) {
  Random random(30);
  DualDecomposition search;
  for (int trial = 0; trial < 4; ++trial) {
    const Factorisation model = trial < 2 ? Factorisation::sibling : Factorisation::model1;
    const Problem problem(thinned(6, 4, random), model, RootRule::multi, 0, 4, random);
    const double lp =
        reference::solve_lp(problem.index, problem.scores, reference::Flow::multi).value;
    double least = std::numeric_limits<double>::infinity();
    search.watch([&](const DualStep& step) { least = std::min(least, step.dual); });
    search.best(problem.index, problem.scores, plain(20000));
    search.watch({});
    EXPECT_GE(least, lp - 1e-6);
    EXPECT_LT(least, lp + 1e-2);
    EXPECT_GE(reference::solve_lp(problem.index, problem.scores, reference::Flow::single).value,
              lp - 1e-6);
  }
}

TEST(DualDecomposition, TakesMachinesOfAnyKind) {
  Random random(31);
  // Every head has at most two modifiers on a side: a machine that counts.
  const ArcMask mask(5);
  const PartIndex index(mask, Factorisation::first, RootRule::multi, Crossing::allowed);
  for (int trial = 0; trial < 5; ++trial) {
    std::vector<double> dep(static_cast<std::size_t>(index.arcs()));
    for (double& each : dep) each = random.between(-256, 256) / 64.0;
    HeadAutomata automata;
    automata.start(5);
    for (int h = 0; h <= 5; ++h) {
      for (const Side side : {Side::left, Side::right}) {
        const auto arcs = index.arcs_of(h, side);
        StateMachine machine(3, 0, arcs.size());
        for (int j = 0; j < arcs.size(); ++j) {
          for (int a = 0; a < 2; ++a) machine.take(j, a, a + 1) = dep[arcs.first + j];
        }
        add_side(machine, arcs.first, automata);
      }
    }
    double best = kMinusInfinity;
    for (const auto& heads : reference::all_trees(mask, RootRule::multi, Crossing::allowed)) {
      double score = 0;
      std::map<std::pair<int, bool>, int> modifiers;
      bool possible = true;
      for (int m = 1; m <= 5; ++m) {
        score += dep[index.find_arc(heads[m], m)];
        possible = ++modifiers[{heads[m], m > heads[m]}] <= 2 && possible;
      }
      if (possible) best = std::max(best, score);
    }
    DualDecomposition search;
    const std::vector<double> nothing(dep.size(), 0.0);
    DualOptions options;
    options.branch_after = 20;
    const DualAnswer answer = search.best(index, automata, nothing, options);
    ASSERT_TRUE(answer.certificate.optimal);
    EXPECT_NEAR(answer.score, best, kTolerance);
  }
}

TEST(DualDecomposition, ArcScoresBoundWhatAnArcCosts) {
  Random random(32);
  DualDecomposition search;
  for (int trial = 0; trial < repeats(6, 4); ++trial) {
    const Problem problem(ArcMask(5), Factorisation::model1, kRules[trial % 2], 0, 4, random);
    const CrossingOracle oracle(problem.index, problem.scores);
    DualAnswer answer;
    std::vector<double> scores;
    const double bound = search.arc_scores(problem.index, problem.scores,
                                           plain(trial < 3 ? 4 : 200), answer, scores);
    for (int a = 0; a < problem.index.arcs(); ++a) {
      ArcMask with = problem.mask;
      with.require(problem.index.arc(a).h, problem.index.arc(a).m);
      const double best = oracle.best(with, Crossing::allowed);
      if (best == kMinusInfinity) continue;
      EXPECT_LE(best, bound + scores[a] + 1e-9);
    }
  }
}

TEST(DualDecomposition, Edges) {
  DualDecomposition search;
  for (const Factorisation model : kCrossingModels) {
    const PartIndex none(ArcMask(0), model, RootRule::multi, Crossing::allowed);
    const DualAnswer empty = search.best(none, PartScores(none), {});
    EXPECT_EQ(empty.status, SearchStatus::ok);
    EXPECT_TRUE(empty.certificate.optimal);
    EXPECT_EQ(empty.heads, (std::vector<int>{kNobody}));

    const PartIndex one(ArcMask(1), model, RootRule::single, Crossing::allowed);
    const DualAnswer single = search.best(one, PartScores(one), {});
    EXPECT_TRUE(single.certificate.optimal);
    EXPECT_EQ(single.heads, (std::vector<int>{kNobody, 0}));
    EXPECT_EQ(single.certificate.iterations, 1);

    const PartIndex equal(ArcMask(4), model, RootRule::single, Crossing::allowed);
    const DualAnswer tied = search.best(equal, PartScores(equal), {});
    EXPECT_TRUE(tied.certificate.optimal);  // by value
    EXPECT_LE(tied.certificate.iterations, 2);
  }
  const PartIndex index(ArcMask(3), Factorisation::sibling, RootRule::multi, Crossing::allowed);
  PartScores scores(index);
  scores[2] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(search.best(index, scores, {}).status, SearchStatus::bad_score);
  DualOptions options;
  options.iterations = 0;
  EXPECT_THROW(search.best(index, PartScores(index), options), Error);
  options = {};
  options.gamma = 1.5;
  EXPECT_THROW(search.best(index, PartScores(index), options), Error);
  ArcMask cyclic = ArcMask::none(2);
  cyclic.allow(1, 2);
  cyclic.allow(2, 1);
  const PartIndex nowhere(cyclic, Factorisation::sibling, RootRule::multi, Crossing::allowed);
  EXPECT_EQ(search.best(nowhere, PartScores(nowhere), {}).status, SearchStatus::no_tree);
}

TEST(DualDecomposition, ForbiddenArcsAndUnits) {
  Random random(33);
  DualDecomposition search;
  for (int trial = 0; trial < 10; ++trial) {
    Problem problem(ArcMask(5), Factorisation::model1, RootRule::single, 0, 4, random);
    // Minus infinity forbids, as the mask does.
    ArcMask mask = problem.mask;
    for (int k = 0; k < 6; ++k) {
      const int a = random.between(0, problem.index.arcs() - 1);
      problem.scores[a] = -std::numeric_limits<float>::infinity();
      mask.forbid(problem.index.arc(a).h, problem.index.arc(a).m);
    }
    const CrossingOracle oracle(problem.index, problem.scores);
    DualOptions options;
    options.unit = 1.0 / 64;  // what all scores are multiples of
    options.branch_after = 20;
    const DualAnswer answer = search.best(problem.index, problem.scores, options);
    const double best = oracle.best(mask, Crossing::allowed);
    if (best == kMinusInfinity) {
      EXPECT_EQ(answer.status, SearchStatus::no_tree);
      continue;
    }
    ASSERT_TRUE(answer.certificate.optimal);
    EXPECT_NEAR(answer.score, best, kTolerance);
  }
}

}  // namespace
}  // namespace copse
