// Sentences annotated through one door: what the parts would have said, and nothing changed when
// they refuse.
#include "copse/pipeline/annotator.h"

#include <gtest/gtest.h>

#include "tests/pipeline/pipeline_testing.h"

namespace copse {
namespace {

using pipeline_testing::failure_of;
using pipeline_testing::parser_model;
using pipeline_testing::sentences;
using pipeline_testing::tagger_model;

std::string conllu(const Sentence& sentence) {
  return to_string({sentence, {}}, Format::conllu);
}

TEST(Annotator, TagsAndParsesAsItsPartsDo) {
  const Annotator both = Annotator::load(parser_model(), tagger_model());
  const Annotator plain = Annotator::load(parser_model());
  const Tagger tagger = Tagger::load(ModelFile::open(tagger_model()));
  Annotator::Scratch scratch;
  TagScratch tag_scratch;
  for (const Sentence& sentence : sentences("english.conllu", 10)) {
    const Annotated found = both.annotate(sentence, {}, scratch);
    ASSERT_EQ(found.sentences.size(), 1U);
    EXPECT_EQ(found.degraded, "");
    Sentence expected = sentence;
    tagger.tag(expected, tag_scratch);
    EXPECT_EQ(conllu(both.tagged(sentence, scratch)), conllu(expected));
    expected = plain.annotate(expected, {}, scratch).sentences.front();
    EXPECT_EQ(conllu(found.sentences.front()), conllu(expected));
    const DependencyParser& parser = plain.parser();
    const Parse parse = parser.parse(both.tagged(sentence, scratch), {}, scratch.parser);
    EXPECT_EQ(expected.tree(), parser.tree_of(parse.trees.front()));
  }
}

TEST(Annotator, ListsCarryRankAndScore) {
  const Annotator annotator = Annotator::load(parser_model());
  Annotator::Scratch scratch;
  const Sentence sentence = sentences("english.conllu", 3).back();
  AnnotationOptions options;
  options.n_best = 4;
  const auto list = annotator.annotate(sentence, options, scratch).sentences;
  ASSERT_EQ(list.size(), 4U);
  double before = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < list.size(); ++k) {
    EXPECT_EQ(list[k].comment("rank"), std::to_string(k + 1));
    const double score = std::stod(std::string(*list[k].comment("score")));
    EXPECT_LE(score, before);
    before = score;
  }
  EXPECT_NE(list[0].tree(), list[1].tree());
  options.parse.mbr = true;
  EXPECT_NE(failure_of([&] { annotator.annotate(sentence, options, scratch); }), "");
}

TEST(Annotator, ProbabilitiesAreWrittenWhenAskedFor) {
  const Annotator annotator = Annotator::load(parser_model());
  Annotator::Scratch scratch;
  const Sentence sentence = sentences("english.conllu", 1).front();
  AnnotationOptions options;
  options.columns = {true, true};
  const Sentence found = annotator.annotate(sentence, options, scratch).sentences.front();
  const double confidence = std::stod(std::string(*found.comment("confidence")));
  double least = 1;
  for (int m = 1; m <= found.words(); ++m) {
    const std::string misc(found.misc(m));
    const std::size_t at = misc.find("Prob=");
    ASSERT_NE(at, std::string::npos) << m;
    least = std::min(least, std::stod(misc.substr(at + 5)));
  }
  EXPECT_LE(confidence, least + 1e-4) << "a tree is no likelier than any of its arcs";
}

TEST(Annotator, ARefusedSentenceStaysAsItWas) {
  const Annotator annotator = Annotator::load(parser_model(), tagger_model());
  Annotator::Scratch scratch;
  const Sentence sentence = sentences("english.conllu", 1).front();
  const std::string before = conllu(sentence);
  AnnotationOptions options;
  options.parse.most_words = 1;
  EXPECT_NE(failure_of([&] { annotator.annotate(sentence, options, scratch); }), "");
  EXPECT_EQ(conllu(sentence), before);
}

// No tag must have been filled in when one of a later word is refused.
TEST(Annotator, ATaggerThatRefusesHasChangedNothing) {
  const Tagger tagger = Tagger::load(ModelFile::open(tagger_model()));
  Sentence sentence = sentences("english.conllu", 1).front();
  for (int m = 1; m <= sentence.words(); ++m) {
    for (const Column column : {Column::upos, Column::xpos, Column::feats}) {
      sentence.set(m, column, "_");
    }
  }
  sentence.set(sentence.words(), Column::xpos, "NOSUCH");
  const std::string before = conllu(sentence);
  TagScratch scratch;
  EXPECT_NE(failure_of([&] { tagger.tag(sentence, scratch, {.keep = true}); }), "");
  EXPECT_EQ(conllu(sentence), before);
}

TEST(Annotator, ExplainsOneWordOrAll) {
  const Annotator annotator = Annotator::load(parser_model());
  Annotator::Scratch scratch;
  const Sentence sentence = annotator.tagged(sentences("english.conllu", 1).front(), scratch);
  std::string degraded = "x";
  const auto all = annotator.explain(sentence, std::nullopt, std::nullopt, degraded);
  EXPECT_EQ(degraded, "");
  ASSERT_EQ(all.size(), static_cast<std::size_t>(sentence.words()));
  const auto one = annotator.explain(sentence, 2, std::nullopt, degraded);
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one.front().word, 2);
  EXPECT_EQ(one.front().difference(), all[1].difference());
}

}  // namespace
}  // namespace copse
