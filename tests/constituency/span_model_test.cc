// The model of spans: its features by name, a step of its learning by hand, and what it adds to trees
// against the enumeration of all trees.
#include "copse/constituency/generative/span_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

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

class SpanModelTest : public ::testing::Test {
 protected:
  SpanSentence sentence(const std::string& words, const std::string& tags) const {
    std::vector<LabelId> numbers;
    for (const std::string& tag : split(tags)) numbers.push_back(labels_.tag(tag));
    return {split(words), numbers, labels_, lexicon_};
  }
  std::vector<EventKey> keys(const SpanSentence& sentence, int begin, int end) const {
    std::vector<EventKey> found;
    span_features(sentence, begin, end, found);
    return found;
  }

  const std::vector<PreparedTree> trees_ = prepared_trees(kTinyTreebank);
  const LabelSet labels_ = LabelSet::of(trees_);
  const Lexicon lexicon_{trees_, labels_, {.rare_below = 1}};
};

TEST_F(SpanModelTest, CountsWhatIsInsideASpan) {
  const SpanSentence s = sentence("dogs see cats , and sleep", "NNS VBP NNS , CC VBP");
  EXPECT_EQ(s.count(SpanSentence::kVerb, 0, 6), 2);
  EXPECT_EQ(s.count(SpanSentence::kVerb, 2, 6), 1);
  EXPECT_EQ(s.count(SpanSentence::kComma, 0, 3), 0);
  EXPECT_EQ(s.count(SpanSentence::kComma, 0, 4), 1);
  EXPECT_EQ(s.count(SpanSentence::kConjunction, 3, 5), 1);
  EXPECT_EQ(s.tag(-1), kNoLabel);
  EXPECT_EQ(s.tag(6), kNoLabel);
  EXPECT_EQ(s.word(2), lexicon_.word("cats"));
}

// Which features change with which word: the edges are seen as words, what is two words away as a
// tag, the inside of a short span as tags.
TEST_F(SpanModelTest, FeaturesSeeTheEdgesAndWhatIsNextToThem) {
  const SpanSentence before = sentence("dogs see cats with dogs today", "NNS VBP NNS IN NNS RB");
  const auto changed = [&](const std::string& words, const std::string& tags) {
    const auto a = keys(before, 2, 5), b = keys(sentence(words, tags), 2, 5);
    EXPECT_EQ(a.size(), b.size());
    std::size_t different = 0;
    for (std::size_t i = 0; i < a.size(); ++i) different += a[i] != b[i] ? 1 : 0;
    return different;
  };
  EXPECT_EQ(keys(before, 2, 5).size(), 46U);
  // fw, fw length, fw lt, bt fw, bw fw, fw lw
  EXPECT_EQ(changed("dogs see dogs with dogs today", "NNS VBP NNS IN NNS RB"), 6U);
  // bw, bw length, bw ft, bw at, bw fw, bw aw
  EXPECT_EQ(changed("dogs sleep cats with dogs today", "NNS VBP NNS IN NNS RB"), 6U);
  // t-2 bt ft
  EXPECT_EQ(changed("dogs see cats with dogs today", "RB VBP NNS IN NNS RB"), 1U);
  // the second tag, that before the last, all tags alone and with bt at
  EXPECT_EQ(changed("dogs see cats with dogs today", "NNS VBP NNS RB NNS RB"), 4U);
  EXPECT_EQ(changed("cats see cats and dogs today", "NNS VBP NNS IN NNS RB"), 0U);
}

// One tree, one span, all weights 0: P = 1/2 and the slope of each gold label is -1/2, so AdaGrad
// moves each weight by 0.1 * 0.5 / sqrt(0.25 + 0.01) = 0.0980581; a span of one word has 46 features.
TEST_F(SpanModelTest, LearnsOneStepAsComputedByHand) {
  const auto one = prepared_trees("(NP (NNS dogs))");
  const LabelSet labels = LabelSet::of(one);
  const Lexicon lexicon(one, labels, {});
  const SpanModel model(one, labels, lexicon, {.epochs = 1, .weight = 0.3, .rate = 0.1});
  const SpanSentence s({"dogs"}, {labels.tag("NNS")}, labels, lexicon);
  const auto scores = model.scores(s, {0});
  ASSERT_EQ(scores.size(), 2U);  // NP, NPB
  for (const float score : scores) EXPECT_NEAR(score, 46 * 0.0980581, 1e-4);
  for (const float bonus : model.bonus(s, {0})) EXPECT_NEAR(bonus, 0.3 * 46 * 0.0980581, 1e-4);
  const SpanModel limited(one, labels, lexicon,
                          {.epochs = 1, .weight = 0.3, .rate = 0.1, .most = 2});
  for (const float bonus : limited.bonus(s, {0})) EXPECT_NEAR(bonus, 0.6, 1e-6);
}

TEST_F(SpanModelTest, TellsPhrasesFromOtherSpans) {
  const SpanModel model(trees_, labels_, lexicon_, {.epochs = 40});
  const auto phrases = static_cast<std::size_t>(labels_.phrases());
  int right = 0, all = 0;
  for (const PreparedTree& tree : trees_) {
    std::vector<LabelId> tags;
    for (const std::string& tag : tree.tags) tags.push_back(labels_.tag(tag));
    const std::size_t n = tree.tokens.size();
    const auto scores = model.scores({tree.words, tags, labels_, lexicon_}, tree.tokens);
    std::set<std::size_t> gold;
    for (int node = 0; node < tree.tree.size(); ++node) {
      if (tree.tree.is_leaf(node)) continue;
      const auto span = static_cast<std::size_t>(tree.tree.begin(node)) * n +
                        static_cast<std::size_t>(tree.tree.end(node)) - 1;
      gold.insert(span * phrases + static_cast<std::size_t>(labels_.phrase_index(
                                       labels_.phrase(tree.tree.label(node)))));
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t at = (i * n + i) * phrases; at < (i + 1) * n * phrases; ++at) {
        right += (scores[at] > 0) == gold.contains(at) ? 1 : 0;
        ++all;
      }
    }
  }
  EXPECT_GT(right, all * 95 / 100);
}

// Every tree's score is its log-probability, the bonus of each of its phrases, and what the model of
// spans gives to there being no others.
TEST_F(SpanModelTest, AddsToEveryTreeWhatItsPhrasesAreWorth) {
  ModelOptions options = plain_model();
  options.spans.epochs = 3;
  const GenerativeParser parser = GenerativeParser::train(trees_, options);
  const GenerativeModel& model = parser.model();
  const SpanModel spans(trees_, model.labels(), model.lexicon(), options.spans);
  ParserWorkspace workspace;
  for (const std::string text : {"dogs sleep", "dogs see cats", "dogs , cats"}) {
    SCOPED_TRACE(text);
    const auto words = split(text);
    std::vector<LabelId> tags;
    for (const std::string& word : words) tags.push_back(model.lexicon().usual_tag(word));
    std::vector<int> tokens;
    for (std::size_t i = 0; i < words.size(); ++i) tokens.push_back(static_cast<int>(i));
    const auto bonus = spans.bonus({words, tags, model.labels(), model.lexicon()}, tokens);
    // ln(1 - p) of every label over every span, whatever the tree.
    double none = 0;
    for (const float score : spans.scores({words, tags, model.labels(), model.lexicon()}, tokens)) {
      none -= options.spans.weight * std::log1p(std::exp(std::clamp(score, -8.0F, 8.0F)));
    }
    // Places that are no spans, j <= i, have the score 0.
    const std::size_t n = words.size();
    none += options.spans.weight * std::log(2.0) * static_cast<double>(n * (n - 1) / 2) *
            model.labels().phrases();
    std::map<std::string, double> expected;
    for (const auto& made : all_trees(model, words)) {
      const PhraseTree& tree = made.tree.tree;
      double score = made.log_probability + none;
      for (int node = 0; node < tree.size(); ++node) {
        if (tree.is_leaf(node)) continue;
        const int phrase = model.labels().phrase_index(model.labels().phrase(tree.label(node)));
        const auto span = tree.begin(node) * static_cast<int>(words.size()) + tree.end(node) - 1;
        score += bonus[static_cast<std::size_t>(span * model.labels().phrases() + phrase)];
      }
      const std::string output = restore(tree, made.tree.tokens, words, {}).str();
      const auto place = expected.emplace(output, score).first;
      place->second = std::max(place->second, score);
    }
    const PhraseAnswer found = parser.parse({words}, exhaustive(20'000), workspace);
    EXPECT_EQ(found.trees.size(), expected.size());
    for (const ScoredTree& scored : found.trees) {
      const auto match = expected.find(scored.tree.str());
      ASSERT_NE(match, expected.end()) << scored.tree.str();
      EXPECT_NEAR(scored.log_probability, match->second, 1e-5) << scored.tree.str();
    }
  }
}

}  // namespace
}  // namespace copse::generative
