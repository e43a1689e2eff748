// The spinal parser from trees to answers: learning, saving, the ladder, lists.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "copse/base/error.h"
#include "copse/constituency/phrase_training.h"
#include "copse/constituency/spinal/parser_file.h"
#include "tests/constituency/spinal/spinal_testing.h"

namespace copse::spinal {
namespace {

using spinal_testing::learnt;
using spinal_testing::parser;
using spinal_testing::quick;
using spinal_testing::some_trees;
using spinal_testing::words_and_tags;

PhraseAnswer parse(const SpinalParser& by, const WordsToParse& sentence,
                   const PhraseQuestion& question = {}, const SearchOptions& search = {}) {
  Workspace workspace;
  return by.parse(sentence, question, search, workspace);
}

const WordsToParse kSentence{{"The", "baker", "opens", "the", "shop", "."}, {}};

TEST(SpinalParser, LearnsItsTreesByHeart) {
  PhraseTraining recipe;
  recipe.use_tags = true;
  recipe.threads = 1;
  Trained trained = learnt(quick());
  ASSERT_EQ(trained.report.mistakes.size(), 4U);
  EXPECT_LT(trained.report.mistakes.back(), trained.report.mistakes.front());
  EXPECT_GT(trained.report.coverage, 99);
  const auto door = make_phrase_parser(std::move(trained.parser), {});
  EXPECT_FALSE(door->has_probabilities());
  EXPECT_TRUE(door->knows("baker"));
  EXPECT_FALSE(door->knows("Baker"));
  const PhraseFigures figures = judge_phrase_parser(*door, some_trees(), recipe);
  EXPECT_GT(figures.totals.f1(), 97);
  EXPECT_EQ(figures.fallbacks, 0U);
}

TEST(SpinalParser, AFileReadBackIsTheSameParser) {
  const std::string bytes = write_parser(parser(), nlohmann::json::object()).bytes();
  const ModelFile file = ModelFile::from_bytes(bytes, "test");
  const SpinalParser again = read_parser(file);
  EXPECT_EQ(write_parser(again, nlohmann::json::object()).bytes(), bytes);
  for (std::size_t i = 0; i < 10; ++i) {
    const WordsToParse sentence = words_and_tags(some_trees()[i]);
    const auto here = parse(parser(), sentence, {.k = 3}), there = parse(again, sentence, {.k = 3});
    ASSERT_EQ(here.trees.size(), there.trees.size());
    for (std::size_t k = 0; k < here.trees.size(); ++k) {
      EXPECT_EQ(here.trees[k].tree, there.trees[k].tree);
      EXPECT_EQ(here.trees[k].log_probability, there.trees[k].log_probability);
    }
  }
  EXPECT_EQ(load_phrase_parser(file)->model(), "spinal");
}

TEST(SpinalParser, ThreadsDoNotChangeIt) {
  TrainingOptions options = quick();
  options.epochs = 2;
  options.tag_folds = 3;
  options.threads = 1;
  const auto one = write_parser(learnt(options).parser, nlohmann::json::object()).bytes();
  options.threads = 2;
  EXPECT_EQ(write_parser(learnt(options).parser, nlohmann::json::object()).bytes(), one);
  options.seed = 2;
  EXPECT_NE(write_parser(learnt(options).parser, nlohmann::json::object()).bytes(), one);
}

// Broken off after any pass, training goes on to the same bytes.
TEST(SpinalParser, GoesOnFromACheckpoint) {
  const auto path = (std::filesystem::temp_directory_path() /
                     ("copse-spinal-" + std::to_string(::getpid()) + ".state"))
                        .string();
  std::filesystem::remove(path);
  TrainingOptions options = quick();
  const auto bytes = [&] {
    return write_parser(learnt(options).parser, nlohmann::json::object()).bytes();
  };
  options.epochs = 3;
  const std::string whole = bytes();
  options.checkpoint = path;
  options.epochs = 1;
  const std::string first = bytes();
  EXPECT_NE(first, whole);
  options.epochs = 3;
  EXPECT_EQ(bytes(), whole);
  const Trained again = learnt(options);  // nothing is left to do
  EXPECT_EQ(again.report.mistakes.size(), 3U);
  EXPECT_EQ(write_parser(again.parser, nlohmann::json::object()).bytes(), whole);
  options.epochs = 2;
  EXPECT_THROW(bytes(), Error);  // it is further already
  options.epochs = 4;
  options.seed = 2;
  EXPECT_THROW(bytes(), Error);  // another training
  std::ofstream(path) << "no model";
  EXPECT_THROW(bytes(), Error);
  std::filesystem::remove(path);
}

// With tags, tagger and pruner from a file a training comes out as without it.
TEST(SpinalParser, SharesWhatWasPrepared) {
  const auto path = (std::filesystem::temp_directory_path() /
                     ("copse-spinal-" + std::to_string(::getpid()) + ".prepared"))
                        .string();
  std::filesystem::remove(path);
  TrainingOptions options = quick();
  options.tag_folds = 3;
  options.epochs = 1;
  const auto bytes = [&] {
    return write_parser(learnt(options).parser, nlohmann::json::object()).bytes();
  };
  const std::string second = bytes();
  options.model.second_order = false;
  const std::string first = bytes();
  options.prepared = path;
  EXPECT_EQ(bytes(), first);
  ASSERT_TRUE(std::filesystem::exists(path));
  std::vector<std::string> steps;
  const std::span<const Entry> trees = some_trees();
  options.model.second_order = true;
  const Trained again =
      train(std::span(&trees, 1), options, [&](const std::string& step) { steps.push_back(step); });
  EXPECT_EQ(write_parser(again.parser, nlohmann::json::object()).bytes(), second);
  EXPECT_EQ(std::ranges::count(steps, "pruner, as it was prepared"), 1);
  EXPECT_EQ(std::ranges::count(steps, "pruner"), 0);
  options.tag_folds = 2;
  EXPECT_THROW(bytes(), Error);  // other tags
  options.tag_folds = 3;
  options.pruner.passes = 2;
  EXPECT_THROW(bytes(), Error);  // another pruner
  options.pruner.passes = 3;
  const std::span<const Entry> fewer = trees.first(60);
  EXPECT_THROW(train(std::span(&fewer, 1), options), Error);
  std::ofstream(path) << "no model";
  EXPECT_THROW(bytes(), Error);
  std::filesystem::remove(path);
}

TEST(SpinalParser, LearnsItsPrunerFromSomeOfManyTrees) {
  PrunerOptions options;
  options.most_trees = 20;
  std::vector<std::size_t> from;
  for (std::size_t i = 0; i < 70; ++i) {
    if (options.learns_from(i, 70)) from.push_back(i);
  }
  ASSERT_EQ(from.size(), 20U);
  for (std::size_t k = 1; k < from.size(); ++k) {  // spread evenly
    EXPECT_GE(from[k] - from[k - 1], 3U);
    EXPECT_LE(from[k] - from[k - 1], 4U);
  }
  EXPECT_TRUE(options.learns_from(7, 20));
  options.most_trees = 0;
  EXPECT_TRUE(options.learns_from(7, 70));
  TrainingOptions training = quick();
  training.epochs = 1;
  const TrainingReport all = learnt(training).report;
  training.pruner.most_trees = 20;
  const TrainingReport some = learnt(training).report;
  EXPECT_LT(some.coverage, all.coverage);  // of trees that it has not seen
  EXPECT_EQ(some.trees, all.trees);
}

TEST(SpinalParser, PassesByTheNumberOfTrees) {
  TrainingOptions options;
  EXPECT_EQ(options.passes_over(0), 8);
  EXPECT_EQ(options.passes_over(3500), 8);
  EXPECT_EQ(options.passes_over(6000), 5);
  EXPECT_EQ(options.passes_over(20'000), 4);
  options.epochs = 3;
  EXPECT_EQ(options.passes_over(20'000), 3);
}

TEST(SpinalParser, OfTheFirstOrderWithMergedLevelsAndAMargin) {
  TrainingOptions options = quick();
  options.model.second_order = false;
  options.model.exact_levels = false;
  options.mira = false;
  options.cost = 2;
  options.pruner_folds = 2;
  const Trained trained = learnt(options);
  const PhraseAnswer answer = parse(trained.parser, kSentence);
  ASSERT_EQ(answer.trees.size(), 1U);
  EXPECT_EQ(answer.trees[0].tree.str(),
            "(TOP (S (NP (DT The) (NN baker)) (VP (VBZ opens) (NP (DT the) (NN shop))) (. .)))");
}

TEST(SpinalParser, ListsOfDistinctTreesBestFirst) {
  const PhraseAnswer answer = parse(parser(), kSentence, {.k = 12});
  ASSERT_EQ(answer.trees.size(), 12U);
  std::set<std::string> distinct;
  for (std::size_t k = 0; k < answer.trees.size(); ++k) {
    distinct.insert(answer.trees[k].tree.str());
    if (k > 0) {
      EXPECT_LE(answer.trees[k].log_probability, answer.trees[k - 1].log_probability);
    }
  }
  EXPECT_EQ(distinct.size(), answer.trees.size());
  EXPECT_EQ(parse(parser(), kSentence).trees[0].tree, answer.trees[0].tree);
  const double range = answer.trees[0].log_probability - answer.trees[5].log_probability;
  const auto within = parse(parser(), kSentence, {.k = 12, .within = std::exp(range) * 1.0001});
  EXPECT_GE(within.trees.size(), 6U);
  EXPECT_LT(within.trees.size(), 12U);
}

TEST(SpinalParser, TellsTheDependenciesOfItsDerivation) {
  const PhraseAnswer answer = parse(parser(), kSentence);
  ASSERT_TRUE(answer.dependencies.has_value());
  const std::vector<int> heads = {2, 3, 0, 5, 3, 3};
  const std::vector<std::string> labels = {"NP/NN/DT:s", "S/VP/NP:s",   "TOP/*/S:s",
                                           "NP/NN/DT:s", "VP/VBZ/NP:s", "S/VP/.:s"};
  for (int m = 1; m <= 6; ++m) {
    EXPECT_EQ(answer.dependencies->head(m), heads[static_cast<std::size_t>(m) - 1]) << m;
    EXPECT_EQ(answer.dependencies->label(m), labels[static_cast<std::size_t>(m) - 1]) << m;
  }
  EXPECT_EQ(answer.note, "");
}

TEST(SpinalParser, LooserPruningKeepsWhatStricterKeeps) {
  const SpinalParser::Parts& parts = parser().parts();
  const WordsToParse sentence = words_and_tags(some_trees()[3]);
  const WordViews views(sentence.words, sentence.tags, parts.lexicon);
  PositionAtoms atoms;
  atoms.fill(views.words(), nullptr);
  Pruner::Scratch scratch;
  std::set<std::tuple<int, int, int>> before;
  for (const double alpha : {1e-1, 1e-3, 1e-6, 0.0}) {
    std::set<std::tuple<int, int, int>> kept;
    for (const SpinalArc& arc : parts.pruner.prune(views.words(), atoms, alpha, scratch)) {
      kept.insert({arc.h, arc.m, arc.label});
      const bool of_root =
          parts.inventory->labels().text(
              parts.inventory->adjunctions()[static_cast<std::size_t>(arc.label)].y) == kRootTag;
      EXPECT_EQ(of_root, arc.h == 0);
    }
    EXPECT_TRUE(std::includes(kept.begin(), kept.end(), before.begin(), before.end()));
    EXPECT_GT(kept.size(), before.size());
    before = std::move(kept);
  }
}

TEST(SpinalParser, ThereIsAlwaysATree) {
  // No room for the second order: the first order answers; no room at all: a flat tree.
  std::size_t first_order_items = 0;
  const auto full = parse(parser(), kSentence);
  for (std::size_t items = 1; items < 100'000 && first_order_items == 0; items *= 2) {
    SearchOptions search;
    search.max_items = items;
    const PhraseAnswer answer = parse(parser(), kSentence, {}, search);
    ASSERT_EQ(answer.trees.size(), 1U);
    EXPECT_EQ(answer.trees[0].tree.words(), 6);
    if (!answer.fallback) first_order_items = items;
  }
  EXPECT_GT(first_order_items, 2U);
  SearchOptions search;
  search.max_length = 5;
  const PhraseAnswer flat = parse(parser(), kSentence, {}, search);
  EXPECT_TRUE(flat.fallback);
  EXPECT_EQ(flat.note, "no derivation was found within the limits");
  ASSERT_TRUE(flat.dependencies.has_value());
  EXPECT_TRUE(flat.dependencies->is_tree());
  EXPECT_EQ(flat.trees[0].tree.str(),
            "(TOP (X (DT The) (NN baker) (VBZ opens) (DT the) (NN shop) (. .)))");
  search = {};
  int without_second_order =
      0;  // room for some scores, none for those of siblings and grandchildren
  for (search.max_scores = 1; search.max_scores < 1'000'000; search.max_scores *= 2) {
    const PhraseAnswer answer = parse(parser(), kSentence, {}, search);
    without_second_order += answer.note == "parsed without siblings and grandchildren" ? 1 : 0;
  }
  EXPECT_GT(without_second_order, 0);
  search.max_scores = 1;
  EXPECT_TRUE(parse(parser(), kSentence, {}, search).fallback);
  search = {};
  search.max_edges = 1;  // no room for a list, but for the best tree
  const PhraseAnswer alone = parse(parser(), kSentence, {.k = 5}, search);
  ASSERT_EQ(alone.trees.size(), 1U);
  EXPECT_FALSE(alone.fallback);
  EXPECT_EQ(alone.trees[0].tree.str(), full.trees[0].tree.str());
  EXPECT_EQ(alone.note, "one tree, because a list of them was beyond the limits");
  search = {};
  search.max_second_order = 0;
  EXPECT_FALSE(parse(parser(), kSentence, {}, search).fallback);
  EXPECT_FALSE(full.fallback);
  // Words and tags that nobody has seen.
  const PhraseAnswer odd = parse(parser(), {{"qqq", "!!!"}, {"ZZ", "."}});
  EXPECT_EQ(odd.trees[0].tree.words(), 2);
  EXPECT_EQ(odd.trees[0].tree.tag(1), ".");
  EXPECT_NE(odd.trees[0].tree.tag(0), "ZZ");
  EXPECT_TRUE(parse(parser(), {}).trees.empty());
  EXPECT_EQ(parse(parser(), {{"rain"}, {}}).trees[0].tree.words(), 1);
}

TEST(SpinalParser, RefusesWhatItCannotAnswer) {
  EXPECT_THROW(parse(parser(), kSentence, {.brackets = true}), Error);
  EXPECT_THROW(parse(parser(), kSentence, {.expected_brackets = true}), Error);
  EXPECT_THROW(train({}, quick()), Error);
}

// Files whose checksums are right and whose contents are not.
TEST(SpinalParser, WhatDoesNotFitTogetherIsRefused) {
  const ModelFile good =
      ModelFile::from_bytes(write_parser(parser(), nlohmann::json::object()).bytes(), "test");
  const auto with = [&](const std::string& name, const std::string& bytes,
                        const nlohmann::json& config) {
    ModelWriter writer(kConstituencyKind, config);
    for (const ModelFile::Section& section : good.sections()) {
      if (section.name == "config") continue;
      const std::string old(reinterpret_cast<const char*>(section.bytes.data()),
                            section.bytes.size());
      writer.add(section.name, section.name == name ? bytes : old);
    }
    return ModelFile::from_bytes(writer.bytes(), "test");
  };
  EXPECT_NO_THROW(read_parser(with("", "", good.config())));
  std::string number(8, '\xff');
  for (const char* name :
       {"spinal/labels", "spinal/adjunctions", "spinal/chains", "spinal/chain-sizes", "spinal/tags",
        "spinal/tags-sizes", "spinal/words-chains", "spinal/unknown-chains",
        "spinal/lexicon-counts", "spinal/x.labels", "spinal/y.label.weights", "spinal/z.weights",
        "spinal/weights", "spinal/part.templates", "spinal/pruner.templates", "spinal/heads"}) {
    SCOPED_TRACE(name);
    EXPECT_THROW(read_parser(with(name, number, good.config())), Error);
  }
  for (const auto& [key, value] :
       std::vector<std::pair<std::string, nlohmann::json>>{{"alpha", 2},
                                                           {"alpha", "x"},
                                                           {"order", "third"},
                                                           {"exact_levels", 3},
                                                           {"arc_threshold", -1}}) {
    SCOPED_TRACE(key);
    nlohmann::json config = good.config();
    config[key] = value;
    EXPECT_THROW(read_parser(with("", "", config)), Error);
  }
}

}  // namespace
}  // namespace copse::spinal
