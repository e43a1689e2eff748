#include "copse/inference/rearrange.h"

#include <gtest/gtest.h>

#include <cmath>

#include "copse/base/error.h"
#include "copse/inference/spanning_tree.h"
#include "tests/inference/all_trees.h"

namespace copse {
namespace {

using oracle::all_spanning_trees;
using oracle::is_tree;
using oracle::random_mask;
using oracle::random_scores;

// Some second-order score that no spanning tree search covers: arcs, and pairs (head's head, word).
struct GrandparentModel {
  ArcScores arc, grand;
  double score(std::span<const int> heads) const {
    double sum = 0;
    for (int m = 1; m < static_cast<int>(heads.size()); ++m) {
      sum += arc(heads[m], m);
      if (heads[m] > 0) sum += grand(heads[heads[m]], m);
    }
    return sum;
  }
  double gain(std::span<const int> heads, int m, int h) const {
    std::vector<int> moved(heads.begin(), heads.end());
    moved[m] = h;
    return score(moved) - score(heads);
  }
};

TEST(Rearrange, EndsInATreeThatNoSingleChangeImproves) {
  for (const RootRule root : {RootRule::single, RootRule::multi})
    for (int seed = 0; seed < 60; ++seed) {
      SCOPED_TRACE(seed);
      Random random(seed);
      const int words = random.between(1, 7);
      const GrandparentModel model{random_scores(words, 1, 1, random),
                                   random_scores(words, 1, 1, random)};
      const auto mask = random_mask(words, seed % 2 * 0.3, random);
      SpanningTreeSearch search;
      const auto start = search.best(model.arc, mask, root);
      if (start.status != SearchStatus::ok) continue;
      const auto gain = [&](auto heads, int m, int h) { return model.gain(heads, m, h); };
      const auto found = rearrange(start.tree.heads, mask, gain, {.root = root});
      EXPECT_TRUE(found.converged);
      EXPECT_TRUE(is_tree(found.heads, root));
      EXPECT_NEAR(model.score(found.heads), model.score(start.tree.heads) + found.gain, 1e-9);
      // Every neighbour, by trial: changing one head, keeping mask and tree.
      for (int m = 1; m <= words; ++m)
        for (int h = 0; h <= words; ++h) {
          auto neighbour = found.heads;
          neighbour[m] = h;
          const bool reachable = mask.allowed(h, m) && is_tree(neighbour, root);
          EXPECT_TRUE(!reachable || model.score(neighbour) <= model.score(found.heads) + 1.1e-9);
        }
    }
}

TEST(Rearrange, ReattachmentsAreThoseThatKeepATree) {
  for (const RootRule root : {RootRule::single, RootRule::multi})
    for (int words = 1; words <= 5; ++words) {
      const ArcMask mask(words);
      for (const auto& heads : all_spanning_trees(words, root)) {
        Reattachments moves(mask, root);
        moves.look_at(heads);
        for (int m = 1; m <= words; ++m)
          for (int h = 0; h <= words; ++h) {
            auto moved = heads;
            moved[m] = h;
            EXPECT_EQ(moves.keeps_tree(m, h), h != heads[m] && h != m && is_tree(moved, root));
          }
      }
    }
}

TEST(Rearrange, FindsTheCrossingArcFromAProjectiveStart) {
  // 1 <- 3 crosses 0 -> 2: no projective tree has it.
  ArcScores scores(3, 1, 0);
  scores(0, 2) = 5;
  scores(2, 3) = 5;
  scores(2, 1) = 1;
  scores(3, 1) = 4;
  const std::vector<int> projective{-1, 2, 0, 2};
  const auto gain = [&](auto heads, int m, int h) { return scores(h, m) - scores(heads[m], m); };
  const auto found = rearrange(projective, ArcMask(3), gain);
  EXPECT_EQ(found.heads, (std::vector<int>{-1, 3, 0, 2}));
  EXPECT_EQ(found.rounds, 1);
  EXPECT_EQ(found.gain, 3);
}

TEST(Rearrange, ACallbackThatAlwaysGainsIsStopped) {
  const auto found = rearrange(std::vector<int>{-1, 0, 1, 1}, ArcMask(3),
                               [](auto, int, int) { return 1.0; }, {.most_rounds = 50});
  EXPECT_FALSE(found.converged);
  EXPECT_EQ(found.rounds, 50);
  EXPECT_TRUE(is_tree(found.heads, RootRule::single));
}

TEST(Rearrange, NaNIsNoGain) {
  const std::vector<int> start{-1, 0, 1};
  const auto found = rearrange(start, ArcMask(2), [](auto, int, int) { return std::nan(""); });
  EXPECT_TRUE(found.converged);
  EXPECT_EQ(found.heads, start);
}

TEST(Rearrange, RefusesWhatIsNotATreeOfTheMask) {
  const auto none = [](auto, int, int) { return 0.0; };
  using Heads = std::vector<int>;
  EXPECT_THROW(rearrange(Heads{-1, 2, 1}, ArcMask(2), none), Error);        // a cycle
  EXPECT_THROW(rearrange(Heads{-1, 0, 0}, ArcMask(2), none), Error);        // two root arcs
  EXPECT_THROW(rearrange(Heads{-1, 0}, ArcMask(2), none), Error);           // too short
  EXPECT_THROW(rearrange(Heads{-1, 0, 7}, ArcMask(2), none), Error);        // no such head
  EXPECT_THROW(rearrange(Heads{-1, 0, 1}, ArcMask::none(2), none), Error);  // forbidden
  EXPECT_TRUE(rearrange(Heads{-1}, ArcMask(0), none).converged);
}

}  // namespace
}  // namespace copse
