#include "copse/constituency/generative/parser.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "copse/base/error.h"
#include "copse/constituency/generative/parser_file.h"
#include "copse/treebank/n_best_scores.h"
#include "tests/constituency/constituency_testing.h"
#include "tests/constituency/tree_enumeration.h"
#include "tests/repeats.h"

namespace copse::generative {
namespace {

using constituency_testing::all_trees;
using constituency_testing::EnumeratedTree;
using constituency_testing::exhaustive;
using constituency_testing::fixture_trees;
using constituency_testing::kTinyTreebank;
using constituency_testing::plain_model;
using constituency_testing::prepared_trees;
using constituency_testing::split;

constexpr int kPlenty = 20'000;

std::vector<std::string> strings(const PhraseAnswer& parse) {
  std::vector<std::string> trees;
  for (const ScoredTree& scored : parse.trees) trees.push_back(scored.tree.str());
  return trees;
}

// The best log probability of every output tree, by enumeration.
std::map<std::string, double> enumerated(const GenerativeModel& model,
                                         const std::vector<std::string>& words) {
  std::map<std::string, double> best;
  for (const EnumeratedTree& made : all_trees(model, words)) {
    const std::string tree = restore(made.tree.tree, made.tree.tokens, words, {}).str();
    best.emplace(tree, made.log_probability);  // most probable first
  }
  return best;
}

TEST(GenerativeParser, NBestListEqualsTheEnumerationOfAllTrees) {
  const GenerativeParser parser =
      GenerativeParser::train(prepared_trees(kTinyTreebank), plain_model());
  ParserWorkspace workspace;
  for (const std::string text :
       {"dogs", "dogs sleep", "dogs see cats", "old cats sleep", "dogs and cats", "dogs , cats",
        "dogs with cats", "cats see birds", "see cats sleep today"}) {
    SCOPED_TRACE(text);
    const auto words = split(text);
    if (static_cast<int>(words.size()) > copse::enumerated(4)) continue;
    const auto expected = enumerated(parser.model(), words);
    const PhraseAnswer found = parser.parse({words}, exhaustive(kPlenty), workspace);
    ASSERT_FALSE(found.fallback);
    EXPECT_FALSE(expected.empty());
    EXPECT_EQ(found.trees.size(), expected.size());
    double before = std::numeric_limits<double>::infinity();
    for (const ScoredTree& scored : found.trees) {
      const auto match = expected.find(scored.tree.str());
      ASSERT_NE(match, expected.end()) << scored.tree.str();
      EXPECT_NEAR(scored.log_probability, match->second, 1e-9) << scored.tree.str();
      EXPECT_LE(scored.log_probability, before);
      before = scored.log_probability;
    }
  }
}

// Whether a tree meets a demand, by looking at all its brackets.
bool meets(const PhraseTree& tree, const SpanDemand& span) {
  bool found = false;
  for (int node = 1; node < tree.size(); ++node) {  // 0 is TOP
    if (tree.is_leaf(node) || tree.begin(node) != span.first - 1 || tree.end(node) != span.last) {
      continue;
    }
    found = found || span.label.empty() || tree.label(node) == span.label;
  }
  return found != span.forbidden;
}

// Every span, with and without each label, demanded and forbidden, alone and in pairs.
TEST(GenerativeParser, DemandedPhrasesLeaveTheTreesThatHaveThem) {
  const GenerativeParser parser =
      GenerativeParser::train(prepared_trees(kTinyTreebank), plain_model());
  ParserWorkspace workspace;
  std::size_t met = 0, refused = 0;
  for (const std::string text : {"dogs", "dogs see cats", "dogs with cats", "old cats sleep"}) {
    const auto words = split(text);
    const PhraseAnswer all = parser.parse({words}, exhaustive(kPlenty), workspace);
    std::vector<SpanDemand> singles;
    for (int first = 1; first <= static_cast<int>(words.size()); ++first) {
      for (int last = first; last <= static_cast<int>(words.size()); ++last) {
        for (const std::string label : {"", "NP", "VP", "S"}) {
          for (const bool forbidden : {false, true}) {
            singles.push_back({first, last, label, forbidden});
          }
        }
      }
    }
    std::vector<std::vector<SpanDemand>> demands;
    for (std::size_t a = 0; a < singles.size(); ++a) {
      demands.push_back({singles[a]});
      for (std::size_t b = a % 23; b < a; b += 23) demands.push_back({singles[a], singles[b]});
    }
    for (const auto& spans : demands) {
      std::vector<std::string> expected;
      for (const ScoredTree& scored : all.trees) {
        const bool good = std::ranges::all_of(
            spans, [&](const SpanDemand& span) { return meets(scored.tree, span); });
        if (good) expected.push_back(scored.tree.str());
      }
      ParseOptions options = exhaustive(kPlenty);
      options.spans = spans;
      SCOPED_TRACE(text + ": " + no_tree_with(spans));
      if (expected.empty()) {
        EXPECT_THROW(parser.parse({words}, options, workspace), Error);
        ++refused;
        continue;
      }
      ++met;
      std::vector<std::string> found = strings(parser.parse({words}, options, workspace));
      EXPECT_EQ(found.front(), expected.front());
      std::ranges::sort(found);
      std::ranges::sort(expected);
      EXPECT_EQ(found, expected);
    }
  }
  EXPECT_GT(met, 50U);
  EXPECT_GT(refused, 10U);
}

TEST(GenerativeParser, SummedDuplicatesAddUpToTheSumOverAllTrees) {
  const GenerativeParser parser =
      GenerativeParser::train(prepared_trees(kTinyTreebank), plain_model());
  ParserWorkspace workspace;
  const auto words = split("dogs see cats");
  double expected = 0;
  for (const EnumeratedTree& made : all_trees(parser.model(), words)) {
    expected += std::exp(made.log_probability);
  }
  ParseOptions options = exhaustive(kPlenty);
  options.sum_duplicates = true;
  double found = 0;
  for (const ScoredTree& scored : parser.parse({words}, options, workspace).trees) {
    found += std::exp(scored.log_probability);
  }
  EXPECT_NEAR(found, expected, 1e-9 * expected);
}

TEST(GenerativeParser, BracketProbabilitiesEqualSumsOverAllTrees) {
  const GenerativeParser parser =
      GenerativeParser::train(prepared_trees(kTinyTreebank), plain_model());
  ParserWorkspace workspace;
  const auto words = split("dogs see cats");
  std::map<std::string, double> expected;
  double total = 0;
  for (const EnumeratedTree& made : all_trees(parser.model(), words)) {
    const double weight = std::exp(made.log_probability);
    total += weight;
    const PhraseTree tree = restore(made.tree.tree, made.tree.tokens, words, {});
    for (int node = 1; node < tree.size(); ++node) {
      if (tree.is_leaf(node)) continue;
      expected[std::string(tree.label(node)) + " " + std::to_string(tree.begin(node)) + " " +
               std::to_string(tree.end(node))] += weight;
    }
  }
  ParseOptions options = exhaustive(1);
  options.brackets = true;
  const PhraseAnswer found = parser.parse({words}, options, workspace);
  EXPECT_EQ(found.brackets.size(), expected.size());
  for (const Bracket& bracket : found.brackets) {
    const std::string key = std::string(bracket.label) + " " + std::to_string(bracket.begin) + " " +
                            std::to_string(bracket.end);
    EXPECT_NEAR(bracket.probability, expected[key] / total, 1e-9) << key;
  }
}

TEST(GenerativeParser, StopsWhenItIsToldTo) {
  const GenerativeParser parser =
      GenerativeParser::train(prepared_trees(kTinyTreebank), plain_model());
  ParserWorkspace workspace;
  ParseOptions options = exhaustive(1);
  options.stop = Stop::at(Stop::Clock::now());
  EXPECT_THROW(parser.parse({split("dogs see cats")}, options, workspace), Stopped);
}

class FixtureParser : public ::testing::Test {
 protected:
  static const GenerativeParser& trained() {
    static const GenerativeParser parser = GenerativeParser::train(fixture_trees());
    return parser;
  }
  const GenerativeParser& parser_ = trained();
  ParserWorkspace workspace_;
  const std::vector<std::string> sentences_ = {
      "The old man opens the window .", "It rained all night .",
      "`` The carpenter saw the river , '' said Anna .",
      "Tom and the gardener want to plant two trees in the garden .", "Blorg the zurgs !"};
};

TEST_F(FixtureParser, ShorterListsAreTheBeginningOfLongerOnes) {
  for (const std::string& text : sentences_) {
    SCOPED_TRACE(text);
    ParseOptions options;
    options.k = 50;
    const auto fifty = strings(parser_.parse({split(text)}, options, workspace_));
    EXPECT_EQ(std::set<std::string>(fifty.begin(), fifty.end()).size(), fifty.size());
    for (const int k : {1, 10}) {
      options.k = k;
      const auto fewer = strings(parser_.parse({split(text)}, options, workspace_));
      ASSERT_LE(fewer.size(), fifty.size());
      EXPECT_TRUE(std::equal(fewer.begin(), fewer.end(), fifty.begin()));
    }
  }
}

TEST_F(FixtureParser, AWiderBeamIsNeverWorse) {
  for (const std::string& text : sentences_) {
    SCOPED_TRACE(text);
    ParseOptions options;
    options.coarse_threshold = 0;
    double before = -std::numeric_limits<double>::infinity();
    for (const double beam : {10.0, 1e4, 1e12}) {
      options.beam = beam;
      const PhraseAnswer found = parser_.parse({split(text)}, options, workspace_);
      ASSERT_FALSE(found.fallback);
      EXPECT_GE(found.trees[0].log_probability, before - 1e-9);
      before = found.trees[0].log_probability;
    }
  }
}

TEST_F(FixtureParser, MoreItemsOfASpanAreNeverWorse) {
  bool smaller = false;
  for (const std::string& text : sentences_) {
    SCOPED_TRACE(text);
    ParseOptions options;
    options.coarse_threshold = 0;
    const PhraseAnswer all = parser_.parse({split(text)}, options, workspace_);
    const std::size_t items = workspace_.chart.items();
    for (const std::size_t most : {std::size_t{1}, std::size_t{3}}) {
      options.most_items = most;
      const PhraseAnswer found = parser_.parse({split(text)}, options, workspace_);
      ASSERT_FALSE(found.fallback);
      EXPECT_LE(found.trees[0].log_probability, all.trees[0].log_probability + 1e-9);
      smaller |= workspace_.chart.items() < items;
    }
  }
  EXPECT_TRUE(smaller) << "no limit was reached";
}

TEST_F(FixtureParser, WithinKeepsOnlyParsesNearTheBest) {
  ParseOptions options;
  options.k = 1000;
  options.within = 100;
  const PhraseAnswer near = parser_.parse({split(sentences_[3])}, options, workspace_);
  EXPECT_LT(near.trees.size(), 1000U);
  for (const ScoredTree& scored : near.trees) {
    EXPECT_GE(scored.log_probability, near.trees[0].log_probability - std::log(100.0) - 1e-9);
  }
}

TEST_F(FixtureParser, KeepsAllWordsInOrder) {
  for (const std::string& text : sentences_) {
    ParseOptions options;
    options.k = 20;
    for (const ScoredTree& scored : parser_.parse({split(text)}, options, workspace_).trees) {
      EXPECT_EQ(words_of(scored.tree), split(text));
    }
  }
}

TEST_F(FixtureParser, TakesTheTagsItIsGiven) {
  const auto words = split("The old man opens the window .");
  const std::vector<std::string> tags = {"DT", "NN", "NN", "", "no-such-tag", "NN", "."};
  const PhraseAnswer found = parser_.parse({words, tags}, {}, workspace_);
  EXPECT_EQ(found.trees[0].tree.tag(1), "NN");
  EXPECT_EQ(found.trees[0].tree.tag(6), ".");
}

TEST_F(FixtureParser, NeverFailsAndSaysWhenItFellBack) {
  for (const std::string text : {"", ".", ", ,", ". , ''", "the", "the the the the the the the the",
                                 "\xFF \xFE", "( ) ( )"}) {
    SCOPED_TRACE(text);
    const auto words = split(text);
    const PhraseAnswer found = parser_.parse({words}, {}, workspace_);
    EXPECT_EQ(found.trees.empty(), words.empty());
    for (const ScoredTree& scored : found.trees) EXPECT_EQ(words_of(scored.tree), words);
  }
  ParseOptions options;
  options.max_length = 3;
  const PhraseAnswer found = parser_.parse({split(sentences_[0])}, options, workspace_);
  EXPECT_TRUE(found.fallback);
  EXPECT_EQ(found.trees[0].log_probability, GenerativeParser::kFallbackLogProbability);
  EXPECT_EQ(words_of(found.trees[0].tree), split(sentences_[0]));
}

TEST_F(FixtureParser, StopsAtTheLimitOfItsChart) {
  ParseOptions options;
  options.max_edges = 5;
  EXPECT_TRUE(parser_.parse({split(sentences_[0])}, options, workspace_).fallback);
}

TEST_F(FixtureParser, IsTheSameAfterSavingAndLoading) {
  const std::string bytes = write_parser(parser_, nlohmann::json::object()).bytes();
  const GenerativeParser loaded = read_parser(ModelFile::from_bytes(bytes, "test"));
  EXPECT_EQ(write_parser(loaded, nlohmann::json::object()).bytes(), bytes);
  ParseOptions options;
  options.k = 5;
  for (const std::string& text : sentences_) {
    const PhraseAnswer here = parser_.parse({split(text)}, options, workspace_);
    const PhraseAnswer there = loaded.parse({split(text)}, options, workspace_);
    EXPECT_EQ(strings(here), strings(there));
    EXPECT_EQ(here.trees[0].log_probability, there.trees[0].log_probability);
  }
}

TEST(GenerativeParser, RefusesAModelOfAnotherKind) {
  const ModelWriter other("tagger", nlohmann::json::object());
  EXPECT_THROW(read_parser(ModelFile::from_bytes(other.bytes(), "test")), Error);
  const ModelWriter empty(kConstituencyKind, {{"model", "generative"}});
  EXPECT_THROW(read_parser(ModelFile::from_bytes(empty.bytes(), "test")), Error);
}

// Bars a little under what was measured: F1 87.5, and an oracle of lists of 20 more than 7 above.
TEST(GenerativeData, ParsesNewspaperTextAsWellAsMeasured) {
  const std::string folder = tree_testing::data_folder();
  if (folder.empty()) GTEST_SKIP() << "COPSE_DATA is not set";
  const auto read = [&](const char* name) {
    return tree_testing::trees_of(tree_testing::file_bytes(folder + "/wsj-sample/" + name));
  };
  std::vector<PreparedTree> trees;
  const HeadRules heads = HeadRules::builtin("collins");
  for (const PhraseTree& tree : read("train.mrg")) trees.push_back(prepare(tree, heads));
  const GenerativeParser parser = GenerativeParser::train(trees);
  ParserWorkspace workspace;
  ParseOptions options;
  options.k = 20;
  NBestScores scores;
  int fallbacks = 0;
  for (const PhraseTree& tree : read("dev.mrg")) {
    PhraseAnswer found = parser.parse({words_of(tree)}, options, workspace);
    fallbacks += found.fallback ? 1 : 0;
    NBestList list{"x", std::move(found.trees), {}};
    scores.add(list, gold_line(tree));
  }
  EXPECT_EQ(fallbacks, 0);
  EXPECT_EQ(scores.baseline().errors, 0);
  EXPECT_GT(scores.baseline().f1(), 87.0);
  EXPECT_GT(scores.oracle().f1(), scores.baseline().f1() + 5);
}

}  // namespace
}  // namespace copse::generative
