#include "copse/tag/tagger.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stop_token>

#include "copse/base/error.h"
#include "copse/tag/tagger_training.h"
#include "copse/treebank/treebank.h"
#include "tests/model/edited_model.h"
#include "tests/source_dir.h"
#include "tests/thread_group.h"

namespace copse {
namespace {

std::vector<Sentence> fixture(const std::string& name) {
  std::vector<Sentence> sentences;
  for (Entry& entry : read_treebank(source_dir() + "/fixtures/" + name)) {
    sentences.push_back(std::move(entry.sentence));
  }
  return sentences;
}

TaggerTrainingOptions small_options() {
  TaggerTrainingOptions options;
  options.sequence.epochs = 3;
  options.sequence.dictionary = {3, 2};
  return options;
}

std::string bytes_of(const Tagger& tagger) {
  ModelWriter writer(Tagger::kKind, tagger.config());
  tagger.save(writer);
  return writer.bytes();
}

TaggerTrainingOptions together() {
  TaggerTrainingOptions options = small_options();
  options.together = true;
  return options;
}

TEST(Tagger, LearnsTheColumnsTogether) {
  const auto sentences = fixture("english.conllu");
  const Tagger tagger = train_tagger(sentences, {}, together()).tagger;
  ASSERT_EQ(tagger.parts().size(), 1U);
  EXPECT_EQ(tagger.parts()[0].columns,
            (std::vector<Column>{Column::upos, Column::xpos, Column::feats}));
  EXPECT_GT(tagger.parts()[0].tagger.model().traits.count(), 0U);
  EXPECT_TRUE(tagger.lemmas());
  const auto figures = tagger_figures(tagger, sentences, 1);
  for (const char* column : {"upos", "xpos", "feats", "lemma"}) {
    EXPECT_GT(figures.at(column).get<double>(), 95.0) << column;
  }
}

TEST(Tagger, LearnsTheColumnsThatAreThere) {
  const auto sentences = fixture("english.conllu");
  const Tagger tagger = train_tagger(sentences, {}, small_options()).tagger;
  ASSERT_EQ(tagger.parts().size(), 2U);
  EXPECT_EQ(tagger.parts()[0].columns, (std::vector<Column>{Column::upos, Column::feats}));
  EXPECT_EQ(tagger.parts()[1].columns, std::vector<Column>{Column::xpos});
  EXPECT_EQ(tagger.parts()[0].tagger.model().traits.count(), 0U);
  const auto figures = tagger_figures(tagger, sentences, 1);
  for (const char* column : {"upos", "xpos", "feats", "lemma"}) {
    EXPECT_GT(figures.at(column).get<double>(), 95.0) << column;
  }
}

TEST(Tagger, LearnsOnlyWhatIsAskedFor) {
  auto options = small_options();
  options.columns = {Column::upos, Column::xpos};
  const Tagger tagger = train_tagger(fixture("english.conllu"), {}, options).tagger;
  ASSERT_EQ(tagger.parts().size(), 1U);
  EXPECT_EQ(tagger.parts()[0].columns, (std::vector<Column>{Column::upos, Column::xpos}));
  EXPECT_FALSE(tagger.lemmas());
}

TEST(Tagger, SaysWhatIsMissing) {
  std::vector<Sentence> bare(3);
  for (Sentence& sentence : bare) sentence.add_word("word");
  EXPECT_THROW(train_tagger(bare, {}, small_options()), Error);
  EXPECT_THROW(train_tagger({}, {}, small_options()), Error);
  EXPECT_THROW(
      train_tagger(std::vector<Sentence>{fixture("english.conllu")[0]}, {}, small_options()),
      Error);
}

TEST(Tagger, AModelFileHoldsAllOfIt) {
  const auto sentences = fixture("english.conllu");
  const Tagger before = train_tagger(sentences, {}, together()).tagger;
  const std::string bytes = bytes_of(before);
  const Tagger after = Tagger::load(ModelFile::from_bytes(bytes, "test"));
  TagScratch scratch;
  for (const Sentence& sentence : sentences) {
    Sentence one = sentence;
    Sentence two = sentence;
    before.tag(one, scratch);
    after.tag(two, scratch);
    EXPECT_EQ(to_string({one, {}}, Format::conllu), to_string({two, {}}, Format::conllu));
  }
  EXPECT_EQ(bytes_of(after), bytes);
}

TEST(Tagger, DoesNotDependOnThreads) {
  const auto sentences = fixture("english.conllu");
  auto options = small_options();
  const std::string one = bytes_of(train_tagger(sentences, sentences, options).tagger);
  options.threads = 3;
  EXPECT_EQ(bytes_of(train_tagger(sentences, sentences, options).tagger), one);
}

TEST(Tagger, OnlyTriplesOfTagsThatTrainingHad) {
  const auto sentences = fixture("german.conllu");
  const Tagger tagger = train_tagger(sentences, {}, together()).tagger;
  std::set<std::string> seen;
  const std::vector<Column> all = {Column::upos, Column::xpos, Column::feats};
  for (const Sentence& sentence : sentences) {
    for (int word = 1; word <= sentence.words(); ++word) {
      seen.insert(joint_label(sentence, word, all));
    }
  }
  TagScratch scratch;
  for (Sentence& sentence : fixture("russian.conllu")) {
    tagger.tag(sentence, scratch);
    for (int word = 1; word <= sentence.words(); ++word) {
      EXPECT_TRUE(seen.contains(joint_label(sentence, word, all)));
    }
  }
}

TEST(Tagger, KeepsWhatIsThereAndNamesWhatItCannotKeep) {
  const auto sentences = fixture("english.conllu");
  const Tagger tagger = train_tagger(sentences, {}, together()).tagger;
  TagScratch scratch;
  Sentence sentence = sentences[0];
  for (int word = 1; word <= sentence.words(); ++word) {
    sentence.set(word, Column::upos, word == 1 ? "VERB" : "_");
    sentence.set(word, Column::feats, "_");
    sentence.set(word, Column::xpos, "_");
  }
  tagger.tag(sentence, scratch, {true, false});
  EXPECT_EQ(sentence.upos(1), "VERB");
  // Tags that training had, but never together, are kept as well.
  sentence.set(1, Column::xpos, ".");
  tagger.tag(sentence, scratch, {true, false});
  EXPECT_EQ(sentence.upos(1), "VERB");
  EXPECT_EQ(sentence.xpos(1), ".");
  sentence.set(1, Column::xpos, "NOSUCHTAG");
  try {
    tagger.tag(sentence, scratch, {true, false});
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("NOSUCHTAG"), std::string::npos);
    EXPECT_NE(error.message().find("word 1"), std::string::npos);
  }
}

TEST(Tagger, MarginalsGoToMisc) {
  const auto sentences = fixture("english.conllu");
  const Tagger tagger = train_tagger(sentences, sentences, together()).tagger;
  TagScratch scratch;
  Sentence sentence = sentences[1];
  tagger.tag_with_marginals(sentence, scratch);
  for (int word = 1; word <= sentence.words(); ++word) {
    EXPECT_NE(sentence.misc(word).find("UposProb="), std::string_view::npos);
    EXPECT_NE(sentence.misc(word).find("XposProb="), std::string_view::npos);
    EXPECT_NE(sentence.misc(word).find("FeatsProb="), std::string_view::npos);
  }
}

TEST(Jackknife, TagsEverySentenceWithTaggersThatHaveNotSeenIt) {
  const auto sentences = fixture("english.conllu");
  auto options = small_options();
  options.columns = {Column::upos};
  std::size_t reported = 0;
  const auto tagged =
      jackknife(sentences, 4, options,
                [&](int, std::size_t size, const nlohmann::json&) { reported += size; });
  ASSERT_EQ(tagged.size(), sentences.size());
  EXPECT_EQ(reported, sentences.size());
  long wrong = 0;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    ASSERT_EQ(tagged[i].words(), sentences[i].words());
    for (int word = 1; word <= sentences[i].words(); ++word) {
      EXPECT_EQ(tagged[i].form(word), sentences[i].form(word));
      wrong += tagged[i].upos(word) != sentences[i].upos(word) ? 1 : 0;
    }
  }
  EXPECT_GT(wrong, 0);  // a tagger that had seen them would be right
  options.threads = 3;
  const auto again = jackknife(sentences, 4, options);
  for (std::size_t i = 0; i < tagged.size(); ++i) {
    EXPECT_EQ(to_string({again[i], {}}, Format::conllu),
              to_string({tagged[i], {}}, Format::conllu));
  }
  EXPECT_THROW(jackknife(sentences, 1000000, options), Error);
}

TEST(Jackknife, ProcessesShareTheFolds) {
  auto sentences = fixture("english.conllu");
  sentences.resize(12);
  auto options = small_options();
  options.threads = 1;
  const auto report = [](std::vector<std::string>& lines) {
    return [&lines](int fold, std::size_t size, const nlohmann::json& figures) {
      lines.push_back(std::to_string(fold) + " " + std::to_string(size) + " " + figures.dump());
    };
  };
  std::vector<std::string> expected_lines;
  const auto expected = jackknife(sentences, 4, options, report(expected_lines));
  with_members(3, [&](Group& group) {
    std::vector<std::string> lines;
    const auto found = jackknife(sentences, 4, options, report(lines), &group);
    EXPECT_EQ(lines, expected_lines);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(to_string({found[i], {}}, Format::conllu),
                to_string({expected[i], {}}, Format::conllu));
    }
  });
}

TEST(Tagger, LearnsEntities) {
  std::vector<Sentence> sentences;
  for (Entry& entry : read_treebank(source_dir() + "/fixtures/entities.iob", Format::columns)) {
    sentences.push_back(std::move(entry.sentence));
  }
  auto options = small_options();
  options.entities = true;
  options.sequence.table = tag_feature_table("entities");
  const Tagger tagger = train_tagger(sentences, {}, options).tagger;
  EXPECT_GT(tagger_figures(tagger, sentences, 1).at("f1").get<double>(), 90.0);
}

TEST(Tagger, StopsWhenItIsToldToAndLeavesTheSentence) {
  const auto sentences = fixture("english.conllu");
  const Tagger tagger = train_tagger(sentences, {}, small_options()).tagger;
  std::stop_source source;
  TagScratch scratch;
  TagOptions options;
  options.stop = Stop(source.get_token());
  Sentence sentence;
  sentence.add_word("cat");
  tagger.tag(sentence, scratch, options);
  EXPECT_NE(sentence.upos(1), "_");
  source.request_stop();
  Sentence other;
  other.add_word("cat");
  EXPECT_THROW(tagger.tag(other, scratch, options), Stopped);
  EXPECT_EQ(other.upos(1), "_");
}

TEST(Tagger, DamageInATableNamesTheFile) {
  const std::string model =
      bytes_of(train_tagger(fixture("english.conllu"), {}, small_options()).tagger);
  std::size_t tables = 0;
  const ModelFile file = ModelFile::from_bytes(model, "m.copse");
  for (const auto& section : file.sections()) {
    const std::string name(section.name);
    if (!name.ends_with("weights") && !name.ends_with("dictionary")) continue;
    ++tables;
    const std::string damaged = model_testing::with_section(model, name, "cut");
    try {
      Tagger::load(ModelFile::from_bytes(damaged, "m.copse"));
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.place().file, "m.copse") << name << ": " << error.what();
    }
  }
  EXPECT_GE(tables, 4U);
}

}  // namespace
}  // namespace copse
