#include "copse/tokenize/gold_text.h"

#include <gtest/gtest.h>

#include "copse/tokenize/boundary_walk.h"
#include "tests/tokenize/tokenize_testing.h"

namespace copse {
namespace {

using testing::fixture;
using testing::parse_conllu;

std::string row(int id, const std::string& form, const std::string& misc = "_") {
  return fmt::format("{}\t{}\t_\t_\t_\t_\t_\t_\t_\t{}\n", id, form, misc);
}

TEST(GoldText, JoinsSentencesOfAParagraphByABlank) {
  const auto entries = parse_conllu("# newpar\n" + row(1, "Hi", "SpaceAfter=No") + row(2, ".") +
                                    "\n" + row(1, "Go") + "\n# newpar\n" + row(1, "End") + "\n");
  const auto paragraphs = gold_paragraphs(entries);
  ASSERT_EQ(paragraphs.size(), 2U);
  EXPECT_EQ(paragraphs[0].text, "Hi. Go ");
  EXPECT_EQ(paragraphs[0].gold.sentence_ends, (std::vector<std::uint32_t>{2, 3}));
  EXPECT_EQ(testing::token_texts(paragraphs[0].text, paragraphs[0].gold),
            (std::vector<std::string>{"Hi", ".", "Go"}));
}

TEST(GoldText, BlankLinesInSpacesAfterPartParagraphs) {
  const auto entries = parse_conllu(row(1, "a", "SpacesAfter=\\n\\n") + "\n" +
                                    row(1, "b", "SpacesAfter=\\n") + "\n" + row(1, "c") + "\n");
  const auto paragraphs = gold_paragraphs(entries);
  ASSERT_EQ(paragraphs.size(), 2U);
  EXPECT_EQ(paragraphs[1].text, "b\nc ");
}

TEST(GoldText, MultiwordTokensAreOneSurfaceToken) {
  const auto entries = parse_conllu("1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n" +
                                    row(1, "do") + row(2, "n't") + row(3, "!") + "\n");
  const auto tokens = surface_tokens(entries[0].sentence);
  ASSERT_EQ(tokens.size(), 2U);
  EXPECT_EQ(tokens[0].form, "don't");
  EXPECT_EQ(tokens[0].words.size(), 2U);
  EXPECT_EQ(gold_paragraphs(entries)[0].text, "don't! ");
}

TEST(GoldText, TheTextCommentSaysWhereBlanksAre) {
  const auto entries =
      parse_conllu("# text = a,  b\n" + row(1, "a") + row(2, ",") + row(3, "b") + "\n");
  EXPECT_EQ(gold_paragraphs(entries)[0].text, "a,  b ");
  const auto wrong = parse_conllu("# text = else\n" + row(1, "a") + row(2, "b") + "\n");
  EXPECT_EQ(gold_paragraphs(wrong)[0].text, "a b ");
}

TEST(GoldText, KnowsWhetherATreebankHasText) {
  EXPECT_FALSE(has_text(parse_conllu(row(1, "a") + "\n")));
  EXPECT_TRUE(has_text(parse_conllu("# text = a\n" + row(1, "a") + "\n")));
  EXPECT_TRUE(has_text(parse_conllu(row(1, "a", "SpaceAfter=No") + "\n")));
}

// Section 12.4 of the plan: gold segmentation through labels and back.
TEST(GoldText, LabelsAndTokensAreTheSameThing) {
  for (const char* name : {"english", "german", "spanish", "russian", "japanese"}) {
    SCOPED_TRACE(name);
    const auto paragraphs = gold_paragraphs(read_treebank(fixture(name) + std::string(".conllu")));
    EXPECT_FALSE(paragraphs.empty());
    Characters text;
    Segmentation back;
    for (const GoldText& paragraph : paragraphs) {
      text.read(paragraph.text);
      tokens_of_labels(text, labels_of_tokens(text, paragraph.gold), back);
      EXPECT_EQ(back, paragraph.gold) << paragraph.text;
      testing::ExpectSoundSegmentation(paragraph.text, paragraph.gold);
    }
  }
}

TEST(SegmentationScore, CountsEqualStretches) {
  const Segmentation gold{{{0, 2}, {2, 3}, {4, 6}}, {2, 3}};
  const Segmentation system{{{0, 3}, {4, 6}}, {2}};
  SegmentationScore score;
  score.add(gold, system);
  EXPECT_EQ(score.tokens.correct, 1);
  EXPECT_EQ(score.tokens.gold, 3);
  EXPECT_EQ(score.tokens.system, 2);
  EXPECT_DOUBLE_EQ(score.tokens.f1(), 40);
  EXPECT_EQ(score.sentences.correct, 0);
  SegmentationScore same;
  same.add(gold, gold);
  EXPECT_DOUBLE_EQ(same.sentences.f1(), 100);
}

}  // namespace
}  // namespace copse
