// Figures are those of the parser that is saved; what is fitted is judged on other sentences.
#include "copse/dependency/parser_judge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/dependency/dependency_testing.h"

namespace copse {
namespace {

using dependency_testing::fixture;
using dependency_testing::parser_of;
using dependency_testing::quick_training;
using dependency_testing::train;

// Every word hangs on the one before it: a tree that no parser finds.
void spoil(Sentence& sentence) {
  for (int m = 1; m <= sentence.words(); ++m) sentence.set_head(m, m - 1);
}

DependencyScores parsed_scores(const DependencyParser& parser,
                               const std::vector<Sentence>& sentences) {
  DependencyScores scores;
  DependencyParser::Scratch scratch;
  for (const Sentence& sentence : sentences) {
    const DependencyTree tree = parser.tree_of(parser.parse(sentence, {}, scratch).trees.front());
    for (int m = 1; m <= sentence.words(); ++m) {
      ++scores.words;
      const bool right = tree.head(m) == sentence.head(m);
      scores.heads += right ? 1 : 0;
      scores.labels += right && tree.label(m) == sentence.deprel(m) ? 1 : 0;
    }
  }
  return scores;
}

TEST(ParserJudge, RecordedScoresAreThoseOfTheSavedModel) {
  const auto sentences = fixture("english.conllu", 25);
  DependencyTraining options = quick_training();
  options.learner.passes = 4;
  options.model_megabytes = 6000.0 / (1 << 20);  // so small that truncation does harm
  const TrainedParser trained = train(sentences, sentences, options);
  EXPECT_EQ(trained.dev, parsed_scores(parser_of(trained), sentences));
  const auto chosen = static_cast<std::size_t>(trained.chosen) - 1;
  EXPECT_LT(trained.dev.labels, trained.passes[chosen].dev.labels)
      << "the budget was meant to cost something";
}

TEST(ParserJudge, TheTemperatureIsChosenByOneHalfAndJudgedByTheOther) {
  const auto sentences = fixture("english.conllu", 30);
  const std::vector<Sentence> front(sentences.begin(), sentences.begin() + 15);
  std::vector<Sentence> dev(sentences.begin() + 15, sentences.end());
  const DependencyParser parser = parser_of(train(front, {}, quick_training()));
  ThreadTeam team(1);
  const Calibration plain = calibrate(parser, dev, team);
  std::vector<Sentence> other_odd = dev, other_even = dev;
  for (std::size_t i = 0; i < dev.size(); ++i) spoil((i % 2 == 1 ? other_odd : other_even)[i]);
  const Calibration odd = calibrate(parser, other_odd, team);
  EXPECT_EQ(odd.temperature, plain.temperature);
  EXPECT_EQ(odd.label_temperature, plain.label_temperature);
  EXPECT_EQ(odd.tree_temperature, plain.tree_temperature);
  EXPECT_EQ(odd.tree_odds, plain.tree_odds);
  EXPECT_GT(odd.error, plain.error);
  EXPECT_GT(calibrate(parser, other_even, team).temperature, plain.temperature);
  const Calibration one = calibrate(parser, std::span(dev).first(1), team);
  EXPECT_EQ(one.error, 0) << "nothing is left to judge by";
}

// The loss of the labels is least where it was looked for, whatever the other temperature.
TEST(ParserJudge, LabelsHaveATemperatureOfTheirOwn) {
  const auto sentences = fixture("english.conllu", 40);
  const std::vector<Sentence> front(sentences.begin(), sentences.begin() + 15);
  const std::vector<Sentence> dev(sentences.begin() + 15, sentences.end());
  const DependencyParser parser = parser_of(train(front, {}, quick_training()));
  ThreadTeam team(1);
  const Calibration found = calibrate(parser, dev, team);
  const auto loss = [&](double label_temperature) {
    DependencyParser::Parts parts = parser.parts();
    parts.temperature = found.temperature;
    parts.label_temperature = label_temperature;
    const DependencyParser other(std::move(parts));
    DependencyParser::Scratch scratch;
    DependencyParseOptions options;
    options.marginals = true;
    options.constraints = true;  // all heads and labels are those of the sentence ...
    double sum = 0;
    for (std::size_t i = 0; i < dev.size(); i += 2) {
      Sentence heads = dev[i];
      for (int m = 1; m <= heads.words(); ++m) heads.set(m, Column::deprel, "_");
      Parse parse;
      try {
        parse = other.parse(heads, options, scratch);  // ... or the heads alone
      } catch (const Error&) {
        continue;
      }
      const ParsedTree& tree = parse.trees.front();
      for (int m = 1; m <= heads.words(); ++m) {
        const auto at = static_cast<std::size_t>(m);
        if (other.labels()[static_cast<std::size_t>(tree.labels[at])] == dev[i].deprel(m)) {
          sum -= std::log(std::max(1e-9, tree.label_probability[at]));
        } else {
          sum -= std::log(std::max(1e-9, 1 - tree.label_probability[at]));
        }
      }
    }
    return sum;
  };
  EXPECT_LT(loss(found.label_temperature), loss(found.label_temperature * 8));
  EXPECT_LT(loss(found.label_temperature), loss(found.label_temperature / 8));
}

// What is said about the best trees is nearest to the truth where it was looked for.
TEST(ParserJudge, WholeTreesHaveATemperatureOfTheirOwn) {
  const auto sentences = fixture("english.conllu", 60);
  const std::vector<Sentence> front(sentences.begin(), sentences.begin() + 25);
  const std::vector<Sentence> dev(sentences.begin() + 25, sentences.end());
  const DependencyParser parser = parser_of(train(front, {}, quick_training()));
  ThreadTeam team(1);
  const Calibration found = calibrate(parser, dev, team);
  int right = 0;
  const auto loss = [&](double tree_temperature) {
    DependencyParser::Parts parts = parser.parts();
    parts.temperature = found.temperature;
    parts.label_temperature = found.label_temperature;
    parts.tree_temperature = tree_temperature;
    const DependencyParser other(std::move(parts));
    DependencyParser::Scratch scratch;
    double sum = 0;
    right = 0;
    for (std::size_t i = 0; i < dev.size(); i += 2) {
      const ParsedTree tree = other.parse(dev[i], {.marginals = true}, scratch).trees.front();
      const auto scores = compare_trees(dev[i].tree(), other.tree_of(tree), true);
      const bool whole = scores.labels == scores.words;
      right += whole ? 1 : 0;
      sum -= std::log(std::clamp(whole ? tree.probability : 1 - tree.probability, 1e-6, 1.0));
    }
    return sum;
  };
  const double least = loss(found.tree_temperature);
  ASSERT_GT(right, 0) << "the test sees nothing";
  EXPECT_LE(least, loss(found.tree_temperature * 1.5) + 1e-3);
  EXPECT_LE(least, loss(found.tree_temperature / 1.5) + 1e-3);
  EXPECT_LT(least, std::max(loss(4), loss(0.25)));
}

// What training stores is what the least log-loss of the fitted half asks for, and lists obey it.
TEST(ParserJudge, WholeTreesHaveOddsOfTheirOwn) {
  const auto sentences = fixture("english.conllu", 60);
  const std::vector<Sentence> front(sentences.begin(), sentences.begin() + 25);
  const std::vector<Sentence> dev(sentences.begin() + 25, sentences.end());
  const DependencyParser parser = parser_of(train(front, dev, quick_training()));
  ASSERT_NE(parser.parts().tree_odds, TreeOdds());
  DependencyParser::Parts parts = parser.parts();
  parts.tree_odds = {};
  const DependencyParser plain(std::move(parts));
  DependencyParser::Scratch scratch;
  std::vector<JudgedTree> fitted;
  for (std::size_t i = 0; i < dev.size(); ++i) {
    const Parse before = plain.parse(dev[i], {.k = 4, .marginals = true}, scratch);
    const Parse after = parser.parse(dev[i], {.k = 4, .marginals = true}, scratch);
    const double log_p = std::log(before.trees.front().probability);
    const DependencyTree found = plain.tree_of(before.trees.front());
    const auto scores = compare_trees(dev[i].tree(), found, true);
    if (i % 2 == 0) fitted.push_back({log_p, scores.labels == scores.words});
    EXPECT_NEAR(after.trees.front().probability, parser.parts().tree_odds.probability(log_p), 1e-9);
    EXPECT_EQ(after.trees.front().arc_probability, before.trees.front().arc_probability);
    double sum = 0;
    for (const ParsedTree& tree : after.trees) sum += tree.probability;
    EXPECT_LE(sum, 1 + 1e-9);
  }
  const TreeOdds again = fit_tree_odds(fitted);
  EXPECT_NEAR(parser.parts().tree_odds.slope, again.slope, 1e-6);
  EXPECT_NEAR(parser.parts().tree_odds.offset, again.offset, 1e-6);
}

TEST(ParserJudge, TrainingKeepsWhatCalibrationFound) {
  const auto sentences = fixture("english.conllu", 30);
  const std::vector<Sentence> front(sentences.begin(), sentences.begin() + 15);
  const std::vector<Sentence> back(sentences.begin() + 15, sentences.end());
  const TrainedParser trained = train(front, back, quick_training());
  ThreadTeam team(2);
  const Calibration again = calibrate(parser_of(trained), back, team);
  EXPECT_EQ(trained.parts.temperature, again.temperature);
  EXPECT_EQ(trained.parts.label_temperature, again.label_temperature);
  EXPECT_EQ(trained.parts.tree_temperature, again.tree_temperature);
  EXPECT_EQ(trained.parts.tree_odds, again.tree_odds);
  EXPECT_EQ(trained.tree_calibration_error, again.tree_error);
  EXPECT_EQ(trained.calibration_error, again.error);
}

}  // namespace
}  // namespace copse
