#include "copse/treebank/dependency_tree.h"

#include <gtest/gtest.h>

#include "copse/base/random.h"

namespace copse {
namespace {

// The slow twin: from every word, at most n steps upwards.
bool is_tree_by_definition(const std::vector<int>& heads) {
  const int n = static_cast<int>(heads.size());
  for (int word = 1; word <= n; ++word) {
    int up = word;
    for (int step = 0; step <= n && up > 0; ++step) up = heads[static_cast<std::size_t>(up) - 1];
    if (up != 0) return false;
  }
  return true;
}

TEST(DependencyTree, EveryHeadVectorOfUpToFiveWordsIsJudgedRight) {
  for (int n = 1; n <= 5; ++n) {
    std::vector<int> heads(static_cast<std::size_t>(n), 0);
    int trees = 0;
    while (true) {
      const DependencyTree tree = DependencyTree::from_heads(heads);
      ASSERT_EQ(tree.is_tree(), is_tree_by_definition(heads));
      ASSERT_EQ(tree.word_on_cycle() == 0, tree.is_tree());
      trees += tree.is_tree() ? 1 : 0;
      std::size_t i = 0;
      while (i < heads.size() && heads[i] == n) heads[i++] = 0;
      if (i == heads.size()) break;
      ++heads[i];
    }
    const int expected[] = {0, 1, 3, 16, 125, 1296};  // (n+1)^(n-1)
    EXPECT_EQ(trees, expected[n]);
  }
}

TEST(DependencyTree, MissingHeadsAreNoTreeButNoCycle) {
  const DependencyTree tree(2);
  EXPECT_FALSE(tree.is_tree());
  EXPECT_EQ(tree.word_on_cycle(), 0);
  EXPECT_EQ(tree.root_count(), 0);
  EXPECT_TRUE(DependencyTree().is_tree());
}

TEST(DependencyTree, CountsRoots) {
  EXPECT_EQ(DependencyTree::from_heads({0, 1, 0}).root_count(), 2);
}

}  // namespace
}  // namespace copse
