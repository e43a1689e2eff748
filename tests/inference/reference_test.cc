// The oracle itself is checked against the closed formulas for the number of trees.
#include "tests/inference/reference.h"

#include <gtest/gtest.h>

namespace copse::reference {
namespace {

std::vector<std::size_t> counts(RootRule rule, Crossing crossing) {
  std::vector<std::size_t> found;
  for (int words = 1; words <= 6; ++words)
    found.push_back(all_trees(ArcMask(words), rule, crossing).size());
  return found;
}

using Counts = std::vector<std::size_t>;

TEST(Reference, ListsAsManyTreesAsTheFormulasSay) {
  EXPECT_EQ(counts(RootRule::single, Crossing::never), (Counts{1, 2, 7, 30, 143, 728}));
  EXPECT_EQ(counts(RootRule::multi, Crossing::never), (Counts{1, 3, 12, 55, 273, 1428}));
  EXPECT_EQ(counts(RootRule::single, Crossing::allowed), (Counts{1, 2, 9, 64, 625, 7776}));
  EXPECT_EQ(counts(RootRule::multi, Crossing::allowed), (Counts{1, 3, 16, 125, 1296, 16807}));
}

TEST(Reference, SentenceWithoutWordsHasOneEmptyTree) {
  EXPECT_EQ(all_trees(ArcMask(0), RootRule::single, Crossing::never).size(), 1U);
}

TEST(Reference, ReadsTheOutermostPairOnlyInModel2) {
  // 4 -> 1, 2, 3 on its left and 0 -> 4.
  const Heads heads{kNobody, 4, 4, 4, 0};
  int grand = 0;
  int gsib = 0;
  for (const Part& part : parts_of(heads, Factorisation::model2)) {
    grand += part.family == PartFamily::grand ? 1 : 0;
    gsib += part.family == PartFamily::gsib ? 1 : 0;
  }
  EXPECT_EQ(grand, 2);
  EXPECT_EQ(gsib, 1);
}

}  // namespace
}  // namespace copse::reference
