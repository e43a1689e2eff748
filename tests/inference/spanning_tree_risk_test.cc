#include "copse/inference/spanning_tree_risk.h"

#include <gtest/gtest.h>

#include "copse/inference/matrix_tree.h"
#include "tests/inference/all_trees.h"

namespace copse {
namespace {

using oracle::all_spanning_trees;
using oracle::random_mask;
using oracle::random_scores;
using oracle::scored_trees;

// The loss by definition: the expected number of words on which a drawn tree differs.
double loss_by_enumeration(const std::vector<Scored<ArcTree>>& trees, const ArcTree& guess) {
  const double log_z = oracle::log_sum(trees);
  double loss = 0;
  for (const auto& [tree, score] : trees)
    for (std::size_t m = 1; m < guess.heads.size(); ++m) {
      const bool same = tree.heads[m] == guess.heads[m] &&
                        (guess.labels.empty() || tree.labels[m] == guess.labels[m]);
      loss += same ? 0 : std::exp(score - log_z);
    }
  return loss;
}

TEST(SpanningTreeRisk, IsTheLeastLossOfAllTrees) {
  for (const RootRule root : {RootRule::single, RootRule::multi})
    for (int words = 1; words <= 4; ++words)
      for (const int labels : {1, 2})
        for (int seed = 0; seed < 12; ++seed) {
          SCOPED_TRACE(testing::Message() << "words=" << words << " seed=" << seed);
          if (words == 4 && labels == 2 && seed > 1) continue;
          Random random(seed);
          const auto scores = random_scores(words, labels, 1, random);
          const auto mask = random_mask(words, seed % 2 * 0.25, random);
          const auto trees = scored_trees(all_spanning_trees(words, root), scores, mask);
          MatrixTree matrix_tree;
          const auto sums = matrix_tree.run(scores, mask, {.root = root});
          ASSERT_EQ(sums.status == SearchStatus::ok, !trees.empty());
          if (trees.empty()) continue;
          const auto best = minimum_risk_spanning_tree(sums.marginals, mask, root);
          ASSERT_EQ(best.status, SearchStatus::ok);
          const double loss = expected_hamming_loss(sums.marginals, best.tree);
          EXPECT_NEAR(loss, loss_by_enumeration(trees, best.tree), 1e-9);
          EXPECT_NEAR(best.score, words - loss, 1e-9);
          for (const auto& tree : trees)
            EXPECT_GE(loss_by_enumeration(trees, tree.item), loss - 1e-9);
        }
}

TEST(SpanningTreeRisk, KeepsToTheMask) {
  ArcMarginals flat(2, 1, 0.5);
  EXPECT_EQ(minimum_risk_spanning_tree(flat, ArcMask::none(2), RootRule::multi).status,
            SearchStatus::no_tree);
  ArcMask mask(2);
  mask.require(2, 1);
  EXPECT_EQ(minimum_risk_spanning_tree(flat, mask, RootRule::multi).tree.heads,
            (std::vector<int>{-1, 2, 0}));
}

}  // namespace
}  // namespace copse
