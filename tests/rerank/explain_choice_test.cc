#include "copse/rerank/explain_choice.h"

#include <gtest/gtest.h>

#include "copse/base/error.h"
#include "copse/rerank/linear_reranker.h"
#include "tests/rerank/rerank_testing.h"

namespace copse {
namespace {

using rerank_testing::lists_of;

const LinearReranker& sample() {
  static const LinearReranker reranker(
      "boost", 1,
      {{"a", atom_of("a"), 1, 3.0}, {"b", atom_of("b"), 1, 0.5}, {"c", atom_of("c"), 2, -1.0}},
      make_given_features());
  return reranker;
}

TEST(ExplainChoice, TheWinnerAgainstTheMostProbable) {
  const Candidates list = lists_of("-\t-1\tb c:2\n-\t-2\ta b\n-\t-9\ta\n").at(0);
  const auto why = explain_choice(sample(), list);
  ASSERT_TRUE(why);
  EXPECT_EQ(why->chosen, 1U);
  EXPECT_EQ(why->other, 0U);
  ASSERT_EQ(why->reasons.size(), 3U);  // b is in both
  EXPECT_EQ(why->reasons[0].name, "a");
  EXPECT_EQ(why->reasons[0].difference(), 3);
  EXPECT_EQ(why->reasons[1].name, "c x2");
  EXPECT_EQ(why->reasons[1].difference(), 1);
  EXPECT_EQ(why->reasons[2].name, "log-probability");
  double sum = 0;
  for (const ReasonPair& reason : why->reasons) sum += reason.difference();
  EXPECT_DOUBLE_EQ(sum, why->difference());
}

TEST(ExplainChoice, TheSecondBestWhenTheMostProbableWins) {
  const Candidates list = lists_of("-\t-1\ta\n-\t-5\t\n-\t-2\t\n").at(0);
  EXPECT_EQ(explain_choice(sample(), list)->other, 2U);
  EXPECT_EQ(explain_choice(sample(), list, 1)->other, 1U);
  EXPECT_THROW(explain_choice(sample(), list, 3), Error);
  EXPECT_FALSE(explain_choice(sample(), lists_of("-\t-1\ta\n").at(0)));
}

}  // namespace
}  // namespace copse
