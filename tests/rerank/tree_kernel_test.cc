#include "copse/rerank/tree_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "copse/base/error.h"
#include "copse/rerank/merged_trees.h"
#include "tests/rerank/gram.h"
#include "tests/rerank/random_trees.h"

namespace copse {
namespace {

PhraseTree the_man() {
  PhraseTreeBuilder builder;
  builder.open("NP");
  builder.leaf("D", "the");
  builder.leaf("N", "man");
  builder.close();
  return std::move(builder).finish();
}

TreeForest list_of(Productions& productions, const std::vector<PhraseTree>& trees) {
  TreeListBuilder builder(productions);
  for (const PhraseTree& tree : trees) builder.add(tree);
  return builder.finish();
}

// The sum over fragments, written out.
using Fragments = std::map<std::string, FragmentCount>;
double explicit_kernel(const Fragments& fragments, const Fragments& others, double lambda) {
  double sum = 0;
  for (const auto& [text, fragment] : fragments) {
    const auto found = others.find(text);
    if (found == others.end()) continue;
    sum += std::pow(lambda, fragment.size) * fragment.count * found->second.count;
  }
  return sum;
}
double explicit_kernel(const PhraseTree& x, const PhraseTree& y, double lambda) {
  return explicit_kernel(fragments_of(x), fragments_of(y), lambda);
}

double kernel(const PhraseTree& x, const PhraseTree& y, double lambda) {
  Productions productions;
  const TreeForest list = list_of(productions, {x, y});
  TreeKernelScratch scratch;
  return tree_kernel(KernelTree(list, 0), KernelTree(list, 1), lambda, scratch);
}

TEST(TreeKernel, TheManHasSixFragments) {
  EXPECT_EQ(fragments_of(the_man()).size(), 6U);
  EXPECT_EQ(fragments_at(the_man(), 0).size(), 4U);
  EXPECT_EQ(kernel(the_man(), the_man(), 1), 6);
  // 2 leaves and NP -> D N of one production, 2 of two, 1 of three.
  EXPECT_DOUBLE_EQ(kernel(the_man(), the_man(), 0.5), 3 * 0.5 + 2 * 0.25 + 0.125);
}

TEST(TreeKernel, EqualsTheSumOverAllFragments) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const PhraseTree x = random_tree(random), y = random_tree(random);
    for (const double lambda : {0.0, 0.1, 0.3, 0.7, 1.0}) {
      const double expected = explicit_kernel(x, y, lambda);
      EXPECT_NEAR(kernel(x, y, lambda), expected, 1e-9 * (1 + expected));
      EXPECT_NEAR(kernel(y, x, lambda), expected, 1e-9 * (1 + expected));
      const double self = explicit_kernel(x, x, lambda);
      EXPECT_NEAR(kernel(x, x, lambda), self, 1e-9 * (1 + self));
    }
  }
}

TEST(TreeKernel, NormalisedIsOneForEqualTreesAndKnowsTheEmptyOnes) {
  Random random(4);
  Productions productions;
  const PhraseTree x = random_tree(random), y = random_tree(random);
  const TreeForest list = list_of(productions, {x, y});
  TreeKernelScratch scratch;
  const KernelTree a(list, 0), b(list, 1);
  EXPECT_NEAR(normalised_tree_kernel(a, a, 0.4, scratch), 1, 1e-12);
  EXPECT_NEAR(normalised_tree_kernel(a, b, 0.4, scratch),
              explicit_kernel(x, y, 0.4) /
                  std::sqrt(explicit_kernel(x, x, 0.4) * explicit_kernel(y, y, 0.4)),
              1e-12);
  EXPECT_EQ(normalised_tree_kernel(a, b, 0, scratch), 0);
}

TEST(TreeKernel, GramMatricesArePositiveSemiDefinite) {
  for (const double lambda : {0.2, 0.6, 1.0}) {
    Random random(11);
    Productions productions;
    std::vector<PhraseTree> trees;
    for (int i = 0; i < 30; ++i) trees.push_back(random_tree(random));
    const TreeForest list = list_of(productions, trees);
    TreeKernelScratch scratch;
    std::vector<std::vector<double>> gram(30, std::vector<double>(30));
    for (std::size_t i = 0; i < 30; ++i) {
      for (std::size_t j = 0; j < 30; ++j) {
        gram[i][j] = tree_kernel(KernelTree(list, i), KernelTree(list, j), lambda, scratch);
      }
    }
    for (std::size_t i = 0; i < 30; ++i) {
      for (std::size_t j = 0; j < i; ++j) EXPECT_EQ(gram[i][j], gram[j][i]);
    }
    EXPECT_TRUE(positive_semi_definite(gram));
    gram[3][4] = gram[4][3] = 2 * std::sqrt(gram[3][3] * gram[4][4]);
    EXPECT_FALSE(positive_semi_definite(gram));  // the check can fail
  }
}

TEST(TreeKernel, OfTheCandidatesOfAListFromSharedSubtrees) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Random random(seed);
    Productions productions;
    std::vector<PhraseTree> trees;
    for (int i = 0; i < 5; ++i) trees.push_back(random_tree(random));
    const TreeForest list = list_of(productions, trees);
    const ListKernels kernels(list, 0.5);
    const auto self = kernels.self();
    for (std::size_t j = 0; j < trees.size(); ++j) {
      const double expected = explicit_kernel(trees[j], trees[j], 0.5);
      EXPECT_NEAR(self[j], expected, 1e-9 * expected);
    }
    std::vector<double> a(list.nodes(), 0.0), b(list.nodes(), 0.0);
    for (const std::uint32_t node : list.nodes_of(0)) ++a[node];
    for (const std::uint32_t node : list.nodes_of(1)) ++b[node];
    EXPECT_NEAR(kernels.product(a, b), explicit_kernel(trees[0], trees[1], 0.5), 1e-9);
  }
}

TEST(TreeKernel, LeavesAndVeryDeepTrees) {
  PhraseTreeBuilder one;
  one.open("TOP");
  one.leaf("UH", "yes");
  one.close();
  const PhraseTree yes = std::move(one).finish();
  EXPECT_DOUBLE_EQ(kernel(yes, yes, 0.5), 0.5 + 0.5 * 1.5);
  PhraseTreeBuilder deep;
  constexpr int kDepth = 50'000;
  for (int i = 0; i < kDepth; ++i) deep.open("A");
  deep.leaf("B", "b");
  for (int i = 0; i < kDepth; ++i) deep.close();
  Productions productions;
  const TreeForest list = list_of(productions, {std::move(deep).finish()});
  EXPECT_EQ(list.nodes(), static_cast<std::size_t>(kDepth) + 1);
  MergedTrees model(0.3);
  model.add(list, std::vector<RankingCoefficient>{{0, 1.0}});
  EXPECT_EQ(model.nodes(), static_cast<std::size_t>(kDepth) + 1);
}

TEST(TreeKernel, RefusesOtherLambdas) {
  EXPECT_THROW(check_lambda(-0.1), Error);
  EXPECT_THROW(check_lambda(1.1), Error);
  EXPECT_THROW(check_lambda(std::nan("")), Error);
}

TEST(TreeForest, UnknownProductionsMatchNothing) {
  Productions productions;
  list_of(productions, {the_man()});
  const Productions& fixed = productions;
  TreeListBuilder builder(fixed);
  PhraseTreeBuilder other;
  other.open("NP");
  other.leaf("D", "the");
  other.leaf("N", "dog");
  other.close();
  builder.add(std::move(other).finish());
  const TreeForest list = builder.finish();
  ASSERT_EQ(list.nodes(), 2U);
  EXPECT_EQ(productions.str(list.production[0]), "D -> the");
  EXPECT_EQ(productions.str(list.production[1]), "NP -> D N");
  EXPECT_EQ(list.children(1)[0], 0U);
  EXPECT_EQ(list.children(1)[1], TreeForest::kNone);
}

// --- the merged model ---------------------------------------------------------------------------

struct Lists {
  Productions productions;
  std::vector<std::vector<Fragments>> fragments;
  std::vector<TreeForest> lists;

  Lists(std::uint64_t seed, int count) {
    Random random(seed);
    for (int i = 0; i < count; ++i) {
      std::vector<PhraseTree> candidates;
      const int size = random.between(1, 5);
      auto& written = fragments.emplace_back();
      for (int j = 0; j < size; ++j) {
        candidates.push_back(random_tree(random));
        written.push_back(fragments_of(candidates.back()));
      }
      lists.push_back(list_of(productions, candidates));
    }
  }
};

TEST(MergedTrees, EqualsThePlainSumOfKernels) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    const Lists data(seed, 9);
    Random random(seed);
    for (const double lambda : {0.0, 0.3, 1.0}) {
      MergedTrees model(lambda);
      struct Term {
        std::size_t list, candidate;
        double weight;
      };
      std::vector<Term> terms;
      for (std::size_t i = 0; i < 6; ++i) {
        std::vector<RankingCoefficient> c;
        for (std::uint32_t j = 0; j < data.lists[i].size(); ++j) {
          c.push_back({j, static_cast<double>(random.between(-2, 2))});
          terms.push_back({i, j, c.back().weight});
        }
        model.add(data.lists[i], c);
      }
      MergedTrees::Scratch scratch;
      for (std::size_t i = 0; i < data.lists.size(); ++i) {
        std::vector<double> scores(data.lists[i].size());
        model.score(data.lists[i], scores, scratch);
        for (std::size_t j = 0; j < scores.size(); ++j) {
          double expected = 0;
          for (const Term& term : terms) {
            expected += term.weight * explicit_kernel(data.fragments[term.list][term.candidate],
                                                      data.fragments[i][j], lambda);
          }
          EXPECT_NEAR(scores[j], expected, 1e-9 * (1 + std::abs(expected)));
        }
      }
    }
  }
}

// Large groups of sub-trees; the kernel of pairs is the judge.
TEST(MergedTrees, LargeGroupsEqualThePlainSumOfKernels) {
  Random random(5);
  Productions productions;
  std::vector<TreeForest> lists;
  for (int i = 0; i < 120; ++i) lists.push_back(list_of(productions, {random_tree(random, 4)}));
  for (const double lambda : {0.0, 0.4, 1.0}) {
    MergedTrees model(lambda);
    std::vector<double> weights;
    for (const TreeForest& list : lists) {
      weights.push_back(random.between(-2, 2));
      model.add(list, std::vector<RankingCoefficient>{{0, weights.back()}});
    }
    std::size_t largest = 0;
    for (std::uint32_t u = 0; u < model.nodes(); ++u) {
      if (model.children(u).empty()) continue;
      largest = std::max(largest, model.nodes_of(model.production(u)).size());
    }
    EXPECT_GT(largest, 32U);
    model.scale_weights(0.5);
    MergedTrees::Scratch scratch;
    TreeKernelScratch pair;
    for (const TreeForest& list : lists) {
      std::vector<double> scores(1);
      model.score(list, scores, scratch);
      double expected = 0;
      for (std::size_t i = 0; i < lists.size(); ++i) {
        expected += 0.5 * weights[i] *
                    tree_kernel(KernelTree(lists[i], 0), KernelTree(list, 0), lambda, pair);
      }
      EXPECT_NEAR(scores[0], expected, 1e-9 * (1 + std::abs(expected)));
    }
  }
}

TEST(MergedTrees, SharedSubtreesCancelToNothing) {
  Productions productions;
  const auto tree = [](const char* top) {
    PhraseTreeBuilder builder;
    builder.open(top);
    builder.copy(the_man(), 0);
    builder.close();
    return std::move(builder).finish();
  };
  const TreeForest list = list_of(productions, {tree("S"), tree("FRAG")});
  MergedTrees model(0.5);
  std::vector<NodeWeight> changes;
  model.add(list, std::vector<RankingCoefficient>{{0, 1}, {1, -1}}, {}, &changes);
  EXPECT_EQ(changes.size(), 2U);  // S -> NP and FRAG -> NP
  EXPECT_EQ(model.nodes(), 5U);   // and what is below them
  EXPECT_EQ(model.weighted_nodes(), 2U);
  model.add(list, std::vector<RankingCoefficient>{{0, -1}, {1, 1}});
  EXPECT_EQ(model.weighted_nodes(), 0U);
}

TEST(MergedTrees, ScalesMakeTheNormalisedKernel) {
  const Lists data(7, 6);
  MergedTrees model(0.4);
  const std::vector<double> self = ListKernels(data.lists[0], 0.4).self();
  std::vector<double> scales;
  for (const double value : self) scales.push_back(1 / std::sqrt(value));
  model.add(data.lists[0], std::vector<RankingCoefficient>{{0, 2}}, scales);
  MergedTrees::Scratch scratch;
  std::vector<double> scores(data.lists[1].size());
  model.score(data.lists[1], scores, scratch);
  TreeKernelScratch pair;
  EXPECT_NEAR(scores[0] / std::sqrt(ListKernels(data.lists[1], 0.4).self()[0]),
              2 * normalised_tree_kernel(KernelTree(data.lists[0], 0), KernelTree(data.lists[1], 0),
                                         0.4, pair),
              1e-12);
}

TEST(MergedTrees, ABudgetDropsLightSubtreesAndWhatOnlyTheyNeeded) {
  const Lists data(8, 8);
  MergedTrees model(0.5);
  for (const TreeForest& list : data.lists) {
    if (list.size() > 1) model.add(list, std::vector<RankingCoefficient>{{0, 1}, {1, -1}});
  }
  const MergedTrees same = model.within_budget(0);
  EXPECT_EQ(same.weighted_nodes(), model.weighted_nodes());
  MergedTrees::Scratch scratch;
  for (const TreeForest& list : data.lists) {
    std::vector<double> a(list.size()), b(list.size());
    model.score(list, a, scratch);
    same.score(list, b, scratch);
    for (std::size_t j = 0; j < a.size(); ++j) EXPECT_NEAR(a[j], b[j], 1e-12);
  }
  const double least = 1;
  const MergedTrees smaller = model.within_budget(least);
  EXPECT_LT(smaller.weighted_nodes(), model.weighted_nodes());
  EXPECT_GT(smaller.weighted_nodes(), 0U);
  const auto self = smaller.self();
  for (std::uint32_t node = 0; node < smaller.nodes(); ++node) {
    const double weight = smaller.weight(node);
    EXPECT_TRUE(weight == 0 || std::abs(weight) * self[node] >= least);
  }
}

}  // namespace
}  // namespace copse
