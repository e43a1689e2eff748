// Head tables guessed from trees.
#include "copse/treebank/head_guess.h"

#include <gtest/gtest.h>

#include "copse/base/error.h"
#include "tests/treebank/tree_testing.h"

namespace copse {
namespace {

HeadRules guessed(const std::string& text) {
  std::vector<Entry> entries;
  for (PhraseTree& tree : tree_testing::trees_of(text)) entries.push_back({{}, std::move(tree)});
  const std::span<const Entry> run(entries);
  return guess_heads(std::span(&run, 1));
}

// What heads the root of a tree: the label of its head child.
std::string head(const HeadRules& rules, const std::string& text) {
  const PhraseTree tree = tree_testing::tree_of(text);
  return std::string(tree.label(rules.head_child(tree, 0)));
}

// Strengths in NP, by hand: 9 phrases; NNS stands alone in 4 of the 5 that have it, (4 + 0.1 * 5/9) / 6 =
// 0.68; NN in 1 of 3, (1 + 0.1 * 3/9) / 4 = 0.26, more than a fifth of that; DT in none of 3, 0.008.
const std::string kTrees =
    "(S (NP (NNS dogs)) (VP (VBP sleep)) (. .))\n"
    "(S (NP (DT the) (NN dog)) (VP (VBZ sees) (NP (DT the) (NNS cats))) (. .))\n"
    "(S (VP (VB go)) (. .))\n"
    "(S (NP (NN milk)) (VP (VBZ helps)) (. .))\n"
    "(S (NP (NNS cats)) (VP (VBP see) (NP (DT a) (NN dog))) (. .))\n"
    "(S (NP (NP (NNS cats)) (CC and) (NP (NNS dogs))) (VP (VBP sleep)) (. .))\n";

TEST(GuessedHeads, WhatStandsAloneCanBeTheHead) {
  const HeadRules rules = guessed(kTrees);
  EXPECT_EQ(rules.name(), "auto");
  EXPECT_EQ(head(rules, "(S (NP (NN a)) (VP (VB b)))"), "VP");
  EXPECT_EQ(head(rules, "(S (VP (VB b)) (NP (NN a)))"), "VP");
  EXPECT_EQ(head(rules, "(NP (DT a) (NNS b))"), "NNS");
  EXPECT_EQ(head(rules, "(NP (DT a) (NN b))"), "NN");
  EXPECT_EQ(head(rules, "(VP (VBZ a) (NP (NN b)))"), "VBZ");
}

TEST(GuessedHeads, APhraseInItselfHeadsIt) {
  const PhraseTree tree = tree_testing::tree_of("(NP (NP (NNS a)) (PP (IN b)) (NP (NNS c)))");
  EXPECT_EQ(guessed(kTrees).head_child(tree, 0), 1);  // the left one
}

TEST(GuessedHeads, PunctuationAndConjunctionsAreSeenInTheTrees) {
  const std::string table = guessed(kTrees).str();
  EXPECT_NE(table.find("punctuation"), std::string::npos) << table;
  EXPECT_NE(table.find("coordination CC"), std::string::npos) << table;
  EXPECT_EQ(head(guessed(kTrees), "(X (A a) (. .))"), "A");
}

TEST(GuessedHeads, BaseNounPhrasesHaveTheRowOfNounPhrases) {
  EXPECT_EQ(head(guessed(kTrees), "(NPB (DT a) (NNS b))"), "NNS");
}

TEST(GuessedHeads, NoTreesNoTable) {
  EXPECT_THROW(guess_heads({}), Error);
}

TEST(GuessedHeads, TracesAreNotSeen) {
  EXPECT_EQ(guessed("(S (NP (-NONE- *)) (VP (VB go)))").str(), guessed("(S (VP (VB go)))").str());
}

}  // namespace
}  // namespace copse
