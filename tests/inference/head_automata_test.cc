#include "copse/inference/head_automata.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "copse/base/error.h"
#include "copse/inference/state_machine.h"
#include "copse/inference/tree_parts.h"
#include "tests/inference/crossing_oracle.h"
#include "tests/repeats.h"

namespace copse {
namespace {

using reference::kCrossingModels;
using reference::kRules;

struct Problem {
  ArcMask mask;
  PartIndex index;
  PartScores scores;
  HeadAutomata automata;
  std::vector<double> cost;

  Problem(int words, Factorisation model, RootRule rule, int labels, double removed, Random& random)
      : mask(reference::random_mask(words, removed, random)),
        index(mask, model, rule, Crossing::allowed),
        scores(index, labels) {
    reference::randomise(scores, 4, random);
    compile_automata(index, scores, 1, automata);
    for (int a = 0; a < index.arcs(); ++a) cost.push_back(random.between(-64, 64) / 64.0);
  }
};

// The score of one head's modifiers, given its head, by reading what the parts are.
double score_of_head(const Problem& problem, int h, int lane, const std::set<int>& modifiers) {
  const PartIndex& index = problem.index;
  std::map<std::string, PartIndex::Id> ids;
  for (const PartFamily family : reference::kFamilies) {
    index.for_each(family, [&](PartIndex::Id id, const Part& part) { ids[str(part)] = id; });
  }
  const int g = h == 0 || !index.has_lanes() ? kNobody : index.heads(h)[lane];
  if (modifiers.contains(g)) return kMinusInfinity;
  double sum = 0;
  const auto add = [&](const Part& part) {
    if (index.has(part.family)) sum += double{problem.scores[ids.at(str(part))]};
  };
  for (const Side side : {Side::left, Side::right}) {
    if (h == 0 && side == Side::left) continue;
    int s = kNobody;
    int t = kNobody;
    const int step = side == Side::left ? -1 : 1;
    for (int m = h + step; m >= 1 && m <= index.words(); m += step) {
      if (!modifiers.contains(m)) continue;
      add({.family = PartFamily::dep, .h = h, .m = m, .side = side});
      add({.family = PartFamily::sib, .h = h, .m = m, .s = s, .side = side});
      add({.family = PartFamily::tsib, .h = h, .m = m, .s = s, .t = t, .side = side});
      if (h != 0) {
        add({.family = PartFamily::grand, .g = g, .h = h, .m = m, .side = side});
        add({.family = PartFamily::gsib, .g = g, .h = h, .m = m, .s = s, .side = side});
      }
      if (problem.scores.labels() > 0) {
        const auto row = problem.scores.label_row(index.find_arc(h, m));
        sum += double{*std::max_element(row.begin(), row.end())};
      }
      t = s;
      s = m;
    }
    add({.family = PartFamily::stop, .h = h, .m = s, .side = side});
  }
  return sum;
}

// Every set of modifiers of one head, for one head of it.
template <class Visit>
void for_each_set(const Problem& problem, int h, Visit&& visit) {
  std::vector<int> candidates;
  for (int m = 1; m <= problem.index.words(); ++m) {
    if (m != h && problem.index.find_arc(h, m) != PartIndex::kNone) candidates.push_back(m);
  }
  for (unsigned bits = 0; bits < 1U << candidates.size(); ++bits) {
    std::set<int> chosen;
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      if ((bits >> k & 1U) != 0) chosen.insert(candidates[k]);
    }
    if (h == 0 && problem.index.rule() == RootRule::single && chosen.size() > 1) continue;
    visit(chosen);
  }
}

TEST(HeadAutomata, EqualEnumerationOfModifierSetsUnderCosts) {
  Random random(11);
  for (const Factorisation model : kCrossingModels) {
    for (const RootRule rule : kRules) {
      for (int trial = 0; trial < repeats(4, 2); ++trial) {
        Problem problem(5, model, rule, trial % 2 == 0 ? 0 : 2, 0.2, random);
        SCOPED_TRACE(reference::describe(problem.mask, model, rule));
        const PartIndex& index = problem.index;
        std::vector<double> chart(problem.automata.cells());
        for (int h = 0; h <= 5; ++h) {
          if (h > 0 && index.has_lanes() && index.heads(h).empty()) continue;
          problem.automata.solve(2 * h, {problem.cost}, chart);
          problem.automata.solve(2 * h + 1, {problem.cost}, chart);
          for (int lane = 0; lane < problem.automata.lanes(h); ++lane) {
            double best = kMinusInfinity;
            std::map<int, double> with;
            for_each_set(problem, h, [&](const std::set<int>& chosen) {
              double score = score_of_head(problem, h, lane, chosen);
              for (const int m : chosen) score -= problem.cost[index.find_arc(h, m)];
              best = std::max(best, score);
            });
            const double left = problem.automata.best(2 * h, chart)[lane];
            const double right = problem.automata.best(2 * h + 1, chart)[lane];
            EXPECT_EQ(left + right, best);
            // The path says what the value says.
            std::vector<int> arcs;
            problem.automata.trace(2 * h, lane, {problem.cost}, chart, arcs);
            problem.automata.trace(2 * h + 1, lane, {problem.cost}, chart, arcs);
            std::set<int> chosen;
            double cost = 0;
            for (const int a : arcs) {
              chosen.insert(index.arc(a).m);
              cost += problem.cost[a];
            }
            EXPECT_EQ(score_of_head(problem, h, lane, chosen) - cost, best);
          }
        }
      }
    }
  }
}

TEST(HeadAutomata, ValueOfASetIsTheScoreOfItsParts) {
  Random random(12);
  for (const Factorisation model : kCrossingModels) {
    Problem problem(5, model, RootRule::multi, 0, 0.2, random);
    std::vector<double> scratch;
    for (int h = 0; h <= 5; ++h) {
      for (int lane = 0; lane < problem.automata.lanes(h); ++lane) {
        for_each_set(problem, h, [&](const std::set<int>& chosen) {
          std::vector<std::uint8_t> marked(problem.cost.size(), 0);
          for (const int m : chosen) marked[problem.index.find_arc(h, m)] = 1;
          EXPECT_EQ(problem.automata.value_of(2 * h, lane, marked, scratch) +
                        problem.automata.value_of(2 * h + 1, lane, marked, scratch),
                    score_of_head(problem, h, lane, chosen));
        });
      }
    }
  }
}

TEST(HeadAutomata, BestPathThroughEachArcEqualsEnumeration) {
  Random random(13);
  for (const Factorisation model : kCrossingModels) {
    Problem problem(5, model, RootRule::multi, 0, 0.1, random);
    const PartIndex& index = problem.index;
    std::vector<double> chart(problem.automata.cells()), scratch;
    std::vector<double> with(problem.cost.size(), 0.0);
    for (int h = 0; h <= 5; ++h) {
      for (const int side : {2 * h, 2 * h + 1}) problem.automata.solve(side, {problem.cost}, chart);
      for (const int side : {2 * h, 2 * h + 1}) {
        const auto other = problem.automata.best(side ^ 1, chart);
        problem.automata.with_each_arc(side, {problem.cost}, chart, other, with, scratch);
      }
      std::map<int, double> expected;
      for (int lane = 0; lane < problem.automata.lanes(h); ++lane) {
        for_each_set(problem, h, [&](const std::set<int>& chosen) {
          double score = score_of_head(problem, h, lane, chosen);
          for (const int m : chosen) score -= problem.cost[index.find_arc(h, m)];
          for (const int m : chosen) {
            const auto [at, fresh] = expected.emplace(m, score);
            at->second = std::max(at->second, score);
          }
        });
      }
      for (const auto& [m, score] : expected) EXPECT_EQ(with[index.find_arc(h, m)], score);
    }
  }
}

TEST(HeadAutomata, RequiredArcsAreTaken) {
  Random random(17);
  for (const Factorisation model : kCrossingModels) {
    Problem problem(5, model, RootRule::multi, 0, 0.1, random);
    const PartIndex& index = problem.index;
    std::vector<int> before{0};
    std::vector<char> required;
    for (int a = 0; a < index.arcs(); ++a) {
      required.push_back(random.chance(0.15) ? 1 : 0);
      before.push_back(before.back() + required.back());
    }
    const ArcPrices prices{problem.cost, before};
    std::vector<double> chart(problem.automata.cells()), scratch;
    std::vector<double> with(problem.cost.size(), 0.0);
    for (int h = 0; h <= 5; ++h) {
      for (const int side : {2 * h, 2 * h + 1}) problem.automata.solve(side, prices, chart);
      for (int lane = 0; lane < problem.automata.lanes(h); ++lane) {
        double best = kMinusInfinity;
        for_each_set(problem, h, [&](const std::set<int>& chosen) {
          double score = score_of_head(problem, h, lane, chosen);
          for (int a = 0; a < index.arcs(); ++a) {
            const bool taken = index.arc(a).h == h && chosen.contains(index.arc(a).m);
            if (taken) score -= problem.cost[a];
            if (index.arc(a).h == h && required[a] != 0 && !taken) score = kMinusInfinity;
          }
          best = std::max(best, score);
        });
        const double found = problem.automata.best(2 * h, chart)[lane] +
                             problem.automata.best(2 * h + 1, chart)[lane];
        EXPECT_EQ(found, best);
        std::vector<int> arcs;
        for (const int side : {2 * h, 2 * h + 1}) {
          problem.automata.trace(side, lane, prices, chart, arcs);
        }
        for (int a = 0; a < index.arcs() && best > kMinusInfinity; ++a) {
          if (index.arc(a).h == h && required[a] != 0) {
            EXPECT_EQ(std::ranges::count(arcs, a), 1);
          }
        }
      }
    }
  }
}

TEST(HeadAutomata, PartsOfAChoiceAddUpToItsScore) {
  Random random(14);
  for (const Factorisation model : kCrossingModels) {
    for (const RootRule rule : kRules) {
      Problem problem(enumerated(6), model, rule, 0, 0, random);
      AutomataChoice choice;
      best_choice(problem.index, problem.automata, choice);
      std::vector<PartIndex::Id> parts;
      append_parts_of_choice(problem.index, choice, parts);
      double sum = 0;
      for (const PartIndex::Id part : parts) sum += double{problem.scores[part]};
      EXPECT_EQ(sum, choice.score);
      // A superset of the trees: never below the best of them.
      const reference::CrossingOracle oracle(problem.index, problem.scores);
      EXPECT_GE(choice.score, oracle.best(problem.mask, Crossing::allowed));
    }
  }
}

TEST(HeadAutomata, ATreeHasTheSamePartsEitherWay) {
  Random random(15);
  for (const Factorisation model : kCrossingModels) {
    Problem problem(5, model, RootRule::multi, 0, 0, random);
    const reference::CrossingOracle oracle(problem.index, problem.scores);
    for (const auto& heads :
         reference::all_trees(problem.mask, RootRule::multi, Crossing::allowed)) {
      std::vector<PartIndex::Id> parts;
      ASSERT_TRUE(append_parts_of_tree(problem.index, heads, parts));
      double sum = 0;
      for (const PartIndex::Id part : parts) sum += double{problem.scores[part]};
      ASSERT_EQ(sum, oracle.score(heads));
    }
  }
}

// A machine that counts: at most two modifiers, and the second one is paid for.
TEST(StateMachine, EqualsEnumeration) {
  Random random(16);
  for (int trial = 0; trial < 20; ++trial) {
    const int candidates = 5;
    const int states = 3;
    StateMachine machine(states, 1, candidates);
    for (int j = 0; j < candidates; ++j) {
      for (int a = 0; a < states; ++a) {
        for (int b = 0; b < states; ++b) {
          if (random.chance(0.8)) machine.take(j, a, b) = random.between(-64, 64) / 64.0;
        }
      }
    }
    for (int a = 0; a < states; ++a) machine.stop(a) = random.between(-64, 64) / 64.0;
    HeadAutomata automata;
    automata.start(0);
    add_side(machine, 0, automata);
    std::vector<double> cost(candidates), chart(automata.cells()), scratch;
    for (double& each : cost) each = random.between(-64, 64) / 64.0;
    automata.solve(0, {cost}, chart);
    double best = kMinusInfinity;
    for (unsigned bits = 0; bits < 1U << candidates; ++bits) {
      // All runs of the machine over the chosen candidates.
      std::vector<double> value(states, kMinusInfinity);
      value[machine.start()] = 0;
      double paid = 0;
      std::vector<std::uint8_t> marked(candidates, 0);
      for (int j = 0; j < candidates; ++j) {
        if ((bits >> j & 1U) == 0) continue;
        marked[j] = 1;
        paid += cost[j];
        std::vector<double> next(states, kMinusInfinity);
        for (int a = 0; a < states; ++a) {
          for (int b = 0; b < states; ++b) {
            next[b] = std::max(next[b], value[a] + machine.take(j, a, b));
          }
        }
        value = next;
      }
      double score = kMinusInfinity;
      for (int a = 0; a < states; ++a) score = std::max(score, value[a] + machine.stop(a));
      EXPECT_EQ(automata.value_of(0, 0, marked, scratch), score);
      best = std::max(best, score - paid);
    }
    EXPECT_EQ(automata.best(0, chart)[0], best);
  }
}

TEST(HeadAutomata, RefusesPartsItHasNoAutomataFor) {
  const ArcMask mask(3);
  HeadAutomata automata;
  const PartIndex carreras(mask, Factorisation::carreras, RootRule::multi, Crossing::allowed);
  EXPECT_THROW(compile_automata(carreras, PartScores(carreras), 1, automata), Error);
  const PartIndex projective(mask, Factorisation::model1, RootRule::multi);
  EXPECT_THROW(compile_automata(projective, PartScores(projective), 1, automata), Error);
}

}  // namespace
}  // namespace copse
