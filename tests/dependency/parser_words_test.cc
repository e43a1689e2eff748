// Which columns a parser reads, settled by its training data.
#include "copse/dependency/parser_words.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <type_traits>

#include "tests/dependency/dependency_testing.h"

namespace copse {
namespace {

using dependency_testing::fixture;
using dependency_testing::sentence_of;

std::vector<Sentence> one(const Sentence& sentence) {
  return {sentence};
}

ParserWord only_word(const Sentence& sentence, const TagScheme& scheme, std::string& fine) {
  ParserWords words;
  words.fill(sentence, scheme, {});
  fine = words.words().front().fine;
  return words.words().front();
}

TEST(ParserWords, SchemesAreToldByTheColumns) {
  EXPECT_EQ(tag_scheme_of(one(sentence_of({{"a", "NOUN", "NN"}}))), (TagScheme{true, true, true}));
  EXPECT_EQ(tag_scheme_of(one(sentence_of({{"a", "NN", "NN"}}))), (TagScheme{true, false, true}));
  EXPECT_EQ(tag_scheme_of(one(sentence_of({{"a", "_", "NN"}}))), (TagScheme{true, false, true}));
  EXPECT_EQ(tag_scheme_of(one(sentence_of({{"a", "NOUN", "_"}}))), (TagScheme{false, true, true}));
  EXPECT_EQ(tag_scheme_of(one(sentence_of({{"a"}}))), (TagScheme{false, false, true}));
  EXPECT_EQ(tag_scheme_of({}), (TagScheme{false, false, true}));
  // One word that says so is enough.
  EXPECT_EQ(tag_scheme_of(one(sentence_of({{"a", "NN", "NN"}, {"b", "X", "NN"}}))),
            (TagScheme{true, true, true}));
}

// Lists of them grow by moving; copies would point to the tags of what they were copied from.
TEST(ParserWords, AreMovedAndNeverCopied) {
  EXPECT_FALSE(std::is_copy_constructible_v<ParserWords>);
  EXPECT_TRUE(std::is_nothrow_move_constructible_v<ParserWords>);
}

TEST(ParserWords, SchemesOfTheFixtures) {
  EXPECT_EQ(tag_scheme_of(fixture("english.conllu")), (TagScheme{true, true, true}));
  EXPECT_EQ(tag_scheme_of(fixture("spanish.conllu")), (TagScheme{false, true, true}));
}

TEST(ParserWords, FineAndCoarseTagsFollowTheScheme) {
  const Sentence sentence = sentence_of(
      {{"mills", "NOUN", "NNS", 0, "_", "Case=Gen|Gender=Fem|Number=Plur|VerbForm=Fin"}});
  std::string fine;
  EXPECT_EQ(only_word(sentence, {true, true, true}, fine).coarse, "NOUN");
  EXPECT_EQ(fine, "NNS");
  EXPECT_EQ(only_word(sentence, {true, false, true}, fine).coarse, "NN");
  EXPECT_EQ(fine, "NNS");
  EXPECT_EQ(only_word(sentence, {false, true, true}, fine).coarse, "NOUN");
  EXPECT_EQ(fine, "NOUN+Case=Gen+Number=Plur+VerbForm=Fin");
  EXPECT_EQ(only_word(sentence, {true, true, false}, fine).coarse, "");
  EXPECT_EQ(fine, "");
}

TEST(ParserWords, ShortTagsAreTwoCharactersButForPronouns) {
  std::string fine;
  const auto coarse = [&](const std::string& xpos) {
    const Sentence sentence = sentence_of({{"x", xpos, xpos}});
    return std::string(only_word(sentence, {true, false, true}, fine).coarse);
  };
  EXPECT_EQ(coarse("VBD"), "VB");
  EXPECT_EQ(coarse("PRP"), "PRP");
  EXPECT_EQ(coarse("PRP$"), "PRP$");
  EXPECT_EQ(coarse("."), ".");
  EXPECT_EQ(coarse("IN"), "IN");
}

// What is left without a tagger is the form alone: FEATS and lemmas come from one too.
TEST(ParserWords, WithoutTagsNothingButTheFormIsSeen) {
  Sentence sentence = sentence_of({{"dogs", "NOUN", "NNS", 0, "_", "Number=Plur|Case=Gen"}});
  sentence.set(1, Column::lemma, "dog");
  ParserWords words;
  words.fill(sentence, {true, true, false}, {});
  const ParserWord& word = words.words()[0];
  EXPECT_EQ(word.form, "dogs");
  for (const std::string_view hidden : {word.lemma, word.feats, word.coarse, word.fine}) {
    EXPECT_TRUE(is_missing(hidden)) << hidden;
  }
  words.fill(sentence, {true, true, true}, {});
  EXPECT_EQ(words.words()[0].lemma, "dog");
  EXPECT_EQ(words.words()[0].feats, "Number=Plur|Case=Gen");
}

TEST(ParserWords, AMissingTagStaysMissing) {
  std::string fine;
  const Sentence sentence = sentence_of({{"x", "_", "_", 0, "_", "Number=Plur"}});
  EXPECT_EQ(only_word(sentence, {false, true, true}, fine).coarse, "_");
  EXPECT_EQ(fine, "");
}

TEST(ParserWords, MadeTagsOfManyWordsStayValid) {
  std::vector<dependency_testing::WordLine> lines;
  lines.reserve(200);
  for (int k = 0; k < 200; ++k) {
    lines.push_back({"w", "T" + std::to_string(k), "_", 0, "_", "Number=N" + std::to_string(k)});
  }
  const Sentence sentence = sentence_of(lines);
  ParserWords words;
  for (int twice = 0; twice < 2; ++twice) words.fill(sentence, {false, true, true}, {});
  ASSERT_EQ(words.words().size(), 200U);
  for (std::size_t k = 0; k < 200; ++k) {
    const std::string number = std::to_string(k);
    EXPECT_EQ(words.words()[k].fine, fmt::format("T{0}+Number=N{0}", number));
  }
  // And after a move, as training does with them.
  const ParserWords moved = std::move(words);
  EXPECT_EQ(moved.words()[3].fine, "T3+Number=N3");
}

TEST(LexicalLimit, KeepsTheMostFrequentFormsTiesByBytes) {
  const std::vector<Sentence> sentences = one(sentence_of({{"b"}, {"a"}, {"c"}, {"c"}, {"B"}}));
  const LexicalLimit two = LexicalLimit::most_frequent(sentences, 2);
  EXPECT_EQ(two.words(), (std::vector<std::string>{"B", "c"}));
  EXPECT_TRUE(two.allows("c"));
  EXPECT_FALSE(two.allows("a"));
  EXPECT_FALSE(two.allows("unseen"));
  EXPECT_TRUE(two.is_limited());
  EXPECT_EQ(LexicalLimit::most_frequent(sentences, 99).words().size(), 4U);
}

TEST(LexicalLimit, WithoutALimitEveryFormIsAllowed) {
  EXPECT_TRUE(LexicalLimit().allows("anything"));
  EXPECT_FALSE(LexicalLimit().is_limited());
  EXPECT_FALSE(LexicalLimit(std::vector<std::string>{}).allows("anything"));
}

TEST(LexicalLimit, WordsBeyondItAreMarked) {
  ParserWords words;
  words.fill(sentence_of({{"a"}, {"b"}}), {}, LexicalLimit({"b"}));
  EXPECT_FALSE(words.words()[0].lexical);
  EXPECT_TRUE(words.words()[1].lexical);
}

}  // namespace
}  // namespace copse
