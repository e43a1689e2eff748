#include "copse/learning/ranking_lists.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "copse/learning/ranking_pairs.h"
#include "tests/learning/ranking_testing.h"

namespace copse {
namespace {

using Ids = std::vector<RankingLists::Feature>;
using ranking_testing::random_lists;

Ids ids(std::span<const RankingLists::Feature> span) {
  return {span.begin(), span.end()};
}

RankingLists sample() {
  RankingLists lists;
  lists.add_candidate(-1, 2, Ids{4, 0, 2});
  lists.add_candidate(-3, 5, Ids{2, 3});
  lists.add_candidate(-2, 5, Ids{1});
  lists.end_list();
  lists.end_list();
  lists.add_candidate(-1, 7, Ids{});
  lists.end_list();
  return lists;
}

TEST(RankingLists, HoldWhatWasAdded) {
  const RankingLists lists = sample();
  EXPECT_EQ(lists.size(), 3U);
  EXPECT_EQ(lists.candidates(), 4U);
  EXPECT_EQ(lists.dimension(), 5U);
  EXPECT_EQ(ids(lists.features(0)), (Ids{0, 2, 4}));
  EXPECT_EQ(lists.begin(1), lists.end(1));
  EXPECT_EQ(lists.best(0), 2U);  // equal scores: the higher log probability
  EXPECT_EQ(lists.most_probable(0), 0U);
}

TEST(RankingLists, RenumberDropsAndSorts) {
  RankingLists lists = sample();
  lists.renumber(Ids{2, RankingLists::kDropped, 0, 1, 1}, 3);
  EXPECT_EQ(ids(lists.features(0)), (Ids{0, 1, 2}));
  EXPECT_EQ(ids(lists.features(1)), (Ids{0, 1}));
  EXPECT_EQ(ids(lists.features(2)), (Ids{}));
  EXPECT_EQ(lists.dimension(), 3U);
}

TEST(RankingPairs, DifferencesOfTheBestAndTheOthers) {
  const RankingPairs pairs(sample(), {});
  ASSERT_EQ(pairs.size(), 1U);  // the tie and the lonely candidate give none
  EXPECT_EQ(pairs.importance(0), 3);
  EXPECT_EQ(pairs.log_ratio(0), -1);
  EXPECT_EQ(ids(pairs.plus(0)), (Ids{1}));
  EXPECT_EQ(ids(pairs.minus(0)), (Ids{0}));  // 2 and 4 are in the same pairs as 0
  EXPECT_EQ(pairs.merged(), 2U);
  EXPECT_EQ(pairs.with(1).size(), 1U);
  EXPECT_EQ(pairs.against(0).size(), 1U);
  EXPECT_EQ(pairs.against(2).size(), 0U);
}

TEST(RankingPairs, TiesAndOrderings) {
  PairOptions uniform;
  uniform.uniform = true;
  EXPECT_EQ(RankingPairs(sample(), uniform).size(), 1U);
  EXPECT_EQ(RankingPairs(sample(), uniform).importance(0), 1);
  uniform.keep_ties = true;
  EXPECT_EQ(RankingPairs(sample(), uniform).size(), 2U);
  PairOptions full;
  full.full_ordering = true;
  // best against the first; second best (candidate 1) against the first
  EXPECT_EQ(RankingPairs(sample(), full).size(), 2U);
}

TEST(RankingPairs, OneIndexIsTheTransposeOfTheOther) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const RankingPairs pairs(random_lists({}, seed), {});
    std::size_t entries = 0;
    for (std::size_t k = 0; k < pairs.features(); ++k) {
      for (const auto p : pairs.with(k)) {
        EXPECT_EQ(std::ranges::count(pairs.plus(p), k), 1);
      }
      for (const auto p : pairs.against(k)) {
        EXPECT_EQ(std::ranges::count(pairs.minus(p), k), 1);
      }
      entries += pairs.with(k).size() + pairs.against(k).size();
    }
    EXPECT_EQ(entries, pairs.entries());
  }
}

}  // namespace
}  // namespace copse
