// Accuracy on real treebanks; the bars lie a point below what is reached.
#include <gtest/gtest.h>

#include <cstdlib>

#include "copse/treebank/head_rules.h"
#include "copse/treebank/phrase_to_dependency.h"
#include "tests/dependency/dependency_testing.h"

namespace copse {
namespace {

using dependency_testing::read_sentences;

std::optional<std::string> data_folder() {
  const char* const folder = std::getenv("COPSE_DATA");
  if (folder == nullptr) return std::nullopt;
  return folder;
}

std::vector<Sentence> read_brackets(const std::string& path, std::size_t most) {
  const HeadRules rules = HeadRules::load("yamada-matsumoto");
  std::vector<Sentence> sentences;
  for (const Entry& entry : read_treebank(path, Format::ptb)) {
    if (sentences.size() == most) break;
    sentences.push_back(dependency_sentence_from_tree(entry.tree, rules));
  }
  return sentences;
}

DependencyScores chosen_scores(const TrainedParser& trained) {
  for (const TrainingPass& pass : trained.passes) {
    if (pass.pass == trained.chosen) return pass.dev;
  }
  return {};
}

TEST(DependencyData, FirstOrderOnTheEnglishWebTreebank) {
  const auto folder = data_folder();
  if (!folder) GTEST_SKIP() << "COPSE_DATA is not set";
  const auto train = read_sentences(*folder + "/ewt/train.conllu", 2000);
  const auto dev = read_sentences(*folder + "/ewt/dev.conllu");
  DependencyTraining options;
  options.kind.order = Factorisation::first;
  options.learner.passes = 4;
  options.selection = {4, 3, 20};
  options.threads = 2;
  const DependencyScores scores = chosen_scores(dependency_testing::train(train, dev, options));
  RecordProperty("uas", std::to_string(scores.uas()));
  RecordProperty("las", std::to_string(scores.las()));
  EXPECT_GE(scores.uas(), 81.5);
  EXPECT_GE(scores.las(), 78.0);
}

TEST(DependencyData, ThirdOrderIsBetterThanFirstOnTheWsjSample) {
  const auto folder = data_folder();
  if (!folder) GTEST_SKIP() << "COPSE_DATA is not set";
  const auto train = read_brackets(*folder + "/wsj-sample/train.mrg", 1000);
  const auto dev = read_brackets(*folder + "/wsj-sample/dev.mrg", SIZE_MAX);
  DependencyTraining options;
  options.labelled = false;
  options.learner.passes = 4;
  options.threads = 2;
  options.kind.order = Factorisation::first;
  const double first = chosen_scores(dependency_testing::train(train, dev, options)).uas();
  options.kind.order = Factorisation::model1;
  const double third = chosen_scores(dependency_testing::train(train, dev, options)).uas();
  RecordProperty("first", std::to_string(first));
  RecordProperty("third", std::to_string(third));
  EXPECT_GE(first, 84.7);
  EXPECT_GE(third, 86.2);
  EXPECT_GT(third, first);
}

}  // namespace
}  // namespace copse
