// The parts of given trees against the definitions of the reference, for every short tree.
#include "copse/inference/tree_parts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "copse/inference/projective_search.h"
#include "tests/inference/chart_oracle.h"

namespace copse {
namespace {

using reference::Heads;
using reference::kFactorisations;
using reference::kRules;

std::vector<PartIndex::Id> sorted(std::vector<PartIndex::Id> ids) {
  std::sort(ids.begin(), ids.end());
  return ids;
}

std::string text_of(const Heads& heads) {
  std::string text = "heads";
  for (std::size_t m = 1; m < heads.size(); ++m) text += ' ' + std::to_string(heads[m]);
  return text;
}

void ExpectPartsOf(const PartIndex& index, const Heads& heads) {
  SCOPED_TRACE(text_of(heads));
  std::vector<PartIndex::Id> found{-7};
  ASSERT_TRUE(append_parts_of_tree(index, heads, found));
  ASSERT_EQ(found.front(), -7) << "what was in the list stays";
  found.erase(found.begin());
  std::vector<PartIndex::Id> expected;
  for (const Part& part : reference::parts_of(heads, index.factorisation())) {
    expected.push_back(index.find(part));
    ASSERT_NE(expected.back(), PartIndex::kNone) << str(part);
  }
  EXPECT_EQ(sorted(found), sorted(expected));
}

void ExpectRefused(const PartIndex& index, const Heads& heads) {
  SCOPED_TRACE(text_of(heads));
  std::vector<PartIndex::Id> found{-7};
  EXPECT_FALSE(append_parts_of_tree(index, heads, found));
  EXPECT_EQ(found, std::vector<PartIndex::Id>{-7});
}

// Are all arcs there, and no more roots than there may be?
bool is_possible(const Heads& heads, const ArcMask& mask, RootRule rule) {
  for (int m = 1; m <= mask.words(); ++m) {
    if (!mask.allowed(heads[static_cast<std::size_t>(m)], m)) return false;
  }
  return rule == RootRule::multi || reference::root_modifiers(heads) <= 1;
}

TEST(TreeParts, EqualTheReferenceForEveryProjectiveTreeAndMask) {
  Random random(1);
  for (const Factorisation f : kFactorisations) {
    for (const RootRule rule : kRules) {
      for (int words = 0; words <= 5; ++words) {
        const auto trees = reference::all_trees(ArcMask(words), RootRule::multi, Crossing::never);
        for (const double removed : {0.0, 0.2, 0.5}) {
          const ArcMask mask = reference::random_mask(words, removed, random);
          SCOPED_TRACE(reference::describe(mask, f, rule));
          const PartIndex index(mask, f, rule);
          for (const Heads& heads : trees) {
            if (is_possible(heads, mask, rule)) {
              ExpectPartsOf(index, heads);
            } else {
              ExpectRefused(index, heads);
            }
          }
        }
      }
    }
  }
}

TEST(TreeParts, OfTheFirstOrderExistForCrossingTreesToo) {
  Random random(2);
  for (const RootRule rule : kRules) {
    for (int words = 1; words <= 4; ++words) {
      const ArcMask mask = reference::random_mask(words, 0.15, random);
      const PartIndex index(mask, Factorisation::first, rule);
      for (const Heads& heads : reference::all_trees(mask, rule, Crossing::allowed)) {
        ExpectPartsOf(index, heads);
      }
    }
  }
}

// Scores of trees are sums over these parts: the best tree of a search has the score it says.
TEST(TreeParts, SumToTheScoreOfTheSearch) {
  Random random(3);
  int searched = 0;
  for (const Factorisation f : kFactorisations) {
    for (const RootRule rule : kRules) {
      const ArcMask mask = reference::random_mask(12, 0.3, random);
      const PartIndex index(mask, f, rule);
      PartScores scores(index);
      reference::randomise(scores, 3.0, random);
      Workspace workspace;
      const BestTree best = ProjectiveSearch(index).best(scores, workspace);
      if (best.status != SearchStatus::ok) continue;
      ++searched;
      std::vector<PartIndex::Id> parts;
      ASSERT_TRUE(append_parts_of_tree(index, best.tree.heads, parts));
      double sum = 0;
      for (const PartIndex::Id id : parts) sum += scores[id];
      EXPECT_DOUBLE_EQ(sum, best.score);
    }
  }
  EXPECT_GT(searched, 6);
}

}  // namespace
}  // namespace copse
