// A finished parser is as strict as it may be without losing right arcs.
#include "copse/dependency/use_threshold.h"

#include <gtest/gtest.h>

#include "copse/dependency/parser_judge.h"
#include "tests/dependency/dependency_testing.h"

namespace copse {
namespace {

using dependency_testing::fixture;
using dependency_testing::quick_training;
using dependency_testing::train;

std::vector<Sentence> every_other(const std::vector<Sentence>& all) {
  std::vector<Sentence> out;
  for (std::size_t i = 1; i < all.size(); i += 2) out.push_back(all[i]);
  return out;
}

TEST(UseThreshold, LosesNoMoreThanOneWordInTwoThousandOnTheHalfThatChooses) {
  ThreadTeam team(1);
  const auto sentences = fixture("english.conllu", 30);
  DependencyParser parser = train(sentences, {}, quick_training()).parser();
  const DependencyScores before = judge_parser(parser, every_other(sentences), team);
  const double chosen = choose_use_threshold(parser, sentences, team);
  EXPECT_GE(chosen, parser.parts().pruner.threshold());
  parser.set_prune_threshold(chosen);
  const DependencyScores after = judge_parser(parser, every_other(sentences), team);
  const std::size_t allowed = before.words / 2000;
  EXPECT_GE(after.heads + allowed, before.heads);
  EXPECT_GE(after.labels + allowed, before.labels);
  // With a chance of its own to be right: the same again for the next stricter one.
  EXPECT_EQ(choose_use_threshold(parser, sentences, team), chosen);
}

TEST(UseThreshold, StaysWhereThereIsNoPrunerOrNothingToJudgeBy) {
  ThreadTeam team(1);
  const auto sentences = fixture("english.conllu", 6);
  DependencyTraining options = quick_training();
  const DependencyParser parser = train(sentences, {}, options).parser();
  EXPECT_EQ(choose_use_threshold(parser, {}, team), 2e-3);
  EXPECT_EQ(choose_use_threshold(parser, std::span(sentences).first(1), team), 2e-3);
  options.pruner.threshold = 0;
  EXPECT_EQ(choose_use_threshold(train(sentences, {}, options).parser(), sentences, team), 0);
}

TEST(UseThreshold, TrainingChoosesItOnlyWhereNobodySaysAThreshold) {
  ThreadTeam team(1);
  const auto sentences = fixture("english.conllu", 30);
  DependencyTraining options = quick_training();
  const TrainedParser given = train(sentences, sentences, options);
  EXPECT_EQ(given.parts.pruner.threshold(), 2e-3);
  EXPECT_EQ(given.pruning.use_threshold, 2e-3);
  EXPECT_EQ(given.pruning.use_arcs, given.pruning.dev_arcs);
  options.pruner.threshold = std::nullopt;
  const TrainedParser chosen = train(sentences, sentences, options);
  EXPECT_GT(chosen.parts.pruner.threshold(), 1e-3);
  EXPECT_EQ(chosen.pruning.use_threshold, chosen.parts.pruner.threshold());
  EXPECT_LT(chosen.pruning.use_arcs, chosen.pruning.dev_arcs);
}

}  // namespace
}  // namespace copse
