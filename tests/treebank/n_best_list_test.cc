#include "copse/treebank/n_best_list.h"

#include <gtest/gtest.h>
#include <xxhash.h>

#include <bit>
#include <cmath>
#include <initializer_list>

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

PhraseTree tree_with(std::initializer_list<std::pair<const char*, const char*>> leaves) {
  PhraseTreeBuilder builder;
  builder.open("TOP");
  for (const auto& [tag, word] : leaves) builder.leaf(tag, word);
  builder.close();
  return std::move(builder).finish();
}

// Words of real text: what brackets cannot hold is escaped, in both forms alike.
TEST(NBestList, WordsWithBracketsAndBlanksCanBeReadBack) {
  NBestList list{"an id", {}, {}};
  list.parses.push_back({-1, tree_with({{"NN", "a)b"}, {"NNP", "New York"}, {"(", "("}})});
  const std::string text = written({list}, NBestForm::text);
  EXPECT_EQ(text, "1 an_id\n-1\n(TOP (NN a-RRB-b) (NNP New_York) (-LRB- -LRB-))\n\n");
  EXPECT_EQ(written(read(text), NBestForm::text), text);
  EXPECT_EQ(written(read(written({list}, NBestForm::binary)), NBestForm::text), text);
}

TEST(NBestList, WhatCouldNotBeReadBackIsNotWritten) {
  for (const NBestForm form : {NBestForm::text, NBestForm::binary}) {
    const auto write = [&](double log_probability, PhraseTree tree) {
      NBestList list{"1", {}, {}};
      list.parses.push_back({log_probability, std::move(tree)});
      return written({list}, form);
    };
    EXPECT_NO_THROW(write(-1, tree_with({{"NN", "a"}})));
    EXPECT_THROW(write(-1, PhraseTree()), Error);
    EXPECT_THROW(write(-1, tree_with({{"", "a"}})), Error);
    EXPECT_THROW(write(-1, tree_with({{"NN", ""}})), Error);
    EXPECT_THROW(write(std::nan(""), tree_with({{"NN", "a"}})), Error);
    EXPECT_THROW(write(-INFINITY, tree_with({{"NN", "a"}})), Error);
  }
}

// Binary lists made by somebody who knows how: numbers, strings and the right checksum.
class Crafted {
 public:
  Crafted& number(std::uint64_t value) {
    for (; value >= 128; value >>= 7) record_ += static_cast<char>(value | 128);
    record_ += static_cast<char>(value);
    return *this;
  }
  Crafted& text(const std::string& value) {
    number(value.size());
    record_ += value;
    return *this;
  }
  Crafted& real(double value) {
    std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
    for (int i = 0; i < 8; ++i, bits >>= 8) record_ += static_cast<char>(bits & 255);
    return *this;
  }
  std::string complaint() const {
    Crafted size;
    size.number(record_.size());
    std::uint64_t sum = XXH3_64bits(record_.data(), record_.size());
    std::string file = "NBL1" + size.record_ + record_;
    for (int i = 0; i < 8; ++i, sum >>= 8) file += static_cast<char>(sum & 255);
    file += '\0';
    try {
      read(file);
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  }

 private:
  std::string record_;
};

// One word, one label, one parse of a leaf.
Crafted one_leaf(const std::string& id, const std::string& word, const std::string& tag, double p) {
  return Crafted().text(id).number(0).number(1).text(word).number(1).text(tag).number(1).real(p);
}

TEST(NBestList, CraftedBinaryListsAreRefused) {
  EXPECT_EQ(one_leaf("1", "a", "NN", -1).number(1).complaint(), "none");
  const auto has = [](const std::string& complaint, const char* part) {
    EXPECT_NE(complaint.find(part), std::string::npos) << complaint;
    EXPECT_EQ(complaint.find("lists: list 1: "), 0U) << complaint;
    EXPECT_EQ(complaint.find("list 1: list 1:"), std::string::npos) << complaint;
  };
  has(one_leaf("1", "a", "NN", std::nan("")).number(1).complaint(), "finite");
  has(one_leaf("1", "a", "NN", INFINITY).number(1).complaint(), "finite");
  has(one_leaf("1", "a\nb", "NN", -1).number(1).complaint(), "a word has blanks");
  has(one_leaf("1", "a", "N)", -1).number(1).complaint(), "a label has blanks");
  has(one_leaf("1", "\xFF", "NN", -1).number(1).complaint(), "UTF-8");
  has(one_leaf("1", "", "NN", -1).number(1).complaint(), "empty");
  has(one_leaf("1", "a", "", -1).number(1).complaint(), "empty tag");
  has(one_leaf("1\n2", "a", "NN", -1).number(1).complaint(), "id");
  has(one_leaf("1", "a", "NN", -1).number(0).number(0).complaint(), "no words");
  // A long label that every node of a chain names: one byte in the file, a megabyte in memory.
  Crafted chain = one_leaf("1", "a", std::string(1 << 20, 'N'), -1);
  for (int i = 0; i < 5000; ++i) chain.number(0).number(1);
  has(chain.number(1).complaint(), "too much memory");
  Crafted deep = one_leaf("1", "a", "NN", -1);
  for (int i = 0; i < 20'000; ++i) deep.number(0).number(1);
  has(deep.number(1).complaint(), "too deep");
  EXPECT_EQ(Crafted().text("1").number(0).number(1).complaint(),
            "lists: list 1: a count is too large");
}

TEST(NBestList, AFileThatEndsInAListNamesItOnce) {
  const std::string good = written(sample(), NBestForm::binary);
  try {
    read(good.substr(0, 12));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "lists: list 1: the file ends in the middle of it");
  }
}

TEST(NBestList, InfiniteLogProbabilitiesAreRefused) {
  EXPECT_THROW(read("1 1\n-inf\n(TOP (NN a))\n"), Error);
  EXPECT_THROW(read("1 1\n1e999\n(TOP (NN a))\n"), Error);
}

TEST(NBestScores, TheOracleIsTheParseOfTheBestF1) {
  NBestScores scores;
  NBestList list{"1", {}, {}};
  list.parses.push_back({-1, tree_of("(TOP (S (NN a) (VP (VB b) (NN c))))")});
  list.parses.push_back({-2, tree_of("(TOP (S (NN a) (VP (VB b) (NP (NN c)))))")});
  scores.add(list, tree_of("(TOP (S (NN a) (VP (VB b) (NP (NN c)))))"));
  EXPECT_EQ(list.oracle, 1);
  EXPECT_NEAR(scores.baseline().f1(), 80, 1e-9);
  EXPECT_NEAR(scores.oracle().f1(), 100, 1e-9);
  EXPECT_EQ(scores.average_size(), 2);
}

}  // namespace
}  // namespace copse
