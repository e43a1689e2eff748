#include "copse/treebank/head_rules.h"

#include <gtest/gtest.h>

#include "copse/base/error.h"
#include "tests/treebank/tree_testing.h"

namespace copse {
namespace {

using tree_testing::tree_of;

// Index of the head among the children of the root.
int head_index(const HeadRules& rules, const char* text) {
  const PhraseTree tree = tree_of(text);
  const int head = rules.head_child(tree, 0);
  int index = 0;
  for (int child : tree.children(0)) {
    if (child == head) return index;
    ++index;
  }
  return -1;
}

std::string parse_error(const char* text) {
  try {
    HeadRules::parse(text, "my.heads");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(HeadRules, PriorityComesBeforePosition) {
  const HeadRules rules = HeadRules::parse("table t\ndefault left\nVP left TO VB|VBD NP\n", "");
  EXPECT_EQ(head_index(rules, "(VP (VB a) (TO b))"), 1);
  EXPECT_EQ(head_index(rules, "(VP (X x) (VBD a) (VB b))"), 1);
  EXPECT_EQ(head_index(rules, "(VP-1 (X x) (NP-SBJ (NN a)))"), 1);
}

TEST(HeadRules, StepsMayScanFromAnEndOfTheirOwn) {
  const HeadRules rules =
      HeadRules::parse("table t\ndefault left\nNP right last:POS NN left:NP first:X\n", "my.heads");
  EXPECT_EQ(head_index(rules, "(NP (NN a) (NN b) (POS c))"), 2);
  EXPECT_EQ(head_index(rules, "(NP (POS c) (NN a) (NN b) (Y y))"), 2);
  EXPECT_EQ(head_index(rules, "(NP (A a) (NP (B b)) (NP (B b)))"), 1);
  EXPECT_EQ(head_index(rules, "(NP (X x) (Y y))"), 0);
  EXPECT_EQ(head_index(rules, "(NP (Y y) (X x) (Z z))"), 2);
}

TEST(HeadRules, WithoutAMatchTheEndIsTakenAndPunctuationPassedOver) {
  HeadRules rules = HeadRules::builtin("collins");
  EXPECT_EQ(head_index(rules, "(PRN (: --) (S (VP (VB a))) (: --))"), 1);
  EXPECT_EQ(head_index(rules, "(PRN (: --) (: --))"), 0);
  rules.set_skip_punctuation(false);
  EXPECT_EQ(head_index(rules, "(PRN (: --) (S (VP (VB a))) (: --))"), 0);
}

TEST(HeadRules, CollinsNounPhrases) {
  const HeadRules rules = HeadRules::builtin("collins");
  EXPECT_EQ(head_index(rules, "(NP (DT the) (NN king) (POS 's))"), 2);
  EXPECT_EQ(head_index(rules, "(NP (DT the) (NN a) (NN b) (CD 4))"), 2);
  EXPECT_EQ(head_index(rules, "(NP (NP (NN a)) (, ,) (NP (NN b)))"), 0);
  EXPECT_EQ(head_index(rules, "(NP ($ $) (CD 4) (CD 5))"), 0);
  EXPECT_EQ(head_index(rules, "(NP (DT the) (CD 4) (RB x))"), 1);
  EXPECT_EQ(head_index(rules, "(NP (DT the) (JJ poor) (DT x))"), 1);
  EXPECT_EQ(head_index(rules, "(NP (DT the) (VBG x))"), 1);
}

TEST(HeadRules, CollinsCoordinationIsHeadedByTheFirstConjunct) {
  const HeadRules rules = HeadRules::builtin("collins");
  EXPECT_EQ(head_index(rules, "(NP (NN a) (CC and) (NN b))"), 0);
  EXPECT_EQ(head_index(rules, "(NP (NN a) (, ,) (CC and) (NN b))"), 0);
  EXPECT_EQ(head_index(rules, "(NPB (NN a) (CC and) (NN b))"), 2);
  EXPECT_EQ(head_index(rules, "(NP (CC and) (NN b))"), 1);
  EXPECT_EQ(head_index(rules, "(NP (, ,) (CC and) (NN b))"), 2);
  EXPECT_EQ(head_index(rules, "(UCP (NN a) (CC and) (JJ b))"), 0);
}

TEST(HeadRules, YamadaAndMatsumotoTakeTheRightmostConjunct) {
  const HeadRules rules = HeadRules::builtin("yamada-matsumoto");
  EXPECT_EQ(head_index(rules, "(NP (NN a) (CC and) (NN b))"), 2);
  EXPECT_EQ(head_index(rules, "(NP (NP (NN a)) (CC and) (NP (NN b)))"), 2);
  EXPECT_EQ(head_index(rules, "(VP (TO to) (VP (VB go)))"), 0);
  EXPECT_EQ(head_index(rules, "(S (NP (NN a)) (VP (VB b)) (. .))"), 1);
  EXPECT_EQ(head_index(rules, "(FOO (A a) (B b) (. .))"), 1);
}

TEST(HeadRules, HeadWordsFollowHeadChildren) {
  const PhraseTree tree = tree_of("( (S (NP (DT the) (NN cat)) (VP (VBD sat)) (. .)))");
  EXPECT_EQ(HeadRules::builtin("collins").head_words(tree),
            (std::vector<int>{2, 2, 1, 0, 1, 2, 2, 3}));
}

TEST(HeadRules, ProvenanceDependsOnTheRulesAndNotOnTheLayout) {
  const HeadRules rules = HeadRules::builtin("collins");
  EXPECT_EQ(HeadRules::parse(rules.str(), "").provenance(), rules.provenance());
  HeadRules plain = rules;
  plain.set_skip_punctuation(false);
  EXPECT_NE(plain.hash(), rules.hash());
  EXPECT_NE(HeadRules::builtin("yamada-matsumoto").hash(), rules.hash());
  EXPECT_EQ(rules.provenance().substr(0, 8), "collins ");
}

TEST(HeadRules, NumberSignIsATagInsideALine) {
  const HeadRules rules =
      HeadRules::parse("# comment\ntable t\n  # another\ndefault left\nQP right # $\n", "");
  EXPECT_EQ(head_index(rules, "(QP (# #) (CD 4))"), 0);
}

TEST(HeadRules, FaultsOfATableNameTheirLine) {
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(parse_error("table t\ndefault left\nNP up NN\n"), "my.heads:3"));
  EXPECT_TRUE(has(parse_error("table t\ndefault left\nNP left NN\nVP left\nNP left\n"),
                  "my.heads:5: a second rule for NP"));
  EXPECT_TRUE(has(parse_error("table t\ndefault left\nNP left NN VB NN\n"), "NN stands in two"));
  EXPECT_TRUE(has(parse_error("table t\ndefault left\nNP left NN|NN\n"), "NN stands twice"));
  EXPECT_TRUE(has(parse_error("table t\ndefault left\nNP left NN||VB\n"), "empty label"));
  EXPECT_TRUE(has(parse_error("table t\ndefault left\nNP\n"), "no direction"));
  EXPECT_TRUE(has(parse_error("default left\n"), "no name"));
  EXPECT_TRUE(has(parse_error("table t\n"), "no default"));
  EXPECT_TRUE(has(parse_error("table t u\n"), "takes one value"));
  EXPECT_TRUE(has(parse_error("table t\nskip-punctuation maybe\n"), "on or off"));
}

TEST(HeadRules, UnknownTablesAreRefused) {
  EXPECT_THROW(HeadRules::builtin("magerman"), Error);
  EXPECT_THROW(HeadRules::load("no/such/table.heads"), Error);
  EXPECT_EQ(HeadRules::load("collins").name(), "collins");
}

}  // namespace
}  // namespace copse
