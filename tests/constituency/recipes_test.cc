// Parsers behind PhraseParser, and the recipes that make them and their lists.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "copse/constituency/generative/parser_file.h"
#include "copse/constituency/generative/root_model.h"
#include "copse/constituency/generative/sentence_tagger.h"
#include "copse/constituency/phrase_training.h"
#include "copse/constituency/unseen_lists.h"
#include "copse/treebank/treebank.h"
#include "tests/constituency/constituency_testing.h"
#include "tests/repeats.h"
#include "tests/thread_group.h"

namespace copse {
namespace {

std::vector<Entry> fixture_entries() {
  return read_treebank(source_dir() + "/fixtures/english.mrg");
}

TEST(PhraseTraining, AModelReadBackAnswersLikeTheOneTrained) {
  const std::vector<Entry> entries = fixture_entries();
  const TreeData data{entries, {"train", "english.mrg", "0", 1, 1}};
  PhraseTraining recipe;
  recipe.threads = 1;
  const TrainedPhraseParser trained = train_phrase_parser(data, &data, recipe);
  ASSERT_TRUE(trained.dev.has_value());
  EXPECT_EQ(trained.record["provenance"]["figures"]["f1"], trained.dev->totals.f1());
  const std::string bytes = trained.file().bytes();
  const auto loaded = load_phrase_parser(ModelFile::from_bytes(bytes, "test"));
  EXPECT_EQ(loaded->model(), "generative");
  EXPECT_TRUE(loaded->has_probabilities());
  EXPECT_EQ(loaded->file(trained.record).bytes(), bytes);
  const WordsToParse sentence{{"The", "old", "man", "opens", "the", "window", "."}};
  const PhraseAnswer here = trained.parser->parse(sentence, {.k = 5, .brackets = true});
  const PhraseAnswer there = loaded->parse(sentence, {.k = 5, .brackets = true});
  ASSERT_EQ(here.trees.size(), there.trees.size());
  EXPECT_FALSE(here.brackets.empty());
  for (std::size_t i = 0; i < here.trees.size(); ++i) {
    EXPECT_EQ(here.trees[i].tree.str(), there.trees[i].tree.str());
    EXPECT_EQ(here.trees[i].log_probability, there.trees[i].log_probability);
  }
}

TEST(PhraseTraining, RefusesWhatItDoesNotKnow) {
  PhraseTraining recipe;
  recipe.model = "oracle";
  EXPECT_THROW(train_phrase_parser({{}, {}}, nullptr, recipe), Error);
  EXPECT_THROW(train_phrase_parser({{}, {}}, nullptr, PhraseTraining{}), Error);
  const ModelWriter other(kConstituencyKind, {{"model", "oracle"}});
  EXPECT_THROW(load_phrase_parser(ModelFile::from_bytes(other.bytes(), "test")), Error);
  const ModelWriter nothing(kConstituencyKind, nlohmann::json::object());
  EXPECT_THROW(load_phrase_parser(ModelFile::from_bytes(nothing.bytes(), "test")), Error);
}

TEST(UnseenLists, EveryPartIsParsedByAParserOfTheOthers) {
  std::vector<Entry> entries = fixture_entries();
  entries.resize(static_cast<std::size_t>(repeats(static_cast<int>(entries.size()), 60)));
  UnseenLists recipe;
  recipe.folds = 3;
  recipe.question.k = 2;
  recipe.training.threads = 1;
  recipe.training.generative.model.tagger.epochs = 1;
  std::vector<std::string> ids, trees;
  unseen_lists(entries, recipe, [&](NBestList&& list, bool, const Entry&) {
    ids.push_back(list.id);
    trees.push_back(list.parses.front().tree.str());
  });
  ASSERT_EQ(ids.size(), entries.size());
  for (std::size_t i = 0; i < ids.size(); ++i) EXPECT_EQ(ids[i], std::to_string(i + 1));
  // The second part by hand.
  const std::span<const Entry> all(entries);
  const std::size_t begin = entries.size() / 3, end = entries.size() * 2 / 3;
  const std::array<std::span<const Entry>, 2> others{all.first(begin), all.subspan(end)};
  const auto parser = train_phrase_parser(others, recipe.training);
  for (std::size_t i = begin; i < end; ++i) {
    const PhraseAnswer found =
        parser->parse(words_to_parse(entries[i], false, *parser), recipe.question);
    EXPECT_EQ(found.trees.front().tree.str(), trees[i]);
  }
  recipe.folds = static_cast<int>(entries.size()) + 1;
  EXPECT_THROW(unseen_lists(entries, recipe, {}), Error);
}

TEST(UnseenLists, ProcessesShareTheParts) {
  std::vector<Entry> entries = fixture_entries();
  entries.resize(20);
  UnseenLists recipe;
  recipe.folds = 3;
  recipe.question.k = 3;
  recipe.training.threads = 1;
  recipe.training.generative.model.tagger.epochs = 1;
  const auto writing = [](std::string& out) {
    return [&out](NBestList&& list, bool fallback, const Entry& entry) {
      append_n_best(list, NBestForm::text, out);
      out += fallback ? "fallback " : "parsed ";
      out += entry.tree.str() + "\n";
    };
  };
  std::string expected;
  unseen_lists(entries, recipe, writing(expected));
  with_members(2, [&](Group& group) {
    UnseenLists own = recipe;
    own.group = &group;
    std::string found;
    unseen_lists(entries, own, writing(found));
    EXPECT_EQ(found, group.leads() ? expected : "");
  });
}

TEST(RootModel, TellsHeadingsFromClausesByTheirEnd) {
  std::string text;
  for (int i = 0; i < 5; ++i) {
    text += "(S (NP (NNS dogs)) (VP (VBP sleep)) (. .))\n(HEADING (NP (NNS dogs)))\n";
  }
  const auto trees = generative::constituency_testing::prepared_trees(text);
  const generative::LabelSet labels = generative::LabelSet::of(trees);
  const generative::RootModel roots(trees, labels);
  const auto at = [&](const char* name) {
    return static_cast<std::size_t>(labels.phrase_index(labels.phrase(name)));
  };
  const auto clause = roots.bonus({"cats", "run", "."}, labels.phrases());
  const auto heading = roots.bonus({"dogs"}, labels.phrases());
  EXPECT_GT(clause[at("S")], 0.3);  // log P(S | sentence) - log P(S)
  EXPECT_LT(clause[at("HEADING")], -0.3);
  EXPECT_GT(heading[at("HEADING")], 0.3);
  EXPECT_EQ(heading[at("NP")], 0);  // never a root
  double sum = 0;
  for (const char* name : {"S", "HEADING"}) sum += 0.5 * std::exp(clause[at(name)]);
  EXPECT_NEAR(sum, 1, 1e-9);
}

TEST(RootModel, NamesItsFeatures) {
  EXPECT_EQ(generative::root_features({"The", "dog", "."}),
            (std::vector<std::string>{"bias", "first=The", "last=.", "length=3", "penult=dog",
                                      "two=The dog", "w=.", "w=dog", "w=the"}));
  EXPECT_EQ(generative::root_features({}), std::vector<std::string>{"bias"});
}

TEST(SentenceTagger, WeighsCandidatesByTheSentence) {
  std::string text;
  for (int i = 0; i < 12; ++i) {
    text += "(S (NP (DT the) (NN saw)) (VP (VBZ rusts)))\n(S (NP (PRP we)) (VP (VBD saw)))\n";
  }
  const auto trees = generative::constituency_testing::prepared_trees(text);
  const generative::LabelSet labels = generative::LabelSet::of(trees);
  const generative::Lexicon lexicon(trees, labels, {});
  generative::SentenceTaggerOptions options;
  const generative::SentenceTagger tagger(trees, labels, options);
  const std::vector<std::string> words{"we", "saw"};
  std::vector<generative::WordReading> readings;
  for (const std::string& word : words) readings.push_back(lexicon.read(word, false));
  const auto before = readings;
  ASSERT_EQ(before[1].tags.size(), 2U);
  TagScratch scratch;
  std::vector<generative::LabelId> best;
  tagger.weigh(words, {0, 1}, readings, best, scratch);
  EXPECT_EQ(best.size(), words.size());
  ASSERT_FALSE(readings[1].tags.empty());
  for (const auto& candidate : readings[1].tags) {
    if (candidate.tag == labels.tag("VBD")) {
      EXPECT_GT(candidate.log_spelling, before[1].tags[0].log_spelling);
    } else {
      EXPECT_LT(candidate.log_spelling, before[1].tags[0].log_spelling);
    }
  }
}

}  // namespace
}  // namespace copse
