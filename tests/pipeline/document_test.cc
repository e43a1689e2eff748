// Documents: places of words in the text, what the input brings, what is asked for, and when to stop.
#include "copse/pipeline/document.h"

#include <gtest/gtest.h>

#include <cmath>

#include "copse/base/utf8.h"
#include "copse/constituency/demanded_brackets.h"
#include "copse/pipeline/pipeline.h"
#include "copse/treebank/treebank.h"
#include "tests/pipeline/pipeline_testing.h"

namespace copse {
namespace {

using pipeline_testing::failure_of;
using pipeline_testing::parser_model;
using pipeline_testing::phrase_model;
using pipeline_testing::tagger_model;

const Pipeline& nlp() {
  static const Pipeline kPipeline =
      Pipeline::load({tagger_model(), parser_model(), phrase_model()});
  return kPipeline;
}

// Every word stands where its place says, in bytes and in code points.
void expect_places(const Document& document) {
  for (const ParsedSentence& sentence : document) {
    for (const DocumentWord word : sentence.words()) {
      const TextPlace& place = word.place();
      EXPECT_EQ(document.text(place), word.form());
      EXPECT_EQ(count_code_points(document.text().substr(0, place.byte_begin)), place.point_begin);
      EXPECT_EQ(count_code_points(document.text().substr(0, place.byte_end)), place.point_end);
    }
    EXPECT_EQ(sentence.place.byte_begin, sentence.places[1].byte_begin);
    EXPECT_EQ(sentence.place.byte_end, sentence.places.back().byte_end);
  }
}

TEST(Document, KnowsWhereItsWordsStand) {
  const Document document = nlp()("  Zoë saw a naïve 猫 .\n\nThe shop opened.");
  ASSERT_EQ(document.size(), 2U);
  EXPECT_EQ(document[0].word(1).form(), "Zoë");
  EXPECT_EQ(document[0].word(1).place(), (TextPlace{2, 6, 2, 5}));
  EXPECT_EQ(document[0].word(5).place(), (TextPlace{20, 23, 18, 19}));
  expect_places(document);
}

TEST(Document, OfSentencesMakesItsText) {
  const std::string columns =
      "1-2\tdunno\t_\t_\t_\t_\t_\t_\t_\t_\n1\tdon't\t_\t_\t_\t_\t_\t_\t_\t_\n"
      "2\tknow\t_\t_\t_\t_\t_\t_\t_\t_\n3\twhy\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
      "4\t…\t_\t_\t_\t_\t_\t_\t_\t_\n\n1\tYes\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
  const Document document = nlp()(parse_treebank(columns, Format::conllu));
  ASSERT_EQ(document.size(), 2U);
  EXPECT_EQ(document.text(), "dunno why… Yes ");
  EXPECT_EQ(document[0].places[1], document[0].places[2]);  // two words, one token
  EXPECT_EQ(document[0].places[4], (TextPlace{9, 12, 9, 10}));
  EXPECT_EQ(document[1].places[1], (TextPlace{13, 16, 11, 14}));
}

TEST(Document, ListsTreesAndProbabilities) {
  const Document document = nlp()("She saw the dog.", {.n_best = 3, .marginals = true});
  const ParsedSentence& sentence = document[0];
  ASSERT_EQ(sentence.dependencies.size(), 3U);
  EXPECT_EQ(sentence.dependencies[0].tree, sentence.columns.tree());
  EXPECT_GE(sentence.dependencies[0].score, sentence.dependencies[1].score);
  EXPECT_GT(sentence.phrases.trees.size(), 1U);
  EXPECT_FALSE(sentence.phrases.brackets.empty());
  std::vector<double> sums(6, 0.0);
  int last_word = 1;
  double last = 1;
  for (const ArcProbability& arc : sentence.arcs) {
    EXPECT_GE(arc.word, last_word);
    if (arc.word == last_word) {
      EXPECT_LE(arc.probability, last + 1e-12);
    }
    last_word = arc.word;
    last = arc.probability;
    sums[static_cast<std::size_t>(arc.word)] += arc.probability;
    if (arc.head == sentence.word(arc.word).head()) {
      EXPECT_DOUBLE_EQ(
          arc.probability,
          sentence.dependencies[0].arc_probability[static_cast<std::size_t>(arc.word)]);
    }
  }
  for (int word = 1; word <= 5; ++word) {
    EXPECT_NEAR(sums[static_cast<std::size_t>(word)], 1, 1e-6) << word;
  }
  EXPECT_NE(failure_of([] { nlp()("x", {.n_best = 2, .mbr = true}); }), "");
}

std::vector<Entry> given(const std::string& columns) {
  return parse_treebank(columns, Format::conllu);
}

TEST(Document, KeepsWhatTheInputBrings) {
  const std::string columns =
      "1\tShe\t_\t_\t_\t_\t3\t_\t_\t_\n2\tsaw\t_\tADV\t_\t_\t_\t_\t_\t_\n"
      "3\tit\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
  const Document free = nlp()(given(columns));
  const Document kept = nlp()(given(columns), {.keep_tags = true, .constraints = true});
  EXPECT_NE(free[0].word(2).upos(), "ADV");
  EXPECT_EQ(kept[0].word(2).upos(), "ADV");
  EXPECT_NE(free[0].word(1).head(), 3);
  EXPECT_EQ(kept[0].word(1).head(), 3);
  const Document bare = nlp()(given(columns), {.tags = false, .dependencies = false});
  EXPECT_EQ(bare[0].word(1).upos(), "_");
  EXPECT_EQ(bare[0].word(3).head(), DependencyTree::kNoHead);
  EXPECT_FALSE(bare[0].tree.empty());
}

TEST(Document, AProblemOfOneSentenceIsItsOwn) {
  const std::string columns =
      "1\tShe\t_\t_\t_\t_\t2\t_\t_\tNotHead=2\n2\tsaw\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
      "1\tBen\t_\t_\t_\t_\t_\t_\t_\t_\n2\tleft\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
  const Document document = nlp()(given(columns), {.constraints = true});
  ASSERT_TRUE(document[0].problem.has_value());
  EXPECT_FALSE(document[1].problem.has_value());
  EXPECT_GE(document[1].word(1).head(), 0);
  EXPECT_NE(failure_of([&] { document.require_no_problem(); }), "");
}

TEST(Document, DemandsOnOneSentenceAreMet) {
  const std::string columns =
      "1\tShe\t_\t_\t_\t_\t3\t_\t_\t_\n2\tsaw\t_\t_\t_\t_\t_\t_\t_\t_\n"
      "3\tthe\t_\t_\t_\t_\t_\t_\t_\t_\n4\tman\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
  const auto parsed = [&](const SentenceDemands& demands, const PipelineOptions& options = {}) {
    Document document(given(columns));
    nlp().annotate(document.sentences()[0], options, demands);
    return document[0];
  };
  const ParsedSentence free = parsed({});
  ASSERT_FALSE(free.problem);
  SentenceDemands not_there;
  not_there.arcs.push_back({3, std::nullopt, free.word(3).head(), ""});
  const ParsedSentence other = parsed(not_there);
  EXPECT_NE(other.word(3).head(), free.word(3).head());
  EXPECT_NE(other.word(1).head(), 3);  // heads of the columns count with `constraints` alone
  EXPECT_EQ(other.word(3).upos(), free.word(3).upos());  // tags are those of the tagger
  EXPECT_EQ(other.columns.misc(3), "_");                 // nothing of the demand stays
  EXPECT_EQ(parsed(not_there, {.constraints = true}).word(1).head(), 3);

  SentenceDemands there;
  there.arcs.push_back({4, 1, std::nullopt, "obj"});
  there.phrases.push_back({1, 2, "", false});
  const ParsedSentence asked = parsed(there);
  EXPECT_EQ(asked.word(4).head(), 1);
  EXPECT_EQ(asked.word(4).relation(), "obj");
  EXPECT_TRUE(has_bracket(asked.tree, there.phrases[0]));
  EXPECT_FALSE(has_bracket(free.tree, there.phrases[0]));

  there.arcs[0].word = 5;
  EXPECT_TRUE(parsed(there).problem);
  there = {{}, {{3, 5, "", false}}};
  EXPECT_TRUE(parsed(there).problem);
}

TEST(Document, WorkStopsWhenItIsToldTo) {
  std::string text;
  for (int i = 0; i < 50; ++i) text += "The shop opened early. ";
  PipelineOptions late;
  late.stop = Stop::at(Stop::Clock::now());
  EXPECT_THROW(nlp()(text, late), Stopped);
  std::stop_source source;
  PipelineOptions called_off;
  called_off.stop = Stop(source.get_token());
  called_off.threads = 2;
  EXPECT_EQ(nlp()(text, called_off).size(), 50U);
  source.request_stop();
  EXPECT_THROW(nlp()(text, called_off), Stopped);
}

}  // namespace
}  // namespace copse
