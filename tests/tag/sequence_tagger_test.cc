#include "copse/tag/sequence_tagger.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <cmath>
#include <set>

#include "copse/base/error.h"
#include "copse/tag/maxent_tagger.h"
#include "copse/tag/perceptron_tagger.h"
#include "copse/treebank/treebank.h"
#include "tests/source_dir.h"

namespace copse {
namespace {

std::vector<TagExample> fixture(bool upos = true) {
  std::vector<TagExample> examples;
  for (const Entry& entry : read_treebank(source_dir() + "/fixtures/english.conllu")) {
    TagExample& example = examples.emplace_back();
    for (int word = 1; word <= entry.sentence.words(); ++word) {
      example.words.emplace_back(entry.sentence.form(word));
      example.labels.emplace_back(upos ? entry.sentence.upos(word) : entry.sentence.xpos(word));
    }
  }
  return examples;
}

PerceptronTaggerOptions small_options() {
  PerceptronTaggerOptions options;
  options.epochs = 5;
  options.dictionary = {3, 2};
  return options;
}

std::vector<std::string_view> views(const std::vector<std::string>& strings) {
  return {strings.begin(), strings.end()};
}

TEST(PerceptronTagger, LearnsItsTrainingData) {
  const auto examples = fixture();
  const auto trained = train_perceptron_tagger(examples, small_options());
  EXPECT_GT(tag_accuracy(trained.tagger, examples), 99.0);
}

TEST(PerceptronTagger, ChoosesTheEpochThatMeasuresBest) {
  int calls = 0;
  const auto trained = train_perceptron_tagger(
      fixture(), small_options(), [&](const SequenceTagger&) { return ++calls == 3 ? 2.0 : 1.0; });
  EXPECT_EQ(calls, 5);
  EXPECT_EQ(trained.best_epoch, 3);
  EXPECT_EQ(trained.dev_score, 2.0);
}

TEST(PerceptronTagger, SameSeedSameModel) {
  const auto examples = fixture();
  const auto save = [&] {
    ModelWriter writer("test", nlohmann::json::object());
    train_perceptron_tagger(examples, small_options()).tagger.save(writer, "x/");
    return writer.bytes();
  };
  EXPECT_EQ(save(), save());
}

TEST(PerceptronTagger, RefusesDataItCannotLearnFrom) {
  EXPECT_THROW(train_perceptron_tagger({}, small_options()), Error);
  EXPECT_THROW(train_perceptron_tagger({{{"a", "b"}, {"X", "X"}}}, small_options()), Error);
}

TEST(SequenceTagger, AModelFileHoldsAllOfIt) {
  const auto examples = fixture();
  auto trained = train_perceptron_tagger(examples, small_options());
  trained.tagger.set_sharpness(0.25);
  trained.tagger.set_search({7});
  ModelWriter writer("test", nlohmann::json::object());
  trained.tagger.save(writer, "x/");
  const ModelFile file = ModelFile::from_bytes(writer.bytes(), "test");
  const SequenceTagger loaded = SequenceTagger::load(file, "x/");
  EXPECT_EQ(loaded.sharpness(), 0.25);
  EXPECT_EQ(loaded.search().beam, 7);
  EXPECT_EQ(loaded.scores(), TagScores::margins);
  EXPECT_EQ(loaded.model().candidates.reach, trained.tagger.model().candidates.reach);
  TagScratch scratch;
  for (const TagExample& example : examples) {
    const auto words = views(example.words);
    EXPECT_EQ(loaded.tag({words}, scratch), trained.tagger.tag({words}, scratch));
  }
}

TEST(SequenceTagger, TablesOfTagPairsGiveTheScoresOfTheirRows) {
  // Set A has 12 labels here, few enough for tables; the same weights by rows only.
  auto options = small_options();
  options.table = tag_feature_table("a");
  const auto examples = fixture();
  const auto trained = train_perceptron_tagger(examples, options);
  const SequenceTagger& tagger = trained.tagger;
  const TagPairRows<FrozenWeights> rows(tagger.model(),
                                        [&](FeatureKey key) { return tagger.weights().find(key); });
  ASSERT_FALSE(rows.has_table(false));
  TagScratch with_tables;
  TagScratch with_rows;
  for (const TagExample& example : examples) {
    const auto words = views(example.words);
    tagger.fill_lattice({words}, with_tables);
    with_rows = with_tables;
    const TagScorer<FrozenWeights> scorer(tagger.model(), tagger.weights(), rows);
    scorer.fill_lattice(with_rows.sentence, with_rows);
    for (int i = 0; i < with_rows.lattice.size(); ++i) {
      const auto a = with_tables.lattice.triple(i);
      const auto b = with_rows.lattice.triple(i);
      for (std::size_t k = 0; k < a.size(); ++k) ASSERT_NEAR(a[k], b[k], 1e-3);
    }
  }
}

TEST(SequenceTagger, AWideBeamIsExactAndANarrowOneIsNot) {
  auto options = small_options();
  options.epochs = 2;
  const auto examples = fixture(false);
  auto trained = train_perceptron_tagger(examples, options);
  TagScratch scratch;
  double exact_score = 0;
  double greedy_score = 0;
  for (const TagExample& example : examples) {
    const auto words = views(example.words);
    trained.tagger.set_search({0});
    const auto exact = trained.tagger.tag({words}, scratch);
    trained.tagger.set_search({10000});
    EXPECT_EQ(trained.tagger.tag({words}, scratch), exact);
    trained.tagger.set_search({1});
    const auto greedy = trained.tagger.tag({words}, scratch);
    trained.tagger.fill_lattice({words}, scratch);
    const auto score = [&](const std::vector<Label>& labels) {
      TagSequence sequence;
      for (std::size_t i = 0; i < labels.size(); ++i) {
        const auto candidates = scratch.candidates_of(static_cast<int>(i));
        sequence.push_back(
            static_cast<int>(std::ranges::find(candidates, labels[i]) - candidates.begin()));
      }
      return scratch.lattice.score(sequence);
    };
    EXPECT_GE(score(exact) + 1e-3, score(greedy));
    exact_score += score(exact);
    greedy_score += score(greedy);
  }
  EXPECT_GT(exact_score, greedy_score);
}

TEST(SequenceTagger, KeptLabelsAreKept) {
  const auto examples = fixture();
  const auto trained = train_perceptron_tagger(examples, small_options());
  const std::vector<std::string_view> words = {"The", "dog", "barks", "."};
  TagScratch scratch;
  const auto& labels = trained.tagger.model().labels;
  for (std::size_t label = 0; label < labels.size(); ++label) {
    std::vector<std::vector<Label>> kept(4);
    kept[1] = {static_cast<Label>(label)};
    EXPECT_EQ(trained.tagger.tag({words, {}, kept}, scratch)[1], label);
  }
}

TEST(SequenceTagger, MarginalsSumToOneAndFollowTheBest) {
  const auto examples = fixture();
  auto trained = train_perceptron_tagger(examples, small_options());
  trained.tagger.set_sharpness(fit_sharpness(trained.tagger, examples));
  EXPECT_GT(trained.tagger.sharpness(), 0);
  TagScratch scratch;
  for (const TagExample& example : examples) {
    const auto words = views(example.words);
    for (const auto& word : trained.tagger.marginals({words}, scratch)) {
      double sum = 0;
      for (const auto& entry : word) sum += entry.probability;
      EXPECT_NEAR(sum, 1, 1e-6);
      EXPECT_GE(word.front().probability, word.back().probability);
    }
  }
}

TEST(MaxentTagger, LogProbabilitiesOfAllSequencesSumToOne) {
  const auto examples = fixture();
  MaxentTaggerOptions options;
  options.model = small_options();
  options.model.candidates = {3, 0, 0};
  options.min_count = 2;
  options.lbfgs.max_iterations = 20;
  const auto trained = train_maxent_tagger(examples, options);
  EXPECT_EQ(trained.tagger.scores(), TagScores::conditional);
  const std::vector<std::string_view> words = {"A", "wug", "sang", "."};
  TagScratch scratch;
  const auto list = trained.tagger.k_best_with_probabilities({words}, 100000, scratch);
  double sum = 0;
  std::set<std::vector<Label>> different;
  for (const auto& sequence : list) {
    sum += std::exp(sequence.score);
    different.insert(sequence.item);
  }
  EXPECT_EQ(different.size(), list.size());
  EXPECT_NEAR(sum, 1, 1e-5);
  EXPECT_GT(tag_accuracy(trained.tagger, examples), 95.0);
}

TEST(MaxentTagger, DoesNotDependOnThreads) {
  const auto examples = fixture();
  const auto bytes = [&](int threads) {
    MaxentTaggerOptions options;
    options.model = small_options();
    options.lbfgs.max_iterations = 10;
    options.lbfgs.threads = threads;
    ModelWriter writer("test", nlohmann::json::object());
    train_maxent_tagger(examples, options).tagger.save(writer, "x/");
    return writer.bytes();
  };
  EXPECT_EQ(bytes(1), bytes(3));
}

TEST(SequenceTagger, AnyWordsGetLabels) {
  const auto trained = train_perceptron_tagger(fixture(), small_options());
  TagScratch scratch;
  const std::string long_word(5000, 'x');
  const std::vector<std::string_view> odd = {"", "\xC3", "a b", long_word, "\xF0\x9F\x98\x80"};
  EXPECT_EQ(trained.tagger.tag({odd}, scratch).size(), odd.size());
  EXPECT_TRUE(trained.tagger.tag({}, scratch).empty());
}

}  // namespace
}  // namespace copse
