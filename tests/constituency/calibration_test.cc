// The loss of bracket probabilities by hand, and what sharpness does to them against enumeration.
#include "copse/constituency/generative/calibration.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tests/constituency/constituency_testing.h"
#include "tests/constituency/tree_enumeration.h"

namespace copse::generative {
namespace {

using constituency_testing::all_trees;
using constituency_testing::exhaustive;
using constituency_testing::kTinyTreebank;
using constituency_testing::plain_model;
using constituency_testing::prepared_trees;
using constituency_testing::split;

// Gold: S over both words (the full stop does not count), NP over the first, VP over the second, which
// is not found: p = 1e-4. Found besides: X over the second, which is wrong.
TEST(Calibration, LossIsComputedByHand) {
  const PhraseTree gold = tree_testing::tree_of("(S (NP (NNS dogs)) (VP (VBP sleep)) (. .))");
  const std::vector<Bracket> found{{"S", 0, 2, 0.8}, {"NP", 0, 1, 0.5}, {"X", 1, 2, 0.25}};
  std::size_t brackets = 0;
  const double loss = bracket_loss(found, gold, brackets);
  EXPECT_EQ(brackets, 4U);
  EXPECT_NEAR(loss, -std::log(0.8) - std::log(0.5) - std::log(0.75) - std::log(1e-4), 1e-12);
}

// The second word's tag is not found at all: p = 1e-4. The full stop is no token of the model.
TEST(Calibration, LossOfTagsIsComputedByHand) {
  const PhraseTree gold = tree_testing::tree_of("(S (NP (NNS dogs)) (VP (VBP sleep)) (. .))");
  const std::vector<Bracket> found{{"NNS", 0, 1, 0.8}, {"VBZ", 0, 1, 0.2}, {"NN", 1, 2, 1.0}};
  std::size_t words = 0;
  EXPECT_NEAR(tag_loss(found, gold, words), -std::log(0.8) - std::log(1e-4), 1e-12);
  EXPECT_EQ(words, 2U);
}

TEST(Calibration, SharpnessIsAPowerOfTheProbabilitiesOfTrees) {
  const GenerativeParser parser =
      GenerativeParser::train(prepared_trees(kTinyTreebank), plain_model());
  const auto words = split("dogs see cats");
  ParserWorkspace workspace;
  const std::vector<double> sharpness{1, 0.5};
  const auto found = parser.beliefs_at({words}, exhaustive(1), sharpness, workspace);
  ASSERT_EQ(found.size(), 2U);
  for (std::size_t s = 0; s < sharpness.size(); ++s) {
    std::map<std::string, double> expected, tags;
    double total = 0;
    for (const auto& made : all_trees(parser.model(), words)) {
      const double weight = std::exp(sharpness[s] * made.log_probability);
      total += weight;
      const PhraseTree tree = restore(made.tree.tree, made.tree.tokens, words, {});
      for (int word = 0; word < tree.words(); ++word) {
        tags[std::string(tree.tag(word)) + std::to_string(word)] += weight;
      }
      for (int node = 1; node < tree.size(); ++node) {
        if (!tree.is_leaf(node)) {
          expected[std::string(tree.label(node)) + std::to_string(tree.begin(node)) +
                   std::to_string(tree.end(node))] += weight;
        }
      }
    }
    EXPECT_EQ(found[s].tags.size(), tags.size());
    for (const Bracket& tag : found[s].tags) {
      const std::string key = tag.label + std::to_string(tag.begin);
      EXPECT_NEAR(tag.probability, tags[key] / total, 1e-9) << key;
    }
    EXPECT_EQ(found[s].brackets.size(), expected.size());
    for (const Bracket& bracket : found[s].brackets) {
      const std::string key =
          bracket.label + std::to_string(bracket.begin) + std::to_string(bracket.end);
      EXPECT_NEAR(bracket.probability, expected[key] / total, 1e-9) << key;
    }
  }
}

TEST(Calibration, ChoosesOnOneHalfAndReportsTheOther) {
  const auto trees = constituency_testing::fixture_trees();
  const GenerativeParser parser = GenerativeParser::train(trees, plain_model());
  std::vector<Entry> gold;
  for (PhraseTree& tree :
       tree_testing::trees_of(tree_testing::file_bytes(source_dir() + "/fixtures/english.mrg"))) {
    gold.push_back({{}, std::move(tree)});
  }
  const Calibration fitted = calibrate(parser, gold, {}, 20);
  EXPECT_GT(fitted.sentences, 2U);
  EXPECT_GT(fitted.brackets.before, 0);
  EXPECT_GT(fitted.tags.before, 0);
  EXPECT_FALSE(fitted.str().empty());
  EXPECT_EQ(calibrate(parser, {}, {}).sharpness().brackets, 1);
  EXPECT_TRUE(calibrate(parser, {}, {}).str().empty());
}

}  // namespace
}  // namespace copse::generative
