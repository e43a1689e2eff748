#include "copse/treebank/evaluation/tree_score.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/treebank/tree_testing.h"

namespace copse {
namespace {

using tree_testing::tree_of;

// The long way round: both trees printed, the lines read and compared as EVALB does.
EvalbSentence by_lines(const PhraseTree& gold, const PhraseTree& system,
                       const EvalbParameters& parameters) {
  EvalbOptions options;
  options.parameters = parameters;
  options.parameters.max_errors = std::numeric_limits<int>::max() - 2;
  options.outer = EvalbOuter::top;
  return evaluate_constituency(ptb_line(gold) + "\n", ptb_line(system) + "\n", options)
      .sentences.at(0);
}

void expect_same(const EvalbSentence& a, const EvalbSentence& b) {
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.length, b.length);
  EXPECT_EQ(a.matched, b.matched);
  EXPECT_EQ(a.gold, b.gold);
  EXPECT_EQ(a.system, b.system);
  EXPECT_EQ(a.crossing, b.crossing);
  EXPECT_EQ(a.words, b.words);
  EXPECT_EQ(a.correct_tags, b.correct_tags);
}

// A random tree over exactly these tagged words, so that two of them can be compared.
void add_over(Random& random, std::size_t begin, std::size_t end,
              const std::vector<std::string>& tags, PhraseTreeBuilder& builder) {
  static const std::vector<std::string> kLabels = {"S",   "NP",     "VP",       "ADVP", "PRT",
                                                   "X=1", "NP-SBJ", "ADVP|PRT", "TOP",  ""};
  const bool phrase = end - begin > 1 || random.chance(0.3);
  if (phrase) builder.open(kLabels[random.below(kLabels.size())]);
  if (end - begin == 1) {
    if (phrase && random.chance(0.3)) {
      add_over(random, begin, end, tags, builder);
    } else {
      const bool other_tag = random.chance(0.1);
      builder.leaf(other_tag ? "RB" : tags[begin], fmt::format("w{}", begin));
    }
  } else {
    const std::size_t middle = begin + 1 + random.below(end - begin - 1);
    add_over(random, begin, middle, tags, builder);
    add_over(random, middle, end, tags, builder);
  }
  if (phrase) builder.close();
}

PhraseTree random_tree_over(Random& random, const std::vector<std::string>& tags,
                            std::string_view outer) {
  PhraseTreeBuilder builder;
  builder.open(outer);
  add_over(random, 0, tags.size(), tags, builder);
  builder.close();
  return std::move(builder).finish();
}

void compare_random_trees(const EvalbParameters& parameters, std::uint64_t seed) {
  SCOPED_TRACE(fmt::format("seed {}", seed));
  Random random(seed);
  const std::vector<std::string> all_tags = {"NN", "VB", ",", ".", "-NONE-", "''", "POS", "ADVP"};
  const LabelClasses classes(parameters);
  for (int i = 0; i < 200; ++i) {
    std::vector<std::string> tags(1 + random.below(12));
    for (std::string& tag : tags) tag = all_tags[random.below(all_tags.size())];
    const PhraseTree gold = random_tree_over(random, tags, random.chance(0.5) ? "" : "TOP");
    const TreeScorer scorer(gold, classes);
    for (int k = 0; k < 5; ++k) {
      const PhraseTree system = random_tree_over(random, tags, random.chance(0.5) ? "S1" : "TOP");
      SCOPED_TRACE(ptb_line(gold) + "\n" + ptb_line(system));
      expect_same(scorer.score(system), by_lines(gold, system, parameters));
    }
  }
}

EvalbParameters with(const std::string& more) {
  return parse_evalb_parameters(
      "DELETE_LABEL TOP\nDELETE_LABEL -NONE-\nDELETE_LABEL .\nDELETE_LABEL_FOR_LENGTH -NONE-\n" +
          more,
      "test.prm");
}

TEST(TreeScore, EqualsTheLineDrivenComparison) {
  compare_random_trees(collins_parameters(), 1);
  compare_random_trees(with("LABELED 0\n"), 2);
  compare_random_trees(with("EQ_LABEL NP VP\nDELETE_LABEL VP\n"), 3);
}

// What the quick way cannot do goes the long way: the same figures all the same.
TEST(TreeScore, EqualsItWhereLabelsAreNotNumbers) {
  compare_random_trees(with("EQ_LABEL NP VP\nEQ_LABEL VP S\n"), 4);  // NP is not S
  compare_random_trees(with("QUOTE_LABEL ''\nQUOTE_LABEL POS\n"), 5);
  const PhraseTree gold = tree_of("(TOP (ENUMERATION (NN a) (NN b)))");
  const PhraseTree system = tree_of("(TOP (ENUMERATIVE (NN a) (NN b)))");
  EXPECT_EQ(score_trees(gold, system).matched, 0);
  EXPECT_EQ(score_trees(gold, gold).matched, 1);
}

TEST(TreeScore, ByHand) {
  const PhraseTree gold = tree_of(
      "( (S (NP (DT The) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (DT the) (NN mat)))) (. .)))");
  const PhraseTree system = tree_of(
      "(TOP (S (NP (DT The) (NN cat)) (VP (VBD sat) (PRT (RP on)) (NP (DT the) (NN mat))) (. .)))");
  const EvalbSentence s = score_trees(gold, system);
  EXPECT_EQ(s.matched, 4);
  EXPECT_EQ(s.gold, 5);
  EXPECT_EQ(s.system, 5);
  EXPECT_EQ(s.correct_tags, 5);
  EXPECT_EQ(s.length, 7);
}

TEST(TreeScore, OtherWordsAreAnErrorAndNoneAreSkipped) {
  const PhraseTree gold = tree_of("(TOP (NP (DT a) (NN b)))");
  EXPECT_EQ(score_trees(gold, tree_of("(TOP (NP (DT a) (NN c)))")).status, EvalbStatus::error);
  EXPECT_EQ(score_trees(gold, tree_of("(TOP (NP (DT a)))")).status, EvalbStatus::error);
  EXPECT_EQ(score_trees(gold, PhraseTree()).status, EvalbStatus::skipped);
  EXPECT_EQ(score_trees(PhraseTree(), PhraseTree()).status, EvalbStatus::skipped);
}

// A parser's tree holds the words of the sentence, a tree from a file those of the file.
TEST(TreeScore, BracketsInWordsAreTheSameHoweverTheyAreWritten) {
  PhraseTreeBuilder builder;
  builder.open("TOP");
  builder.open("NP");
  builder.leaf("NN", "a)b");
  builder.close();
  builder.close();
  const PhraseTree system = std::move(builder).finish();
  const EvalbSentence s = score_trees(tree_of("(TOP (NP (NN a-RRB-b)))"), system);
  EXPECT_EQ(s.status, EvalbStatus::valid);
  EXPECT_EQ(s.matched, 1);
}

}  // namespace
}  // namespace copse
