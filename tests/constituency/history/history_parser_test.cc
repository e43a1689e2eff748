// The history parser as a whole: learning, threads, files, checkpoints, odd sentences.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "copse/base/error.h"
#include "copse/constituency/history/tree_scores.h"
#include "copse/constituency/phrase_training.h"
#include "tests/constituency/history/history_testing.h"
#include "tests/treebank/tree_testing.h"

namespace copse::history {
namespace {

using history_testing::learnt;
using history_testing::quick;
using history_testing::some_trees;

std::span<const Entry> few() {
  return std::span<const Entry>(some_trees()).first(24);
}

std::string bytes_of(const Trained& trained) {
  return write_parser(trained.parser, nlohmann::json::object()).bytes();
}

TEST(HistoryParser, LearnsTheTreesItIsShown) {
  TrainingOptions options = quick();
  options.hidden = 24;
  options.epochs = 40;
  options.dropout = 0;
  options.rate = 0.02;
  options.averaging = 0;
  const Trained trained = learnt(options, few());
  EXPECT_LT(trained.report.epochs.back().loss, trained.report.epochs.front().loss / 3);
  PhraseTraining recipe;
  recipe.threads = 1;
  const auto door = make_phrase_parser(trained.parser, {.beam = 10});
  EXPECT_GT(judge_phrase_parser(*door, few(), recipe).totals.f1(), 90);
}

TEST(HistoryParser, DoesNotDependOnThreads) {
  for (const char* optimiser : {"adam", "sgd"}) {
    TrainingOptions options = quick();
    options.optimiser = optimiser;
    const std::string plain = bytes_of(learnt(options, few()));
    options.dropout = options.trait_dropout = options.role_dropout = 0.2;
    options.decay = 0.1;
    const std::string one = bytes_of(learnt(options, few()));
    EXPECT_NE(one, plain);
    options.threads = 3;
    EXPECT_EQ(bytes_of(learnt(options, few())), one);
    options.seed = 2;
    EXPECT_NE(bytes_of(learnt(options, few())), one);
  }
}

TEST(HistoryParser, IsTheSameAfterAFile) {
  TrainingOptions options = quick();
  options.networks = 2;
  for (const bool paper : {false, true}) {
    options.gated = !paper;
    options.vocabulary.traits = !paper;
    options.steps.flat = paper;
    options.steps.lookahead = paper ? 0 : 2;
    const Trained trained = learnt(options, few());
    const std::string bytes = bytes_of(trained);
    const auto parser = load_phrase_parser(ModelFile::from_bytes(bytes, "m"), SearchOptions());
    EXPECT_EQ(parser->model(), kModelName);
    EXPECT_EQ(parser->file(nlohmann::json::object()).bytes(), bytes);
    const auto before = make_phrase_parser(trained.parser, {});
    const WordsToParse sentence{{"the", "strange", "cat", "sleeps", "."}};
    const auto left = before->parse(sentence, {.k = 5});
    const auto right = parser->parse(sentence, {.k = 5});
    ASSERT_EQ(left.trees.size(), 5U);
    ASSERT_EQ(right.trees.size(), 5U);
    std::set<std::string> different;
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_EQ(left.trees[i].log_probability, right.trees[i].log_probability);
      EXPECT_EQ(left.trees[i].tree.str(), right.trees[i].tree.str());
      different.insert(left.trees[i].tree.str());
      if (i > 0) {
        EXPECT_LE(left.trees[i].log_probability, left.trees[i - 1].log_probability);
      }
    }
    EXPECT_EQ(different.size(), 5U);
  }
}

// The search makes its vectors one by one, DecisionPass all of a derivation at once.
TEST(HistoryParser, ScoresGivenTreesAsTheSearchDoes) {
  TrainingOptions options = quick();
  for (const int networks : {1, 2}) {
    for (const int lookahead : {0, 2}) {
      options.networks = networks;
      options.steps.lookahead = lookahead;
      options.steps.flat = networks == 2 && lookahead == 0;
      const Trained trained = learnt(options, few());
      const auto door = make_phrase_parser(trained.parser, {});
      const PhraseAnswer answer = door->parse({{"the", "strange", "cat", "sleeps", "."}}, {.k = 6});
      std::vector<const PhraseTree*> trees;
      for (const ScoredTree& each : answer.trees) trees.push_back(&each.tree);
      const PhraseTree strange = tree_testing::tree_of("(TOP (NEW (NN a)))");
      trees.push_back(&strange);
      DecisionPass<float> pass;
      const auto scores = log_probabilities(trained.parser, trees, pass);
      ASSERT_EQ(scores.size(), 7U);
      for (std::size_t i = 0; i < 6; ++i) {
        ASSERT_TRUE(scores[i].has_value());
        EXPECT_NEAR(*scores[i], answer.trees[i].log_probability, 1e-4);
      }
      EXPECT_FALSE(scores[6].has_value());  // a label that is not known
    }
  }
}

TEST(HistoryParser, OddSentences) {
  const Trained trained = learnt(quick(), few());
  const auto parser = make_phrase_parser(trained.parser, {});
  EXPECT_TRUE(parser->parse({}).trees.empty());
  EXPECT_EQ(parser->parse({{"zzz"}}).trees.at(0).tree.words(), 1);
  EXPECT_EQ(parser->parse({{"zzz", "yyy"}, {"NN", "no-such-tag"}}).trees.at(0).tree.tag(0), "NN");
  PhraseQuestion question;
  question.brackets = true;
  EXPECT_THROW(parser->parse({{"a"}}, question), Error);
  const auto hurried = make_phrase_parser(trained.parser, {.beam = 3, .most_steps = 1});
  const PhraseAnswer cut = hurried->parse({{"a", "b", "c"}});
  ASSERT_EQ(cut.trees.size(), 1U);
  EXPECT_FALSE(cut.fallback);
  EXPECT_FALSE(cut.note.empty());
  const std::vector<std::string> many(static_cast<std::size_t>(kLongest) + 1, "a");
  EXPECT_TRUE(parser->parse({many}).fallback);
}

struct StateFile {
  StateFile()
      : path((std::filesystem::temp_directory_path() /
              ("copse-history-" + std::to_string(::getpid()) + ".state"))
                 .string()) {
    std::filesystem::remove(path);
  }
  ~StateFile() { std::filesystem::remove(path); }
  StateFile(const StateFile&) = delete;
  StateFile& operator=(const StateFile&) = delete;
  std::string path;
};

TEST(HistoryTraining, GoesOnFromACheckpoint) {
  for (const char* optimiser : {"adam", "sgd"}) {
    const StateFile state;
    TrainingOptions options = quick();
    options.optimiser = optimiser;
    options.networks = 2;
    const Measure measure{
        [](const HistoryParser& parser) {
          PhraseTraining recipe;
          recipe.threads = 1;
          const auto door = make_phrase_parser(parser, {.beam = 2});
          const auto figures = judge_phrase_parser(*door, few().first(6), recipe);
          return DevFigures{figures.totals.f1(), figures.odd.f1(), figures.even.f1()};
        },
        "some"};
    const std::span<const Entry> trees = few();
    const std::span<const Entry> others = std::span<const Entry>(some_trees()).subspan(24, 6);
    const auto learn = [&](const std::function<void(const std::string&)>& progress = {}) {
      return train(std::span(&trees, 1), others, options, measure, progress);
    };
    const Trained whole = learn();
    options.checkpoint = state.path;
    const auto break_off = [&](const std::string& line) {
      if (line.find("epoch") != std::string::npos) throw data_error("broken off");
    };
    for (int k = 0; k < 3; ++k) EXPECT_THROW(learn(break_off), Error);
    const Trained again = learn();
    EXPECT_EQ(bytes_of(again), bytes_of(whole));
    ASSERT_EQ(again.report.epochs.size(), 4U);
    EXPECT_EQ(again.report.epochs[1].other_loss, whole.report.epochs[1].other_loss);
    EXPECT_EQ(bytes_of(learn()), bytes_of(whole));  // nothing is left to do
    options.seed = 7;
    EXPECT_THROW(learn(), Error);  // another training
    std::ofstream(state.path) << "no model";
    EXPECT_THROW(learn(), Error);
  }
}

TEST(HistoryTraining, RefusesWhatItCannotDo) {
  TrainingOptions options = quick();
  options.optimiser = "magic";
  EXPECT_THROW(learnt(options, few()), Error);
  EXPECT_THROW(learnt(quick(), {}), Error);
}

}  // namespace
}  // namespace copse::history
