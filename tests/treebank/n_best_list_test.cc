#include "copse/treebank/n_best_list.h"

#include <gtest/gtest.h>

#include <cmath>

#include "copse/base/error.h"
#include "copse/base/random.h"
#include "copse/treebank/n_best_scores.h"
#include "tests/treebank/tree_testing.h"

namespace copse {
namespace {

using tree_testing::tree_of;

std::vector<NBestList> sample() {
  NBestList first{"1", {}, 1};
  first.parses.push_back({-12.000000000000002, tree_of("(TOP (S (NP (NN it)) (VP (VBZ is))))")});
  first.parses.push_back({-1.0 / 3, tree_of("(TOP (NP (NN it) (NN is)))")});
  NBestList empty{"weblog-2:7", {}, {}};
  NBestList last{"3", {}, {}};
  last.parses.push_back({-1e4, tree_of("(TOP (NN caf\xC3\xA9))")});
  return {first, empty, last};
}

std::string written(const std::vector<NBestList>& lists, NBestForm form) {
  std::string out(n_best_begin(form));
  for (const NBestList& list : lists) append_n_best(list, form, out);
  out += n_best_end(form);
  return out;
}

std::vector<NBestList> read(std::string bytes) {
  NBestReader reader(Input::from_memory(std::move(bytes), "lists"));
  std::vector<NBestList> lists;
  while (auto list = reader.next()) lists.push_back(std::move(*list));
  return lists;
}

TEST(NBestList, TextFormIsAsDescribed) {
  EXPECT_EQ(written(sample(), NBestForm::text),
            "2 1 1\n-12.000000000000002\n(TOP (S (NP (NN it)) (VP (VBZ is))))\n"
            "-0.33333333333333331\n(TOP (NP (NN it) (NN is)))\n\n"
            "0 weblog-2:7\n\n"
            "1 3\n-10000\n(TOP (NN caf\xC3\xA9))\n\n");
}

TEST(NBestList, BothFormsGiveBackWhatWasWritten) {
  for (const NBestForm form : {NBestForm::text, NBestForm::binary}) {
    const auto lists = sample();
    const auto back = read(written(lists, form));
    ASSERT_EQ(back.size(), lists.size());
    for (std::size_t i = 0; i < lists.size(); ++i) {
      EXPECT_EQ(back[i].id, lists[i].id);
      EXPECT_EQ(back[i].oracle, lists[i].oracle);
      ASSERT_EQ(back[i].parses.size(), lists[i].parses.size());
      for (std::size_t k = 0; k < lists[i].parses.size(); ++k) {
        EXPECT_EQ(back[i].parses[k].log_probability, lists[i].parses[k].log_probability);
        EXPECT_EQ(back[i].parses[k].tree, lists[i].parses[k].tree);
      }
    }
  }
}

TEST(NBestList, RandomTreesSurviveBothForms) {
  Random random(11);
  for (int i = 0; i < 100; ++i) {
    PhraseTreeBuilder builder;
    builder.open("TOP");
    tree_testing::add_random_subtree(random, {}, 0, builder);
    builder.close();
    NBestList list{"r", {}, {}};
    list.parses.push_back({-random.uniform() * 100, std::move(builder).finish()});
    const auto text = written({list}, NBestForm::text);
    if (list.parses[0].tree.words() == 0) continue;
    EXPECT_EQ(written(read(written(read(text), NBestForm::binary)), NBestForm::text), text);
  }
}

TEST(NBestList, TextErrorsNameTheLine) {
  const auto complaint = [](const std::string& text) {
    try {
      read(text);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_NE(complaint("x 1\n").find("lists:1"), std::string::npos);
  EXPECT_NE(complaint("2 1\n-1\n(TOP (NN a))\n").find("after 1 of 2"), std::string::npos);
  EXPECT_NE(complaint("1 1\nminus\n(TOP (NN a))\n").find("lists:2"), std::string::npos);
  EXPECT_NE(complaint("1 1\n-1\n(TOP (NN a)\n").find("lists:3"), std::string::npos);
  EXPECT_NE(complaint("1 1 5\n-1\n(TOP (NN a))\n").find("oracle"), std::string::npos);
  EXPECT_NE(complaint("1\n").find("no id"), std::string::npos);
}

TEST(NBestList, EveryDamagedByteOfTheBinaryFormIsNoticed) {
  const std::string good = written(sample(), NBestForm::binary);
  for (std::size_t size = 4; size < good.size(); ++size) {
    EXPECT_THROW(read(good.substr(0, size)), Error) << size;
  }
  for (std::size_t i = 4; i + 1 < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x15);
    EXPECT_THROW(read(bad), Error) << i;
  }
}

TEST(NBestScores, TheOracleIsTheParseOfTheBestF1) {
  NBestScores scores;
  NBestList list{"1", {}, {}};
  list.parses.push_back({-1, tree_of("(TOP (S (NN a) (VP (VB b) (NN c))))")});
  list.parses.push_back({-2, tree_of("(TOP (S (NN a) (VP (VB b) (NP (NN c)))))")});
  scores.add(list, "(TOP (S (NN a) (VP (VB b) (NP (NN c)))))");
  EXPECT_EQ(list.oracle, 1);
  EXPECT_NEAR(scores.baseline().f1(), 80, 1e-9);
  EXPECT_NEAR(scores.oracle().f1(), 100, 1e-9);
  EXPECT_EQ(scores.average_size(), 2);
}

}  // namespace
}  // namespace copse
