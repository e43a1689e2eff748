// Demands on trees, against the list of all trees of the sentence.
#include "copse/dependency/parser_demands.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/dependency/dependency_testing.h"

namespace copse {
namespace {

using dependency_testing::failure_of;
using dependency_testing::fixture;
using dependency_testing::parser_of;
using dependency_testing::quick_training;
using dependency_testing::sentence_of;
using dependency_testing::train;

// A parser without labels that prunes nothing, so that a list can hold all trees.
const DependencyParser& parser_for(bool projective) {
  static const auto make = [](bool crossing) {
    DependencyTraining options = quick_training();
    options.kind.projective = !crossing;
    options.nonprojective = crossing;
    options.labelled = false;
    options.pruner.filter = false;
    options.pruner.threshold = 0;
    return parser_of(train(fixture("english.conllu", 20), {}, options));
  };
  static const DependencyParser straight = make(false), crossing = make(true);
  return projective ? straight : crossing;
}

Sentence five_words() {
  return sentence_of({{"Rain", "NOUN", "NN"},
                      {"fell", "VERB", "VBD"},
                      {"on", "ADP", "IN"},
                      {"the", "DET", "DT"},
                      {"roof", "NOUN", "NN"}});
}

Parse parse(const DependencyParser& parser, const Sentence& sentence,
            const DependencyParseOptions& options) {
  DependencyParser::Scratch scratch;
  return parser.parse(sentence, options, scratch);
}

// The words of a phrase by their heads, said another way than in the code: the yield of some word.
bool is_yield(const SpanDemand& span, const std::vector<int>& heads) {
  for (int top = 1; top < static_cast<int>(heads.size()); ++top) {
    bool same = true;
    for (int m = 1; m < static_cast<int>(heads.size()); ++m) {
      int above = m;
      while (above > 0 && above != top) above = heads[static_cast<std::size_t>(above)];
      same = same && (above == top) == (span.first <= m && m <= span.last);
    }
    if (same) return true;
  }
  return false;
}

bool meets(const Sentence& sentence, const std::vector<int>& heads) {
  const TreeDemands demands = tree_demands(sentence);
  for (int m = 1; m <= sentence.words(); ++m) {
    const auto at = static_cast<std::size_t>(m);
    if (sentence.head(m) >= 0 && sentence.head(m) != heads[at]) return false;
    if (at >= demands.not_heads.size()) continue;
    const auto& forbidden = demands.not_heads[at];
    if (std::find(forbidden.begin(), forbidden.end(), heads[at]) != forbidden.end()) return false;
  }
  return std::all_of(demands.spans.begin(), demands.spans.end(), [&](const SpanDemand& span) {
    return is_yield(span, heads) != span.forbidden;
  });
}

TEST(ParserDemands, TheBestTreeThatMeetsThemIsFound) {
  int met = 0, refused = 0;
  for (const bool projective : {true, false}) {
    const DependencyParser& parser = parser_for(projective);
    const auto all = parse(parser, five_words(), {.k = 5000}).trees;
    ASSERT_EQ(all.size(), projective ? 143U : 625U);
    for (unsigned seed = 0; seed < 150; ++seed) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << " projective " << projective);
      std::mt19937 random(seed);
      const auto pick = [&](int least, int most) {
        return least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
      };
      Sentence sentence = five_words();
      for (int i = pick(1, 3); i > 0; --i) {
        const int word = pick(1, 5);
        switch (pick(0, 3)) {
          case 0:
            sentence.set_head(word, word == 1 ? 2 : word - 1);
            break;
          case 1:
            sentence.set_misc(word, "NotHead", std::to_string(pick(0, 5)));
            break;
          case 2:
            sentence.set_misc(word, "SpanTo", std::to_string(pick(word, 5)));
            break;
          default:
            sentence.set_misc(word, "NotSpanTo", std::to_string(pick(word, 5)));
        }
      }
      const ParsedTree* expected = nullptr;
      const std::string wrong = failure_of([&] { tree_demands(sentence); });
      for (const ParsedTree& tree : all) {
        if (wrong.empty() && expected == nullptr && meets(sentence, tree.heads)) expected = &tree;
      }
      std::vector<int> found;
      double score = 0;
      const std::string failure = failure_of([&] {
        const Parse best = parse(parser, sentence, {.constraints = true});
        found = best.trees[0].heads;
        score = best.trees[0].score;
      });
      EXPECT_EQ(failure.empty(), expected != nullptr) << failure;
      if (expected == nullptr || !failure.empty()) {
        ++refused;
        continue;
      }
      ++met;
      EXPECT_TRUE(meets(sentence, found));
      EXPECT_NEAR(score, expected->score, 1e-4);
    }
  }
  EXPECT_GT(met, 100);
  EXPECT_GT(refused, 20);
}

TEST(ParserDemands, ContradictionsNameTheWords) {
  const auto failure = [](const std::function<void(Sentence&)>& demand, bool projective = true) {
    Sentence sentence = five_words();
    demand(sentence);
    return failure_of([&] { parse(parser_for(projective), sentence, {.constraints = true}); });
  };
  const std::string begin = "data: the demands contradict each other: ";
  EXPECT_EQ(
      failure([](Sentence& s) {
        s.set_head(1, 3);
        s.set_head(2, 4);
      }),
      "data: the heads given to words 1 and 2 cross, and the parser makes projective trees only");
  EXPECT_EQ(failure(
                [](Sentence& s) {
                  s.set_head(1, 3);
                  s.set_head(2, 4);
                },
                false),
            "");
  EXPECT_EQ(failure([](Sentence& s) {
              s.set_head(2, 0);
              s.set_misc(2, "NotHead", "3,0");
            }),
            begin + "word 2 must and must not hang on the root");
  EXPECT_EQ(failure([](Sentence& s) { s.set_misc(3, "NotHead", "0,1,2,4,5"); }),
            begin + "word 3 has no head left");
  EXPECT_EQ(failure([](Sentence& s) {
              s.set_misc(3, "SpanTo", "5");
              s.set_head(1, 4);
            }),
            begin + "word 1 is to hang on word 4 inside of words 3 to 5, which are to be a phrase");
  EXPECT_EQ(
      failure([](Sentence& s) {
        s.set_misc(3, "SpanTo", "5");
        s.set_head(3, 2);
        s.set_head(5, 2);
      }),
      begin +
          "words 3 and 5 are both to hang on words outside of words 3 to 5, which are to be a "
          "phrase");
  EXPECT_EQ(failure([](Sentence& s) {
              s.set_misc(1, "SpanTo", "3");
              s.set_misc(2, "SpanTo", "4");
            }),
            begin + "words 1 to 3 and words 2 to 4 cannot both be a phrase");
  EXPECT_EQ(failure([](Sentence& s) {
              s.set_head(1, 2);
              s.set_head(2, 1);
            }),
            begin + "no tree meets those on words 1 and 2");
  EXPECT_EQ(failure([](Sentence& s) { s.set_misc(1, "SpanTo", "3:NP"); }),
            "data: words 1 to 3: a phrase of a dependency tree has no label \"NP\"");
  EXPECT_EQ(failure([](Sentence& s) { s.set_misc(1, "NotHead", "9"); }),
            "data: word 1: NotHead=9; expected the number of a word, 0 to 5");
}

TEST(ParserDemands, LabelsCanBeForbidden) {
  const auto parser = parser_of(train(fixture("english.conllu", 20), {}, quick_training()));
  Sentence sentence = five_words();
  const auto label_of = [&](int word) -> std::string {
    return std::string(
        parser.tree_of(parse(parser, sentence, {.constraints = true}).trees[0]).label(word));
  };
  const std::string free(label_of(1));
  sentence.set_misc(1, "NotDeprel", free);
  const std::string other(label_of(1));
  EXPECT_NE(other, free);
  sentence.set_misc(1, "NotDeprel", free + "," + other);
  EXPECT_NE(label_of(1), free);
  EXPECT_NE(label_of(1), other);
  sentence.set(1, Column::deprel, free);
  EXPECT_EQ(
      failure_of([&] { label_of(1); }),
      "data: the demands contradict each other: word 1 must and must not have the label " + free);
  // Of a list and of probabilities as well.
  sentence.set(1, Column::deprel, "_");
  for (const ParsedTree& tree :
       parse(parser, sentence, {.k = 20, .marginals = true, .constraints = true}).trees) {
    EXPECT_NE(parser.tree_of(tree).label(1), free);
    EXPECT_GT(tree.label_probability[1], 0);
  }
}

TEST(ParserDemands, PhrasesAreDemandedOfTheBestTreeOnly) {
  Sentence sentence = five_words();
  sentence.set_misc(3, "SpanTo", "5");
  for (const DependencyParseOptions& options :
       {DependencyParseOptions{.k = 2, .constraints = true},
        DependencyParseOptions{.marginals = true, .constraints = true}}) {
    EXPECT_EQ(
        failure_of([&] { parse(parser_for(true), sentence, options); }),
        "usage: phrases can be demanded of the best tree only, not of lists or probabilities");
  }
}

}  // namespace
}  // namespace copse
