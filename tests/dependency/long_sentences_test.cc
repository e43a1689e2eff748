// Within its limits the parser always has a tree; what it gave up it says.
#include <gtest/gtest.h>

#include "tests/dependency/dependency_testing.h"

namespace copse {
namespace {

using dependency_testing::failure_of;
using dependency_testing::fixture;
using dependency_testing::parser_of;
using dependency_testing::quick_training;
using dependency_testing::sentence_of;
using dependency_testing::train;
using dependency_testing::WordLine;

DependencyParser parser_with(RootRule root, Factorisation order = Factorisation::sibling) {
  DependencyTraining options = quick_training(order);
  options.kind.root = root;
  return parser_of(train(fixture("english.conllu", 15), {}, options));
}

// The words of a treebank in a row, again and again.
Sentence words_in_a_row(int words) {
  std::vector<WordLine> lines;
  const auto sentences = fixture("english.conllu");
  while (static_cast<int>(lines.size()) < words) {
    for (const Sentence& sentence : sentences) {
      for (int m = 1; m <= sentence.words(); ++m) {
        lines.push_back({std::string(sentence.form(m)), std::string(sentence.upos(m)),
                         std::string(sentence.xpos(m))});
      }
    }
  }
  lines.resize(static_cast<std::size_t>(words));
  return sentence_of(lines);
}

Sentence slice(const Sentence& sentence, int begin, int words) {
  std::vector<WordLine> lines;
  for (int m = begin + 1; m <= begin + words; ++m) {
    lines.push_back({std::string(sentence.form(m)), std::string(sentence.upos(m)),
                     std::string(sentence.xpos(m))});
  }
  return sentence_of(lines);
}

DependencyParseOptions narrow() {
  DependencyParseOptions options;
  options.limits.most_bytes = std::size_t{4} << 20;
  return options;
}

TEST(LongSentences, ThoseThatFitNowhereAreParsedInPieces) {
  const Sentence sentence = words_in_a_row(1300);
  for (const RootRule root : {RootRule::single, RootRule::multi}) {
    const DependencyParser parser = parser_with(root);
    DependencyParser::Scratch scratch;
    DependencyParseOptions options = narrow();
    options.marginals = true;
    const Parse parse = parser.parse(sentence, options, scratch);
    EXPECT_NE(parse.degraded.find("1300 words parsed in "), std::string::npos) << parse.degraded;
    ASSERT_EQ(parse.trees.size(), 1U);
    const ParsedTree& found = parse.trees.front();
    const DependencyTree tree = parser.tree_of(found);
    ASSERT_EQ(tree.words(), 1300);
    EXPECT_TRUE(tree.is_tree());
    if (root == RootRule::single) {
      EXPECT_EQ(tree.root_count(), 1);
    } else {
      EXPECT_GT(tree.root_count(), 9);
    }
    EXPECT_EQ(found.arc_probability.size(), 1301U);
    EXPECT_EQ(found.label_probability.size(), 1301U);
    EXPECT_GE(found.probability, 0);
  }
}

// The first piece is parsed as if it were alone.
TEST(LongSentences, APieceIsParsedLikeASentence) {
  const Sentence sentence = words_in_a_row(900);
  const DependencyParser parser = parser_with(RootRule::single);
  DependencyParser::Scratch scratch;
  const auto heads = parser.parse(sentence, narrow(), scratch).trees.front().heads;
  int size = 0;  // the first piece ends where the first word hangs on a later one, or before
  for (int words = 60; words <= 120 && size == 0; ++words) {
    const auto alone =
        parser.parse(slice(sentence, 0, words), narrow(), scratch).trees.front().heads;
    if (std::equal(alone.begin(), alone.end(), heads.begin())) size = words;
  }
  EXPECT_GT(size, 0);
}

TEST(LongSentences, LongArcsAreLeftOutBeforeAnythingElse) {
  const Sentence sentence = words_in_a_row(650);
  const DependencyParser parser = parser_with(RootRule::single, Factorisation::first);
  DependencyParser::Scratch scratch;
  const Parse parse = parser.parse(sentence, {}, scratch);
  EXPECT_EQ(parse.degraded, "650 words: arcs of more than 100 words left out");
  const ParsedTree& found = parse.trees.front();
  for (int m = 1; m <= 650; ++m) {
    const int h = found.heads[static_cast<std::size_t>(m)];
    if (h > 0) {
      EXPECT_LE(std::abs(h - m), 100);
    }
  }
  EXPECT_TRUE(parser.tree_of(found).is_tree());
}

TEST(LongSentences, ConstraintsAndExplanationsNeedTheWholeSentence) {
  Sentence sentence = words_in_a_row(1300);
  const DependencyParser parser = parser_with(RootRule::single);
  DependencyParser::Scratch scratch;
  DependencyParseOptions options = narrow();
  options.constraints = true;
  sentence.set_head(1, 2);
  EXPECT_EQ(failure_of([&] { parser.parse(sentence, options, scratch); }),
            "data: the sentence is too long for the memory limit");
}

}  // namespace
}  // namespace copse
