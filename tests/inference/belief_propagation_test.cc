#include "copse/inference/belief_propagation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "copse/base/random.h"
#include "tests/repeats.h"

namespace copse {
namespace {

using Variable = BeliefGraphBuilder::Variable;

// A tree with potentials of its own, and every assignment of it.
struct Problem {
  std::vector<Variable> variables;
  Potentials potentials;
};

Problem random_problem(Random& random, int words, double size, bool forest = false) {
  Problem problem;
  std::vector<std::uint32_t> domain;
  for (int v = 0; v < words; ++v) {
    domain.push_back(static_cast<std::uint32_t>(random.between(1, 3)));
    Variable variable;
    variable.single = problem.potentials.add(1, domain.back());
    if (v > 0 && !(forest && random.chance(0.3))) {
      variable.parent = static_cast<std::uint32_t>(random.between(0, v - 1));
      variable.pair = problem.potentials.add(domain[variable.parent], domain.back());
    }
    problem.variables.push_back(variable);
  }
  for (double& value : problem.potentials.all()) value = size * random.normal();
  return problem;
}

double score_of(const Problem& problem, const std::vector<std::uint32_t>& values) {
  double score = 0;
  for (std::size_t v = 0; v < values.size(); ++v) {
    const Variable& variable = problem.variables[v];
    score += problem.potentials.values(variable.single)[values[v]];
    if (variable.parent == BeliefGraphBuilder::kRoot) continue;
    score += problem.potentials.values(
        variable.pair)[values[variable.parent] * problem.potentials.shape(variable.pair).columns +
                       values[v]];
  }
  return score;
}

template <class Visit>
void for_each_assignment(const Problem& problem, Visit visit) {
  std::vector<std::uint32_t> values(problem.variables.size(), 0);
  for (bool more = true; more;) {
    visit(values, score_of(problem, values));
    more = false;
    for (std::size_t v = 0; v < values.size() && !more; ++v) {
      more = ++values[v] < problem.potentials.shape(problem.variables[v].single).columns;
      if (!more) values[v] = 0;
    }
  }
}

struct Truth {
  double log_sum = 0, best = -1e300;
  std::vector<std::uint32_t> argument;
  std::vector<double> marginals;  // as potentials
};

Truth enumerate(const Problem& problem) {
  Truth truth;
  double top = -1e300;
  for_each_assignment(problem, [&](const auto&, double score) { top = std::max(top, score); });
  double sum = 0;
  truth.marginals.assign(problem.potentials.all().size(), 0.0);
  for_each_assignment(problem, [&](const std::vector<std::uint32_t>& values, double score) {
    const double weight = std::exp(score - top);
    sum += weight;
    if (score > truth.best) {
      truth.best = score;
      truth.argument = values;
    }
    for (std::size_t v = 0; v < values.size(); ++v) {
      const Variable& variable = problem.variables[v];
      truth.marginals[problem.potentials.shape(variable.single).begin + values[v]] += weight;
      if (variable.parent == BeliefGraphBuilder::kRoot) continue;
      const auto& shape = problem.potentials.shape(variable.pair);
      truth.marginals[shape.begin + values[variable.parent] * shape.columns + values[v]] += weight;
    }
  });
  for (double& value : truth.marginals) value /= sum;
  truth.log_sum = top + std::log(sum);
  return truth;
}

BeliefGraph graph_of(const std::vector<std::vector<Variable>>& trees, bool sharing) {
  BeliefGraphBuilder builder(sharing);
  std::vector<std::uint32_t> nodes;
  for (const auto& tree : trees) builder.add(tree, nodes);
  return builder.finish();
}

TEST(BeliefPropagation, SumsMarginalsAndBestEqualEnumeration) {
  Random random(7);
  for (int words = 1; words <= 5; ++words) {
    for (int repeat = 0; repeat < repeats(60, 5); ++repeat) {
      for (const bool forest : {false, true}) {
        const Problem problem = random_problem(random, words, 2, forest);
        const Truth truth = enumerate(problem);
        const BeliefGraph graph = graph_of({problem.variables}, true);
        BeliefPropagation propagation;
        std::vector<double> sums, slopes;
        for (const bool logs : {false, true}) {
          SCOPED_TRACE(testing::Message()
                       << words << " words, repeat " << repeat << (logs ? " logs" : ""));
          if (logs) {
            propagation.up_in_logs(graph, problem.potentials, sums);
          } else {
            propagation.up(graph, problem.potentials, sums);
          }
          EXPECT_EQ(propagation.in_logs(), logs);
          EXPECT_NEAR(sums.at(0), truth.log_sum, 1e-10);
          const double one[1] = {1};
          propagation.down(one, slopes);
          ASSERT_EQ(slopes.size(), truth.marginals.size());
          for (std::size_t i = 0; i < slopes.size(); ++i) {
            EXPECT_NEAR(slopes[i], truth.marginals[i], 1e-10);
          }
        }
        const auto best = BeliefPropagation::best(graph, problem.potentials, 0);
        EXPECT_NEAR(best.score, truth.best, 1e-10);
      }
    }
  }
}

TEST(BeliefPropagation, BestValuesAreThoseOfTheBestAssignment) {
  Random random(8);
  for (int repeat = 0; repeat < repeats(50, 5); ++repeat) {
    const Problem problem = random_problem(random, 5, 1);
    const Truth truth = enumerate(problem);
    BeliefGraphBuilder builder(false);
    std::vector<std::uint32_t> nodes;
    builder.add(problem.variables, nodes);
    const BeliefGraph graph = builder.finish();
    const auto best = BeliefPropagation::best(graph, problem.potentials, 0);
    std::map<std::uint32_t, std::uint32_t> value_of;
    for (const auto& chosen : best.values) value_of[chosen.node] = chosen.value;
    for (std::size_t v = 0; v < nodes.size(); ++v) {
      EXPECT_EQ(value_of.at(nodes[v]), truth.argument[v]) << "variable " << v;
    }
  }
}

// Trees that share potentials: with and without sharing of sub-trees the same, and the slopes those
// of differences.
TEST(BeliefPropagation, SharedSubTreesGiveTheSameSlopes) {
  Random random(9);
  for (int repeat = 0; repeat < repeats(40, 4); ++repeat) {
    SCOPED_TRACE(repeat);
    Potentials potentials;
    std::vector<std::uint32_t> singles, pairs;
    for (int i = 0; i < 3; ++i) singles.push_back(potentials.add(1, 2));
    for (int i = 0; i < 2; ++i) pairs.push_back(potentials.add(2, 2));
    for (double& value : potentials.all()) value = random.normal();
    std::vector<std::vector<Variable>> trees;
    std::vector<double> weights;
    for (int j = 0; j < 6; ++j) {
      auto& tree = trees.emplace_back();
      for (std::uint32_t v = 0; v < 5; ++v) {
        Variable variable;
        variable.single = singles[random.below(3)];
        if (v > 0) {
          variable.parent = (v - 1) / 2;
          variable.pair = pairs[random.below(2)];
        }
        tree.push_back(variable);
      }
      weights.push_back(random.normal());
    }
    const BeliefGraph shared = graph_of(trees, true), apart = graph_of(trees, false);
    EXPECT_LT(shared.nodes.size(), apart.nodes.size());
    EXPECT_EQ(apart.nodes.size(), 30U);
    BeliefPropagation a, b;
    std::vector<double> a_sums, b_sums, a_slopes, b_slopes;
    a.up(shared, potentials, a_sums);
    b.up(apart, potentials, b_sums);
    a.down(weights, a_slopes);
    b.down(weights, b_slopes);
    for (std::size_t j = 0; j < trees.size(); ++j) EXPECT_NEAR(a_sums[j], b_sums[j], 1e-12);
    const auto total = [&] {
      BeliefPropagation c;
      std::vector<double> sums;
      c.up(shared, potentials, sums);
      double sum = 0;
      for (std::size_t j = 0; j < sums.size(); ++j) sum += weights[j] * sums[j];
      return sum;
    };
    for (std::size_t i = 0; i < potentials.all().size(); ++i) {
      EXPECT_NEAR(a_slopes[i], b_slopes[i], 1e-12);
      constexpr double kStep = 1e-5;
      const double at = potentials.all()[i];
      potentials.all()[i] = at + kStep;
      const double more = total();
      potentials.all()[i] = at - kStep;
      const double less = total();
      potentials.all()[i] = at;
      EXPECT_NEAR(a_slopes[i], (more - less) / (2 * kStep), 1e-6);
    }
  }
}

// The same tree from another root: edges turned around, tables transposed.
TEST(BeliefPropagation, TheRootDoesNotMatter) {
  Random random(10);
  Potentials forward, backward;
  std::vector<Variable> down, up;
  constexpr std::uint32_t kWords = 4;
  for (std::uint32_t v = 0; v < kWords; ++v) {
    down.push_back({v == 0 ? BeliefGraphBuilder::kRoot : v - 1, forward.add(1, 3), 0});
    if (v > 0) down.back().pair = forward.add(3, 3);
  }
  for (double& value : forward.all()) value = random.normal();
  for (std::uint32_t v = 0; v < kWords; ++v) {
    const std::uint32_t mirrored = kWords - 1 - v;
    up.push_back({v == 0 ? BeliefGraphBuilder::kRoot : v - 1, backward.add(1, 3), 0});
    const auto single = forward.values(down[mirrored].single);
    std::copy(single.begin(), single.end(), backward.values(up.back().single).begin());
    if (v == 0) continue;
    up.back().pair = backward.add(3, 3);
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t b = 0; b < 3; ++b) {
        backward.values(up.back().pair)[a * 3 + b] =
            forward.values(down[mirrored + 1].pair)[b * 3 + a];
      }
    }
  }
  BeliefPropagation propagation;
  std::vector<double> first, second;
  propagation.up(graph_of({down}, true), forward, first);
  propagation.up(graph_of({up}, true), backward, second);
  EXPECT_NEAR(first[0], second[0], 1e-12);
}

// Numbers that no floating-point number holds as exp: the sums go on in logarithms.
TEST(BeliefPropagation, HugeScoresNeitherOverflowNorVanish) {
  Problem problem;
  problem.variables.push_back({BeliefGraphBuilder::kRoot, problem.potentials.add(1, 2), 0});
  problem.variables.push_back({0, problem.potentials.add(1, 2), problem.potentials.add(2, 2)});
  const double values[8] = {1000, -1000, -1000, 900, -2000, 500, 1000, 0};
  std::copy(std::begin(values), std::end(values), problem.potentials.all().begin());
  const Truth truth = enumerate(problem);
  const BeliefGraph graph = graph_of({problem.variables}, true);
  BeliefPropagation propagation;
  std::vector<double> sums, slopes;
  propagation.up(graph, problem.potentials, sums);
  EXPECT_TRUE(propagation.in_logs());
  EXPECT_NEAR(sums[0], truth.log_sum, 1e-9);
  const double one[1] = {1};
  propagation.down(one, slopes);
  for (std::size_t i = 0; i < slopes.size(); ++i) EXPECT_NEAR(slopes[i], truth.marginals[i], 1e-10);
  Random random(11);
  for (int repeat = 0; repeat < repeats(50, 5); ++repeat) {
    const Problem large = random_problem(random, 5, 1000);
    const Truth exact = enumerate(large);
    propagation.up(graph_of({large.variables}, true), large.potentials, sums);
    EXPECT_NEAR(sums[0], exact.log_sum, 1e-8 * std::abs(exact.log_sum));
  }
}

// A value that is forbidden has no share, and no slope.
TEST(BeliefPropagation, ForbiddenValues) {
  Random random(12);
  Problem problem = random_problem(random, 1, 1);
  problem.variables.clear();
  problem.potentials.clear();
  problem.variables.push_back({BeliefGraphBuilder::kRoot, problem.potentials.add(1, 2), 0});
  problem.variables.push_back({0, problem.potentials.add(1, 2), problem.potentials.add(2, 2)});
  problem.potentials.all()[0] = -std::numeric_limits<double>::infinity();
  problem.potentials.all()[3] = 2;
  BeliefPropagation propagation;
  std::vector<double> sums, slopes;
  const BeliefGraph graph = graph_of({problem.variables}, true);
  propagation.up(graph, problem.potentials, sums);
  EXPECT_NEAR(sums[0], std::log(1 + std::exp(2.0)), 1e-12);
  const double one[1] = {1};
  propagation.down(one, slopes);
  EXPECT_EQ(slopes[0], 0);
  EXPECT_EQ(slopes[1], 1);
}

TEST(BeliefPropagation, NoWordsAndTiesAreFine) {
  Potentials potentials;
  BeliefPropagation propagation;
  std::vector<double> sums, slopes;
  propagation.up(graph_of({{}}, true), potentials, sums);
  EXPECT_EQ(sums, std::vector<double>{0});
  const std::uint32_t single = potentials.add(1, 3);
  const BeliefGraph one = graph_of({{{BeliefGraphBuilder::kRoot, single, 0}}}, true);
  const auto best = BeliefPropagation::best(one, potentials, 0);
  ASSERT_EQ(best.values.size(), 1U);
  EXPECT_EQ(best.values[0].value, 0U);  // of equal values the first
}

}  // namespace
}  // namespace copse
