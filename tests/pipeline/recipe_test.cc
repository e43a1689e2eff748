// Recipes: files in, a model file out; the same bytes as the pieces put together by hand.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "copse/model/provenance.h"
#include "copse/pipeline/tokenizer_recipe.h"
#include "copse/tokenize/trained_tokenizer.h"
#include "tests/pipeline/pipeline_testing.h"

namespace copse {
namespace {

using pipeline_testing::bytes_of;
using pipeline_testing::failure_of;
using pipeline_testing::fixture;
using pipeline_testing::folder;
using pipeline_testing::parser_model;
using pipeline_testing::quick_parser;
using pipeline_testing::quick_tagger;
using pipeline_testing::sentences;
using pipeline_testing::tagger_model;

TEST(DependencyRecipe, MakesTheModelOfTheTrainer) {
  const DependencyRecipe recipe = quick_parser();
  const auto data = sentences("english.conllu", SIZE_MAX);
  const DependencyTraining options = with_defaults(recipe.training);
  const TrainedParser trained = train_dependency_parser(data, data, options, {});
  const ModelFile model = ModelFile::open(parser_model());
  const nlohmann::json& record = model.config().at("provenance");
  nlohmann::json expected = record_of(options);
  expected["training_tags"] = "gold";
  EXPECT_EQ(record.at("options"), expected);
  EXPECT_EQ(record.at("figures").at("dev").at("uas"), trained.dev.uas());
  EXPECT_EQ(record.at("data").size(), 2U);
  EXPECT_EQ(trained.model(record).bytes(), bytes_of(parser_model()));
}

TEST(DependencyRecipe, DefaultsAreThoseOfTheCommand) {
  DependencyTraining first;
  first.kind.order = Factorisation::first;
  first = with_defaults(first);
  EXPECT_EQ(first.learner.passes, 15);
  EXPECT_EQ(first.patience, 3);
  EXPECT_EQ(first.learner.regularisation, 0.1);
  EXPECT_EQ(first.model_megabytes, 14);
  EXPECT_EQ(first.pruner.threshold, 0.001);
  EXPECT_EQ(first.pruner.feature_megabytes, 124);
  EXPECT_EQ(first.lexical_limit, 0U);
  DependencyTraining other;
  other.learner.learner = DependencyLearner::log_linear;
  other.pruner.threshold = 0.01;
  other.clusters = std::make_shared<const WordClusters>();
  other = with_defaults(other);
  EXPECT_EQ(other.learner.passes, 120);
  EXPECT_EQ(other.patience, 30);
  EXPECT_EQ(other.model_megabytes, 30);
  EXPECT_EQ(other.pruner.threshold, 0.01);
  EXPECT_EQ(other.pruner.feature_megabytes, 0);
  EXPECT_EQ(other.lexical_limit, 800U);
}

TEST(DependencyRecipe, ReadsBracketsAndLeavesOutWhatIsNoTree) {
  DependencyRecipe recipe = quick_parser();
  recipe.files.train = fixture("english.mrg");
  recipe.files.dev.clear();
  const TrainingSentences trees = read_dependency_data(recipe, {});
  ASSERT_FALSE(trees.train.empty());
  EXPECT_TRUE(trees.train.front().tree().is_tree());
}

TEST(DependencyRecipe, TagsArePredictedWhenATaggerIsNamedOrTheyAreAskedFor) {
  DependencyRecipe recipe = quick_parser();
  recipe.taggers.sequence.epochs = 1;
  recipe.folds = 2;
  const auto xpos = [](const std::vector<Sentence>& sentences) {
    std::string out;
    for (const Sentence& sentence : sentences) {
      for (int m = 1; m <= sentence.words(); ++m) (out += sentence.xpos(m)) += ' ';
    }
    return out;
  };
  const TrainingSentences gold = read_dependency_data(recipe, {});
  recipe.tagger = tagger_model();
  int folds = 0;
  DependencyReport report;
  report.fold = [&](int, std::size_t, const nlohmann::json&) { ++folds; };
  const TrainingSentences named = read_dependency_data(recipe, report);
  EXPECT_EQ(folds, 2);
  EXPECT_NE(xpos(named.train), xpos(gold.train));
  EXPECT_NE(xpos(named.dev), xpos(gold.dev));
  EXPECT_EQ(named.sources.back().role, "tagger");
  recipe.tags = TrainingTags::gold;
  EXPECT_EQ(xpos(read_dependency_data(recipe, {}).train), xpos(gold.train));
  recipe.tagger.clear();
  recipe.tags = TrainingTags::predicted;
  const TrainingSentences asked = read_dependency_data(recipe, {});
  EXPECT_EQ(xpos(asked.train), xpos(named.train));
  EXPECT_NE(xpos(asked.dev), xpos(gold.dev));
}

TEST(TaggerRecipe, HoldsOutTheLastSentences) {
  TaggerRecipe recipe = quick_tagger();
  recipe.holdout = 5;
  const std::string path = folder().file("held.copse");
  const auto made = train_tagger_model(recipe, path);
  EXPECT_TRUE(made.figures.contains("dev"));
  EXPECT_NO_THROW(Tagger::load(ModelFile::open(path)));
  recipe.holdout = 100'000;
  EXPECT_NE(failure_of([&] { train_tagger_model(recipe, path); }), "");
}

TEST(TaggerRecipe, JackknifedTagsAreNotThoseOfTheFile) {
  const auto tagged = pipeline_testing::sentences("english.conllu", SIZE_MAX);
  const auto found = jackknifed(quick_tagger(), 2);
  ASSERT_EQ(found.size(), tagged.size());
  bool differs = false;
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].tree(), tagged[i].tree());
    for (int m = 1; m <= found[i].words(); ++m) {
      EXPECT_EQ(found[i].form(m), tagged[i].form(m));
      differs = differs || found[i].xpos(m) != tagged[i].xpos(m);
    }
  }
  EXPECT_TRUE(differs);
}

TEST(TaggerRecipe, EntitiesHaveTheirOwnTable) {
  TaggerRecipe recipe;
  recipe.files.train = fixture("entities.iob");
  recipe.files.dev = fixture("entities.iob");
  recipe.training.entities = true;
  recipe.training.sequence.epochs = 2;
  const std::string path = folder().file("entities.copse");
  train_tagger_model(recipe, path);
  const ModelFile model = ModelFile::open(path);
  EXPECT_EQ(model.config()["provenance"]["options"]["features"], "entities");
}

TEST(TokenizerRecipe, TrainsAndSaves) {
  TokenizerRecipe recipe;
  recipe.files.train = fixture("english.conllu");
  recipe.training.epochs = 1;
  const std::string path = folder().file("tokenizer.copse");
  EXPECT_NE(failure_of([&] { train_tokenizer_model(recipe, path); }), "");
  recipe.files.dev = recipe.files.train;
  int epochs = 0;
  TokenizerReport report;
  report.epoch = [&](const TokenizerEpoch&) { ++epochs; };
  train_tokenizer_model(recipe, path, report);
  EXPECT_EQ(epochs, 1);
  EXPECT_NO_THROW(TrainedTokenizer::load(path));
}

}  // namespace
}  // namespace copse
