#include "copse/inference/lazy_k_best.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "copse/base/random.h"
#include "copse/inference/forest_sums.h"

namespace copse {
namespace {

// A forest with nodes that have no derivation, edges that use a node twice, and ties.
Hypergraph random_forest(Random& random, int nodes) {
  Hypergraph forest;
  for (int node = 0; node < nodes; ++node) {
    forest.add_node();
    const int edges = random.between(node == nodes - 1 ? 1 : 0, 3);
    for (int i = 0; i < edges; ++i) {
      Hyperedge edge;
      edge.weight = random.between(-8, 0) / 4.0;
      const int arity = node == 0 ? 0 : random.between(0, 2);
      for (int p = 0; p < arity; ++p) {
        edge.tails[static_cast<std::size_t>(p)] = random.between(0, node - 1);
      }
      forest.add_edge(edge);
    }
  }
  return forest;
}

using Scores = std::vector<double>;

// The weights of all derivations of a node, by the definition.
Scores all_derivations(const Hypergraph& forest, int node) {
  Scores scores;
  for (const Hyperedge& edge : forest.edges_into(node)) {
    Scores parts{edge.weight};
    for (const std::int32_t tail : edge.tails) {
      if (tail == Hyperedge::kNone) continue;
      Scores longer;
      for (const double part : parts) {
        for (const double other : all_derivations(forest, tail)) longer.push_back(part + other);
      }
      parts = std::move(longer);
    }
    scores.insert(scores.end(), parts.begin(), parts.end());
  }
  return scores;
}

double walked_score(const Hypergraph& forest, LazyKBest& lists, int node, int rank) {
  double score = 0;
  lists.walk(node, rank, [&](std::uint32_t edge, int) { score += forest.edge(edge).weight; });
  return score;
}

TEST(LazyKBest, EqualsTheSortedEnumerationOfAllDerivations) {
  int nonempty = 0;
  for (int seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const Hypergraph forest = random_forest(random, random.between(1, 7));
    const int goal = forest.nodes() - 1;
    Scores expected = all_derivations(forest, goal);
    std::sort(expected.rbegin(), expected.rend());
    LazyKBest lists(forest);
    int rank = 0;
    for (; lists.derivation(goal, rank) != nullptr; ++rank) {
      ASSERT_LT(rank, static_cast<int>(expected.size()));
      EXPECT_NEAR(lists.derivation(goal, rank)->score, expected[static_cast<std::size_t>(rank)],
                  1e-9);
      EXPECT_NEAR(walked_score(forest, lists, goal, rank), lists.derivation(goal, rank)->score,
                  1e-9);
      if (rank > 500) break;
    }
    if (rank <= 500) {
      EXPECT_EQ(rank, static_cast<int>(expected.size()));
    }
    nonempty += expected.empty() ? 0 : 1;
  }
  EXPECT_GT(nonempty, 200);
}

TEST(LazyKBest, DoesNotGiveADerivationTwice) {
  Random random(7);
  const Hypergraph forest = random_forest(random, 7);
  LazyKBest lists(forest);
  const int goal = forest.nodes() - 1;
  std::vector<std::vector<std::uint32_t>> seen;
  for (int rank = 0; rank < 200 && lists.derivation(goal, rank) != nullptr; ++rank) {
    std::vector<std::uint32_t> edges;
    lists.walk(goal, rank, [&](std::uint32_t edge, int) { edges.push_back(edge); });
    EXPECT_EQ(std::count(seen.begin(), seen.end(), edges), 0) << rank;
    seen.push_back(edges);
  }
  EXPECT_FALSE(seen.empty());
}

TEST(LazyKBest, AsksForMoreAfterTheEndWithoutHarm) {
  Hypergraph forest;
  forest.add_node();
  forest.add_edge({-1, {Hyperedge::kNone, Hyperedge::kNone}, 0});
  LazyKBest lists(forest);
  EXPECT_EQ(lists.derivation(0, 3), nullptr);
  EXPECT_EQ(lists.derivation(0, 1), nullptr);
  ASSERT_NE(lists.derivation(0, 0), nullptr);
  EXPECT_EQ(lists.derivation(0, 0)->score, -1);
}

TEST(ForestSums, EqualTheSumOverAllDerivations) {
  for (int seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const Hypergraph forest = random_forest(random, random.between(1, 6));
    double total = 0;
    for (const double score : all_derivations(forest, forest.nodes() - 1)) total += std::exp(score);
    const ForestSums sums(forest);
    EXPECT_NEAR(std::exp(sums.log_total()), total, 1e-9 * (1 + total));
  }
}

TEST(ForestSums, EdgeSharesAreSlopesOfTheLogSum) {
  constexpr double kStep = 1e-5;
  for (int seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const Hypergraph forest = random_forest(random, random.between(1, 6));
    const ForestSums sums(forest);
    if (std::isinf(sums.log_total())) continue;
    for (std::uint32_t changed = 0; changed < forest.edges(); ++changed) {
      const auto moved = [&](double step) {
        Hypergraph other;
        std::uint32_t index = 0;
        for (int node = 0; node < forest.nodes(); ++node) {
          other.add_node();
          for (Hyperedge edge : forest.edges_into(node)) {
            if (index++ == changed) edge.weight += step;
            other.add_edge(edge);
          }
        }
        return ForestSums(other).log_total();
      };
      int head = 0;
      while (forest.first_edge(head + 1) <= changed) ++head;
      const double slope = (moved(kStep) - moved(-kStep)) / (2 * kStep);
      EXPECT_NEAR(sums.edge_share(head, forest.edge(changed)), slope, 1e-6);
    }
  }
}

}  // namespace
}  // namespace copse
