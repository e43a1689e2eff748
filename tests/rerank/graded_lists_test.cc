#include "copse/rerank/graded_lists.h"

#include <gtest/gtest.h>

#include "copse/base/error.h"
#include "tests/rerank/rerank_testing.h"

namespace copse {
namespace {

using rerank_testing::lists_of;
using rerank_testing::TextFile;

constexpr const char* kGold = "(TOP (S (NP (DT the) (NN cat)) (VP (VBD sat))))";

TEST(GradedLists, AParseIsWorthItsF1TimesTheGoldConstituents) {
  Candidates list = lists_of(
                        "3 1\n-1\n(TOP (S (NP (DT the) (NN cat)) (VP (VBD sat))))\n"
                        "-2\n(TOP (S (NP (DT the) (NN cat) (VBD sat))))\n"
                        "-3\n(TOP (X (DT the) (NN cat) (VBD sat)))\n")
                        .at(0);
  grade_parses(list, kGold);
  EXPECT_DOUBLE_EQ(list.items[0].score.value(), 3);
  EXPECT_EQ(list.items[0].counts->correct, 3);
  // S matches, NP does not: F1 = 2 * 1 / (3 + 2)
  EXPECT_DOUBLE_EQ(list.items[1].score.value(), 3 * 2.0 / 5);
  EXPECT_EQ(list.items[1].counts->system, 2);
  EXPECT_DOUBLE_EQ(list.items[2].score.value(), 0);
}

// Without a text two candidates are what their features and log probabilities are, to the last digit.
TEST(GradedLists, DuplicatesAreLeftOut) {
  const auto bare = [](double log_probability, double value) {
    Candidate candidate;
    candidate.log_probability = log_probability;
    candidate.features = {{0, value}};
    return candidate;
  };
  const auto with_text = [](double log_probability, const char* text) {
    Candidate candidate;
    candidate.log_probability = log_probability;
    candidate.text = text;
    return candidate;
  };
  Candidates list;
  list.items = {bare(-1, 1),        bare(-1, 1 + 1e-9), bare(-1 - 1e-9, 1), bare(-1, 1),
                with_text(-1, "a"), with_text(-2, "a"), with_text(-1, "b")};
  EXPECT_EQ(drop_duplicates(list), 2U);
  ASSERT_EQ(list.items.size(), 5U);
  EXPECT_EQ(list.items[3].log_probability, -1);
  EXPECT_EQ(list.items[4].text, "b");
}

TEST(GradedLists, OneGoldTreeForEachList) {
  const std::string list = "1 1\n-1\n" + std::string(kGold) + "\n\n";
  const auto run = [](const std::string& lists, const std::string& gold) -> std::string {
    const TextFile file("lists", lists), trees("gold.mrg", gold);
    try {
      GradedLists graded({file.path(), trees.path(), "train"});
      while (auto item = graded.next()) graded.graded(std::move(*item));
    } catch (const Error& error) {
      return error.message();
    }
    return "none";
  };
  const std::string gold = std::string(kGold) + "\n";
  EXPECT_EQ(run(list + list, gold + gold), "none");
  EXPECT_NE(run(list + list, gold).find("more than 1 lists but 1 trees"), std::string::npos);
  EXPECT_NE(run(list, gold + gold).find("1 lists but 2 trees"), std::string::npos);
  EXPECT_NE(run("1\t0\ta\n", gold).find("bring their scores"), std::string::npos);
}

TEST(GradedLists, LearningNeedsScores) {
  const TextFile file("lists", "1\t0\ta\n\n# id = second\n-\t0\ta\n");
  GradedLists graded({file.path(), "", "train"});
  EXPECT_EQ(graded.graded(*graded.next()).items[0].score, 1);
  try {
    graded.graded(*graded.next());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "list 2 (second): a candidate has no score");
  }
  EXPECT_EQ(graded.source().sentences, 2);
}

}  // namespace
}  // namespace copse
