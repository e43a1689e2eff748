#include "copse/treebank/candidates.h"

#include <gtest/gtest.h>

#include "copse/base/error.h"
#include "copse/treebank/counted_quality.h"
#include "tests/treebank/tree_testing.h"

namespace copse {
namespace {

std::vector<Candidates> read(std::string text) {
  CandidateReader reader(Input::from_memory(std::move(text), "lists"));
  std::vector<Candidates> lists;
  while (auto list = reader.next()) lists.push_back(std::move(*list));
  return lists;
}

std::string problem(const std::string& text) {
  try {
    read(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    return error.what();
  }
  return "none";
}

constexpr const char* kTwoLists =
    "# id = first\n"
    "# words = the cat\n"
    "0.5\t-1.25\tb a:2 c:0.5\tDT NN\n"
    "-\t-2\t\tDT VB\n"
    "\n"
    "1\t-3\tx:1:1\n"
    "\n";

TEST(Candidates, TheFormIsAsDescribed) {
  const auto lists = read(kTwoLists);
  ASSERT_EQ(lists.size(), 2U);
  const Candidates& first = lists[0];
  EXPECT_EQ(first.id, "first");
  EXPECT_EQ(first.words, (std::vector<std::string>{"the", "cat"}));
  EXPECT_EQ(first.names, (std::vector<std::string>{"b", "a", "c"}));
  ASSERT_EQ(first.items.size(), 2U);
  EXPECT_EQ(first.items[0].score, 0.5);
  EXPECT_EQ(first.items[0].log_probability, -1.25);
  EXPECT_EQ(first.items[0].features, (std::vector<SparseEntry>{{0, 1}, {1, 2}, {2, 0.5}}));
  EXPECT_EQ(tags_of(first.items[0]), (std::vector<std::string_view>{"DT", "NN"}));
  EXPECT_FALSE(first.items[1].score.has_value());
  EXPECT_TRUE(first.items[1].features.empty());
  EXPECT_EQ(lists[1].id, "");
  EXPECT_EQ(lists[1].names, (std::vector<std::string>{"x:1"}));
}

TEST(Candidates, WhatWasReadIsWrittenTheSame) {
  std::string text;
  for (const Candidates& list : read(kTwoLists)) append_candidates(list, text);
  EXPECT_EQ(text, kTwoLists);
}

TEST(Candidates, ScoresCanBeCounts) {
  const std::string text = "# words = a b\n1/2/3\t-1\t\tS O\n0/2/0\t-2\t\tO O\n\n";
  CandidateReader reader(Input::from_memory(text, "lists"));
  const auto list = reader.next();
  ASSERT_TRUE(list);
  EXPECT_DOUBLE_EQ(*list->items[0].score, 2 * 1 / 5.0 * 2);
  EXPECT_EQ(list->items[0].counts->system, 3);
  EXPECT_EQ(*list->items[1].score, 0);
  std::string again;
  append_candidates(*list, again);
  EXPECT_EQ(again, text);
  EXPECT_EQ(quality_of({0, 0, 0}), 1);  // nothing to be found, nothing found
  EXPECT_EQ(quality_of({0, 0, 2}), 0);
  EXPECT_EQ(quality_of({3, 3, 3}), 3);
}

TEST(Candidates, ValuesOfANameAddUpAndMayVanish) {
  const auto lists = read("1\t0\ta b a:3 b:-1 NP:VP c:nan\n");
  ASSERT_EQ(lists.size(), 1U);
  EXPECT_EQ(lists[0].names, (std::vector<std::string>{"a", "b", "NP:VP", "c:nan"}));
  EXPECT_EQ(lists[0].items[0].features, (std::vector<SparseEntry>{{0, 4}, {2, 1}, {3, 1}}));
}

TEST(Candidates, ListsOfParsesAreRecognised) {
  const std::string trees = "2 7\n-1\n(TOP (NN a))\n-2\n(TOP (VB a))\n\n0 8\n\n";
  CandidateReader reader(Input::from_memory(trees, "lists"));
  EXPECT_EQ(reader.parses(), NBestForm::text);
  auto list = reader.next();
  ASSERT_TRUE(list);
  EXPECT_EQ(list->id, "7");
  ASSERT_EQ(list->items.size(), 2U);
  EXPECT_EQ(text_of(list->items[1]), "(TOP (VB a))");
  EXPECT_EQ(n_best_from(std::move(*list)).parses[0].log_probability, -1);
  EXPECT_EQ(reader.next()->items.size(), 0U);
  EXPECT_FALSE(reader.next());
  std::string binary(n_best_begin(NBestForm::binary));
  append_n_best({"a\tb", {}, {}}, NBestForm::binary, binary);  // bytes that look like columns
  binary += n_best_end(NBestForm::binary);
  EXPECT_EQ(CandidateReader(Input::from_memory(binary, "lists")).parses(), NBestForm::binary);
  EXPECT_FALSE(CandidateReader(Input::from_memory(kTwoLists, "lists")).parses());
}

TEST(Candidates, TreesMayBringFeatures) {
  const std::string text =
      "# trees\n# id = 7\n-\t-1\ta b:2\t(TOP (NN a))\n-\t-2\t\t(TOP (VB a))\n\n";
  CandidateReader reader(Input::from_memory(text, "lists"));
  EXPECT_EQ(reader.parses(), NBestForm::text);
  const auto list = reader.next();
  ASSERT_TRUE(list);
  ASSERT_EQ(list->items.size(), 2U);
  EXPECT_EQ(list->items[1].tree.tag(0), "VB");
  EXPECT_EQ(list->items[0].features, (std::vector<SparseEntry>{{0, 1}, {1, 2}}));
  EXPECT_FALSE(reader.next());
  EXPECT_EQ(problem("# trees\n-\t-1\ta\tno tree\n").substr(0, 8), "lists:2:");
  EXPECT_NE(problem("# trees\n-\t-1\ta\n"), "none");
}

TEST(Candidates, WhatIsWrongIsNamedWithItsLine) {
  EXPECT_EQ(problem("1\t0\ta\n\n1\t0\n"),
            "lists:3: found 2 columns; expected score, log probability, features and perhaps the "
            "text, separated by tabs");
  EXPECT_EQ(problem("x\t0\ta\n"),
            "lists:1: the score is \"x\"; expected a finite number, counts or '-'");
  EXPECT_EQ(
      problem("1/2\t0\ta\n"),
      "lists:1: the score is \"1/2\"; expected CORRECT/GOLD/FOUND, whole numbers of which the "
      "first is not the largest");
  EXPECT_NE(problem("3/2/4\t0\ta\n"), "none");
  EXPECT_NE(problem("1/2/-4\t0\ta\n"), "none");
  EXPECT_NE(problem("1/2/3000000000\t0\ta\n"), "none");
  EXPECT_EQ(problem("1/2/3\t0\ta\n\n0.5\t0\ta\n"),
            "lists:3: some scores are numbers and some are counts; expected one of them in all "
            "lists");
  EXPECT_EQ(problem("1\tinf\ta\n"),
            "lists:1: the log probability is \"inf\"; expected a finite number");
  EXPECT_EQ(problem("1\tnan\ta\n"),
            "lists:1: the log probability is \"nan\"; expected a finite number");
  EXPECT_EQ(problem("# words = a b\n1\t0\ta\tX\n"), "lists:2: found 1 tags; the list has 2 words");
  EXPECT_EQ(problem("# c\n1\t0\ta\n# id = 2\n"),
            "lists:3: this line belongs before the first candidate; a blank line separates the "
            "lists");
  EXPECT_EQ(problem("# id = a b\n"), "lists:1: expected an id without blanks behind \"# id =\"");
  EXPECT_EQ(problem("1\t0\ta:1e308 a:1e308\n"),
            "lists:1: the values of feature a add up to no finite number");
  EXPECT_EQ(problem("1 7\n-inf\n(TOP (NN a))\n"),
            "lists:2: found \"-inf\"; expected a log probability");
}

TEST(Candidates, LinesMayBeLongerThanWhatIsReadAtOnce) {
  std::string text = "# comment\n";
  for (int i = 0; i < 3; ++i) {
    text += "1\t0\t";
    for (int k = 0; k < 60'000; ++k) text += " f" + std::to_string(k + i);
    text += "\tlast\n\n";
  }
  const auto lists = read(text);
  ASSERT_EQ(lists.size(), 3U);
  EXPECT_EQ(lists[2].names.back(), "f60001");
  EXPECT_EQ(lists[2].items[0].features.size(), 60'000U);
  EXPECT_EQ(lists[2].items[0].text, "last");
}

}  // namespace
}  // namespace copse
