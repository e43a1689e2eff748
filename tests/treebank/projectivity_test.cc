#include "copse/treebank/projectivity.h"

#include <gtest/gtest.h>

#include "copse/base/error.h"
#include "tests/treebank/dependency_testing.h"

namespace copse {
namespace {

using tree_testing::all_dependency_trees;
using tree_testing::random_dependency_tree;
using tree_testing::slow_is_projective;
using tree_testing::slow_is_projective_arc;

bool slow_dominates(const DependencyTree& tree, int ancestor, int word) {
  while (word != ancestor && word != 0) word = tree.head(word);
  return word == ancestor;
}

int slow_gap_degree(const DependencyTree& tree) {
  int most = 0;
  for (int top = 0; top <= tree.words(); ++top) {
    int runs = 0;
    for (int word = 0; word <= tree.words(); ++word) {
      const bool in = slow_dominates(tree, top, word);
      if (in && (word == 0 || !slow_dominates(tree, top, word - 1))) ++runs;
    }
    most = std::max(most, runs - 1);
  }
  return most;
}

bool interleave(const DependencyTree& tree, int a, int b) {
  const int n = tree.words();
  for (int i = 1; i <= n; ++i)
    for (int j = i + 1; j <= n; ++j)
      for (int k = j + 1; k <= n; ++k)
        for (int l = k + 1; l <= n; ++l)
          if (slow_dominates(tree, a, i) && slow_dominates(tree, b, j) &&
              slow_dominates(tree, a, k) && slow_dominates(tree, b, l)) {
            return true;
          }
  return false;
}

bool slow_well_nested(const DependencyTree& tree) {
  for (int a = 1; a <= tree.words(); ++a)
    for (int b = 1; b <= tree.words(); ++b) {
      const bool disjoint = !slow_dominates(tree, a, b) && !slow_dominates(tree, b, a);
      if (disjoint && interleave(tree, a, b)) return false;
    }
  return true;
}

void ExpectAllAgree(const DependencyTree& tree) {
  std::vector<int> expected;
  for (int word = 1; word <= tree.words(); ++word)
    if (!slow_is_projective_arc(tree, word)) expected.push_back(word);
  EXPECT_EQ(nonprojective_words(tree), expected);
  EXPECT_EQ(is_projective(tree), expected.empty());
  const GapProfile profile = gap_profile(tree);
  EXPECT_EQ(profile.gap_degree, slow_gap_degree(tree));
  EXPECT_EQ(profile.well_nested, slow_well_nested(tree));
}

TEST(Projectivity, EqualsTheDefinitionsOnEveryTreeOfFiveWords) {
  for (int words = 0; words <= 5; ++words)
    for (const DependencyTree& tree : all_dependency_trees(words)) ExpectAllAgree(tree);
}

TEST(Projectivity, EqualsTheDefinitionsOnLongerRandomTrees) {
  Random random(4);
  for (int round = 0; round < 100; ++round) {
    ExpectAllAgree(random_dependency_tree(random, random.between(6, 12)));
  }
}

// C(3n, n) / (2n + 1) projective trees over n words, roots as many as there may be.
TEST(Projectivity, CountsOfProjectiveTreesAreKnown) {
  const std::vector<int> expected = {1, 1, 3, 12, 55, 273};
  for (int words = 1; words <= 5; ++words) {
    const auto trees = all_dependency_trees(words);
    EXPECT_EQ(std::count_if(trees.begin(), trees.end(), is_projective),
              expected[static_cast<std::size_t>(words)]);
  }
}

TEST(Projectivity, AnIllNestedTreeIsFound) {
  // 1 <- 3 and 2 <- 4 interleave below word 5.
  const DependencyTree tree = DependencyTree::from_heads({3, 4, 5, 5, 0});
  EXPECT_FALSE(gap_profile(tree).well_nested);
  EXPECT_EQ(gap_profile(tree).gap_degree, 1);
  EXPECT_EQ(nonprojective_words(tree), (std::vector<int>{1, 2}));
}

TEST(Projectivity, HeadsThatAreNoTreeAreRefused) {
  EXPECT_THROW(is_projective(DependencyTree::from_heads({2, 1})), Error);
  EXPECT_THROW(gap_profile(DependencyTree(2)), Error);
  EXPECT_THROW(best_projective_tree(DependencyTree::from_heads({9})), Error);
}

TEST(Projectivity, LongSentencesAreNoTrouble) {
  Random random(6);
  EXPECT_FALSE(is_projective(random_dependency_tree(random, 50'000)));
  DependencyTree chain(50'000);
  for (int word = 1; word <= chain.words(); ++word) chain.set_head(word, word - 1);
  EXPECT_TRUE(is_projective(chain));
  EXPECT_EQ(gap_profile(chain).gap_degree, 0);
}

TEST(BestProjectiveTree, SharesAsManyArcsAsAnyProjectiveTree) {
  for (int words = 1; words <= 5; ++words) {
    std::vector<DependencyTree> projective;
    const auto trees = all_dependency_trees(words);
    std::copy_if(trees.begin(), trees.end(), std::back_inserter(projective), slow_is_projective);
    for (const DependencyTree& tree : trees) {
      const DependencyTree best = best_projective_tree(tree);
      ASSERT_TRUE(best.is_tree());
      ASSERT_TRUE(slow_is_projective(best));
      int most = 0;
      for (const DependencyTree& other : projective) {
        if (tree.root_count() == 1 && other.root_count() != 1) continue;
        most = std::max(most, tree_testing::shared_arcs(tree, other));
      }
      EXPECT_EQ(tree_testing::shared_arcs(tree, best), most);
      if (tree.root_count() == 1) {
        EXPECT_EQ(best.root_count(), 1);
      }
    }
  }
}

TEST(BestProjectiveTree, RandomTreesOfSixWordsAndOneRoot) {
  Random random(8);
  std::vector<DependencyTree> projective;
  for (const DependencyTree& tree : all_dependency_trees(6))
    if (tree.root_count() == 1 && slow_is_projective(tree)) projective.push_back(tree);
  EXPECT_EQ(projective.size(), 728U);  // C(3n - 2, n - 1) / n
  for (int round = 0; round < 200; ++round) {
    const DependencyTree tree = random_dependency_tree(random, 6);
    int most = 0;
    for (const DependencyTree& other : projective) {
      most = std::max(most, tree_testing::shared_arcs(tree, other));
    }
    EXPECT_EQ(tree_testing::shared_arcs(tree, best_projective_tree(tree)), most);
  }
}

TEST(BestProjectiveTree, KeepsLabelsAndProjectiveTrees) {
  Random random(9);
  const DependencyTree tree = random_dependency_tree(random, 40);
  const DependencyTree best = best_projective_tree(tree);
  for (int word = 1; word <= 40; ++word) EXPECT_EQ(best.label(word), tree.label(word));
  EXPECT_EQ(best_projective_tree(best), best);
  EXPECT_THROW(best_projective_tree(random_dependency_tree(random, 2001)), Error);
}

}  // namespace
}  // namespace copse
