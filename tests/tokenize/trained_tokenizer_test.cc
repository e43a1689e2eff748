#include "copse/tokenize/trained_tokenizer.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "copse/base/error.h"
#include "copse/tokenize/model_sections.h"
#include "copse/tokenize/other_dress.h"
#include "tests/model/edited_model.h"
#include "tests/tokenize/tokenize_testing.h"

namespace copse {
namespace {

using testing::fixture;
using testing::fixture_tokenizer;
using testing::show;

TrainedTokenizer learn(const std::string& file, int epochs = 10) {
  const auto entries = read_treebank(file);
  TokenizerTrainingOptions options;
  options.epochs = epochs;
  const ModelWriter model = train_tokenizer(entries, entries, options, {}, {});
  return TrainedTokenizer::from(ModelFile::from_bytes(model.bytes(), "test"));
}

TEST(TrainedTokenizer, LearnsTheFixture) {
  const auto paragraphs = gold_paragraphs(read_treebank(fixture("english.conllu")));
  SegmentationScore score;
  Tokenizer::Scratch scratch;
  Segmentation found;
  for (const GoldText& paragraph : paragraphs) {
    fixture_tokenizer().segment(paragraph.text, scratch, found);
    score.add(paragraph.gold, found);
  }
  EXPECT_GT(score.tokens.f1(), 99);
  EXPECT_GT(score.sentences.f1(), 90);
}

TEST(TrainedTokenizer, TellsSentencesOfNewText) {
  EXPECT_EQ(show(fixture_tokenizer(), "The baker left. Nora opened the library."),
            "The baker left . / Nora opened the library .");
}

TEST(TrainedTokenizer, CutsTextWithoutBlanks) {
  const auto entries = read_treebank(fixture("japanese.conllu"));
  const TrainedTokenizer tokenizer = learn(fixture("japanese.conllu"), 20);
  SegmentationScore score;
  Tokenizer::Scratch scratch;
  Segmentation found;
  for (const GoldText& paragraph : gold_paragraphs(entries)) {
    tokenizer.segment(paragraph.text, scratch, found);
    score.add(paragraph.gold, found);
  }
  EXPECT_GT(score.tokens.f1(), 95);  // five sentences it has seen
  const std::string text = "庭に本がある。";
  tokenizer.segment(text, scratch, found);
  EXPECT_GE(found.tokens.size(), 4U);
}

TEST(TrainedTokenizer, KeepsTokensWithBlanksWhole) {
  const std::string rows =
      "# text = vis a vis Ben, ok\n"
      "1\tvis a vis\t_\t_\t_\t_\t_\t_\t_\t_\n2\tBen\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
      "3\t,\t_\t_\t_\t_\t_\t_\t_\t_\n4\tok\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
  const auto entries = testing::parse_conllu(rows);
  const ModelWriter model = train_tokenizer(entries, entries, {}, {}, {});
  const auto tokenizer = TrainedTokenizer::from(ModelFile::from_bytes(model.bytes(), "test"));
  const std::string text = "so vis  a vis ok";
  Tokenizer::Scratch scratch;
  Segmentation found;
  tokenizer.segment(text, scratch, found);
  EXPECT_EQ(testing::token_texts(text, found),
            (std::vector<std::string>{"so", "vis  a vis", "ok"}));
}

TEST(TrainedTokenizer, EmojiAreNotGluedToWordsOrMarks) {
  EXPECT_EQ(show(fixture_tokenizer(), "ok\U0001F469\u200D\U0001F467."),
            "ok \U0001F469\u200D\U0001F467 .");
}

TEST(TrainedTokenizer, AnyBytesAreCovered) {
  Random random(23);
  Tokenizer::Scratch scratch;
  Segmentation found;
  for (int round = 0; round < 500; ++round) {
    SCOPED_TRACE(round);
    const std::string text = testing::awkward_text(random, random.between(0, 60));
    fixture_tokenizer().segment(text, scratch, found);
    testing::ExpectSoundSegmentation(text, found);
  }
}

TEST(TrainedTokenizer, LongTextWithoutBlanksTakesNoTimeToSpeakOf) {
  Tokenizer::Scratch scratch;
  Segmentation found;
  for (const char* piece : {"a", ".", "-a", "\u0301", "\U0001F600"}) {
    std::string text;
    while (text.size() < 300'000) text += piece;
    fixture_tokenizer().segment(text, scratch, found);
    testing::ExpectSoundSegmentation(text, found);
  }
}

TEST(TokenizerTraining, SameSeedSameBytes) {
  const auto entries = read_treebank(fixture("english.conllu"));
  TokenizerTrainingOptions options;
  options.epochs = 3;
  const std::string first = train_tokenizer(entries, entries, options, {}, {}).bytes();
  EXPECT_EQ(first, train_tokenizer(entries, entries, options, {}, {}).bytes());
  options.seed = 2;
  EXPECT_NE(first, train_tokenizer(entries, entries, options, {}, {}).bytes());
}

TEST(TokenizerTraining, TheBestEpochIsKeptAndItsFiguresAreInTheModel) {
  const auto entries = read_treebank(fixture("english.conllu"));
  std::vector<TokenizerEpoch> epochs;
  TokenizerTrainingOptions options;
  options.epochs = 4;
  const ModelWriter writer = train_tokenizer(
      entries, entries, options, {}, [&](const TokenizerEpoch& epoch) { epochs.push_back(epoch); });
  ASSERT_EQ(epochs.size(), 4U);
  double best = 0;
  for (const TokenizerEpoch& epoch : epochs) {
    EXPECT_EQ(epoch.best, epoch.dev_tokens + epoch.dev_sentences > best);
    best = std::max(best, epoch.dev_tokens + epoch.dev_sentences);
  }
  const ModelFile model = ModelFile::from_bytes(writer.bytes(), "test");
  const auto& figures = model.config().at("provenance").at("figures");
  EXPECT_DOUBLE_EQ(
      figures.at("dev_tokens_f1").get<double>() + figures.at("dev_sentences_f1").get<double>(),
      best);
}

TEST(TokenizerTraining, RefusesDataItCannotLearnFrom) {
  const auto good = read_treebank(fixture("english.conllu"));
  const auto bare = testing::parse_conllu("1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n");
  EXPECT_THROW(train_tokenizer(bare, good, {}, {}, {}), Error);
  EXPECT_THROW(train_tokenizer({}, good, {}, {}, {}), Error);
  EXPECT_THROW(train_tokenizer(good, {}, {}, {}, {}), Error);
  TokenizerTrainingOptions options;
  options.templates = "x = nonsense";
  EXPECT_THROW(train_tokenizer(good, good, options, {}, {}), Error);
}

TEST(TrainedTokenizer, RefusesModelsOfAnotherKindAndDamagedTables) {
  const ModelWriter other("tagger", nlohmann::json::object());
  EXPECT_THROW(TrainedTokenizer::from(ModelFile::from_bytes(other.bytes(), "test")), Error);

  // Whole file, sound checksums, one section not what it should be.
  for (const std::string_view broken :
       {sections::kTemplates, sections::kBoundaries, sections::kLowerWords, sections::kWeights,
        sections::kMultiwords}) {
    SCOPED_TRACE(broken);
    const auto entries = read_treebank(fixture("english.conllu"));
    TokenizerTrainingOptions options;
    options.epochs = 1;
    const ModelFile good =
        ModelFile::from_bytes(train_tokenizer(entries, entries, options, {}, {}).bytes(), "test");
    ModelWriter writer(kTokenizerKind, nlohmann::json::object());
    for (const ModelFile::Section& section : good.sections()) {
      if (section.name == "config") continue;
      const auto* data = reinterpret_cast<const char*>(section.bytes.data());
      writer.add(section.name, section.name == broken ? std::string("\x01\x02\x03\x04", 4)
                                                      : std::string(data, section.bytes.size()));
    }
    EXPECT_THROW(TrainedTokenizer::from(ModelFile::from_bytes(writer.bytes(), "test")), Error);
  }
}

TEST(TrainedTokenizer, RefusesASetOfWordsWithFewFreeSlots) {
  const auto entries = read_treebank(fixture("english.conllu"));
  TokenizerTrainingOptions options;
  options.epochs = 1;
  const std::string good = train_tokenizer(entries, entries, options, {}, {}).bytes();
  const auto failure = [&](std::size_t taken, std::size_t free) {
    std::string slots(taken * 4, '\x01');
    slots.resize((taken + free) * 4, '\0');
    try {
      TrainedTokenizer::from(ModelFile::from_bytes(
          model_testing::with_section(good, std::string(sections::kLowerWords), slots), "test"));
    } catch (const Error& error) {
      return error.message();
    }
    return std::string();
  };
  EXPECT_EQ(failure(1000, 1001), "");
  EXPECT_EQ(failure(1000, 1), "a set of words has too few free slots");
  EXPECT_EQ(failure(2000, 4000), "a set of words has too few free slots");
}

TEST(OtherDress, TokensStayTheSame) {
  const auto paragraphs = gold_paragraphs(read_treebank(fixture("german.conllu")));
  Random random(1);
  for (std::size_t i = 0; i < paragraphs.size(); ++i) {
    const GoldText lower = in_lower_case(paragraphs[i]);
    testing::ExpectSoundSegmentation(lower.text, lower.gold);
    EXPECT_EQ(lower.text, lower_utf8(paragraphs[i].text));
    EXPECT_EQ(lower.gold.tokens.size(), paragraphs[i].gold.tokens.size());
    const GoldText folded = wrapped(paragraphs[i], 20);
    EXPECT_EQ(folded.gold, paragraphs[i].gold);
    EXPECT_EQ(folded.text.size(), paragraphs[i].text.size());
    const GoldText both = run_together(paragraphs[i], paragraphs[0], "\n");
    testing::ExpectSoundSegmentation(both.text, both.gold);
    EXPECT_EQ(both.gold.sentence_ends.size(),
              paragraphs[i].gold.sentence_ends.size() + paragraphs[0].gold.sentence_ends.size());
    const GoldText any = in_other_dress(paragraphs, i, ".,", random);
    testing::ExpectSoundSegmentation(any.text, any.gold);
    const GoldText numbers = with_other_numbers(paragraphs[i], ".,", random);
    testing::ExpectSoundSegmentation(numbers.text, numbers.gold);
    EXPECT_EQ(numbers.gold.tokens.size(), paragraphs[i].gold.tokens.size());
    EXPECT_EQ(numbers.gold.sentence_ends, paragraphs[i].gold.sentence_ends);
  }
}

TEST(OtherDress, MarksInsideOfNumbersAreThoseThatAreNotCut) {
  // "3.5", "4:0" and "7-8" are whole, "1/2" and "7-8" are cut; commas are not there.
  const GoldText text{
      "3.5 4:0 1/2 7-8 7-8",
      {{{0, 3}, {4, 7}, {8, 9}, {9, 10}, {10, 11}, {12, 15}, {16, 17}, {17, 18}, {18, 19}}, {9}}};
  EXPECT_EQ(number_marks(std::vector{text}), ".,:");
  EXPECT_EQ(number_marks({}), ".,:/");  // a hyphen needs to be seen
}

TEST(OtherDress, NumbersBecomeOtherNumbers) {
  const GoldText text{"In 12 days.", {{{0, 2}, {3, 5}, {6, 10}, {10, 11}}, {4}}};
  Random random(1);
  bool marked = false;
  for (int round = 0; round < 50; ++round) {
    const GoldText other = with_other_numbers(text, ".", random);
    ASSERT_EQ(other.gold.tokens.size(), 4U);
    const Token number = other.gold.tokens[1];
    const std::string form = other.text.substr(number.begin, number.end - number.begin);
    EXPECT_EQ(other.text, "In " + form + " days.");
    EXPECT_EQ(form.find_first_not_of("0123456789."), std::string::npos);
    marked = marked || form.find('.') != std::string::npos;
  }
  EXPECT_TRUE(marked);
}

// The training data have whole numbers only.
TEST(TrainedTokenizer, DatesAndNumbersThatTrainingLacksAreWhole) {
  std::vector<Entry> entries;
  for (int i = 0; i < 40; ++i) {
    const std::string number = std::to_string(1000 + 37 * i);
    Sentence sentence;
    for (const std::string& form :
         {std::string("In"), number, std::string("it"), std::string("ended"), std::string(".")}) {
      sentence.add_word(form);
    }
    sentence.set(4, Column::misc, "SpaceAfter=No");
    entries.push_back({std::move(sentence), {}});
  }
  const ModelWriter model = train_tokenizer(entries, entries, {}, {}, {});
  const auto tokenizer = TrainedTokenizer::from(ModelFile::from_bytes(model.bytes(), "test"));
  EXPECT_EQ(show(tokenizer, "In 1999.07.01 it ended."), "In 1999.07.01 it ended .");
  EXPECT_EQ(show(tokenizer, "In 185,25 it ended."), "In 185,25 it ended .");
  EXPECT_EQ(show(tokenizer, "In 1234 it ended."), "In 1234 it ended .");
}

}  // namespace
}  // namespace copse
