#include "copse/dependency/explain.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "copse/base/error.h"
#include "copse/dependency/trainer.h"
#include "copse/treebank/treebank.h"
#include "tests/source_dir.h"

namespace copse {
namespace {

std::vector<Sentence> sentences(std::size_t first, std::size_t last) {
  std::vector<Sentence> out;
  for (Entry& entry : read_treebank(source_dir() + "/fixtures/english.conllu")) {
    out.push_back(std::move(entry.sentence));
  }
  return {out.begin() + static_cast<std::ptrdiff_t>(first),
          out.begin() + static_cast<std::ptrdiff_t>(std::min(last, out.size()))};
}

DependencyParser trained(const TreeKind& kind, bool labelled = true) {
  DependencyTraining options;
  options.kind = kind;
  options.nonprojective = !kind.projective;
  options.labelled = labelled;
  options.learner.passes = 2;
  options.selection.min_count = 1;
  const TrainedParser parser = train_dependency_parser(sentences(0, 30), {}, options, {});
  ModelWriter writer(kDependencyKind, parser_config(parser.parts));
  save_parser(parser.parts, parser.templates, parser.weights, writer);
  return DependencyParser::load(ModelFile::from_bytes(writer.bytes(), "test"));
}

// Of the weights summed in double and of the scores summed by the search in single precision.
double tolerance(double score) {
  return 1e-4 * (1 + std::abs(score));
}

void ExpectSumsAddUp(const ArcExplanation& explained) {
  EXPECT_NEAR(explained.difference(), explained.best.score - explained.other.score, 1e-9);
  double templates = 0;
  for (const TemplateShare& share : shares_by_template(explained)) {
    templates += share.difference();
    double features = 0;
    for (const FeatureShare& feature : share.features) features += feature.difference();
    EXPECT_NEAR(features, share.difference(), 1e-9) << share.name;
  }
  EXPECT_NEAR(templates, explained.difference(), 1e-9);
  for (const ExplainedPart& part : explained.parts) {
    double features = 0;
    for (const ExplainedFeature& feature : part.features) features += feature.weight;
    EXPECT_NEAR(features, part.score, 1e-9) << str(part.part);
  }
}

// The best tree of a long list in which the word has another head.
std::optional<double> rival_score(const Parse& list, int word, int head) {
  for (const ParsedTree& tree : list.trees) {
    if (tree.heads[static_cast<std::size_t>(word)] != head) return tree.score;
  }
  return std::nullopt;
}

// How many runners-up were found in the list.
int ExpectExplained(const DependencyParser& parser, const Sentence& sentence) {
  DependencyParser::Scratch scratch;
  DependencyParseOptions options;
  const Parse best = parser.parse(sentence, options, scratch);
  options.k = 1000;
  const Parse list = parser.parse(sentence, options, scratch);
  ArcExplainer explainer(parser, sentence, options);
  EXPECT_EQ(explainer.best().heads, best.trees[0].heads);
  EXPECT_EQ(explainer.best().labels, best.trees[0].labels);
  EXPECT_NEAR(explainer.best().score, best.trees[0].score, tolerance(best.trees[0].score));
  int compared = 0;
  for (int m = 1; m <= sentence.words(); ++m) {
    SCOPED_TRACE(testing::Message() << "word " << m);
    const ArcExplanation explained = explainer.explain(m);
    EXPECT_NE(explained.where, OtherTree::nowhere);
    if (explained.where == OtherTree::nowhere) continue;
    EXPECT_NE(explained.head(), explained.other_head());
    ExpectSumsAddUp(explained);
    if (explained.where != OtherTree::survived) continue;
    EXPECT_GE(explained.difference(), -1e-4);
    const auto rival = rival_score(list, m, explained.head());
    if (!rival) continue;
    EXPECT_NEAR(explained.other.score, *rival, tolerance(*rival));
    ++compared;
  }
  return compared;
}

class ExplainOrders : public testing::TestWithParam<TreeKind> {};

TEST_P(ExplainOrders, AddsUpToTheDifferenceFromTheBestTreeWithAnotherHead) {
  // Lists of labelled trees are full of trees that differ in labels alone: those without labels
  // show more runners-up.
  for (const bool labelled : {true, false}) {
    DependencyParser parser = trained(GetParam(), labelled);
    parser.set_prune_threshold(1e-9);  // so that there is much to choose from
    int number = 0, compared = 0;
    for (const Sentence& sentence : sentences(28, 36)) {
      SCOPED_TRACE(testing::Message() << "sentence " << ++number);
      compared += ExpectExplained(parser, sentence);
    }
    EXPECT_GT(compared, labelled ? 0 : 15);
  }
}

INSTANTIATE_TEST_SUITE_P(All, ExplainOrders,
                         testing::Values(TreeKind{Factorisation::first, RootRule::single, true},
                                         TreeKind{Factorisation::first, RootRule::multi, false},
                                         TreeKind{Factorisation::sibling, RootRule::single, true},
                                         TreeKind{Factorisation::carreras, RootRule::multi, true},
                                         TreeKind{Factorisation::model1, RootRule::single, true},
                                         TreeKind{Factorisation::model2, RootRule::single, true}),
                         [](const auto& tested) {
                           return std::string(name(tested.param.order)) +
                                  (tested.param.projective ? "" : "Nonprojective");
                         });

class Explain : public testing::Test {
 protected:
  static const DependencyParser& parser() {
    static const DependencyParser kParser =
        trained({Factorisation::sibling, RootRule::single, true});
    return kParser;
  }
  const std::vector<Sentence> sentences_ = sentences(0, 57);
};

TEST_F(Explain, ComparesWithTheHeadAskedFor) {
  const Sentence& sentence = sentences_[0];
  ArcExplainer explainer(parser(), sentence, {});
  for (int m = 1; m <= sentence.words(); ++m) {
    for (int h = 0; h <= sentence.words(); ++h) {
      if (h == m || h == explainer.best().heads[static_cast<std::size_t>(m)]) continue;
      SCOPED_TRACE(testing::Message() << h << " -> " << m);
      const ArcExplanation explained = explainer.explain(m, h);
      EXPECT_EQ(explained.other_head(), h);
      ExpectSumsAddUp(explained);
    }
  }
}

TEST_F(Explain, ComparesWithTheBestOfAllOtherHeads) {
  DependencyParser generous = parser();
  generous.set_prune_threshold(1e-9);
  int compared = 0;
  for (const Sentence& sentence : sentences(6, 16)) {
    ArcExplainer explainer(generous, sentence, {});
    for (int m = 1; m <= sentence.words(); ++m) {
      const ArcExplanation runner_up = explainer.explain(m);
      if (runner_up.where != OtherTree::survived) continue;
      double highest = -1e9;
      for (int h = 0; h <= sentence.words(); ++h) {
        if (h == m || h == runner_up.head()) continue;
        const ArcExplanation asked = explainer.explain(m, h);
        if (asked.where == OtherTree::survived) highest = std::max(highest, asked.other.score);
      }
      EXPECT_NEAR(runner_up.other.score, highest, 1e-9);
      ++compared;
    }
  }
  EXPECT_GT(compared, 10);
}

TEST_F(Explain, LooksBehindThePrunerWhereItLeftOneHead) {
  DependencyParser strict = parser();
  strict.set_prune_threshold(1);
  int behind = 0;
  for (const Sentence& sentence : sentences(0, 12)) {
    ArcExplainer explainer(strict, sentence, {});
    for (int m = 1; m <= sentence.words(); ++m) {
      const ArcExplanation explained = explainer.explain(m);
      ASSERT_NE(explained.where, OtherTree::nowhere);
      EXPECT_NE(explained.head(), explained.other_head());
      ExpectSumsAddUp(explained);
      behind += explained.where == OtherTree::survived ? 0 : 1;
    }
  }
  EXPECT_GT(behind, 20);
}

TEST_F(Explain, NamesTheFeaturesOfTheArcsThatDiffer) {
  ArcExplainer explainer(parser(), sentences_[0], {});
  const ArcExplanation explained = explainer.explain(2);
  const std::string form = "m.w=" + std::string(sentences_[0].form(2));
  bool named = false;
  for (const ExplainedPart& part : explained.parts) {
    if (part.part.family != PartFamily::dep || part.label != ExplainedPart::kNoLabel) continue;
    if (part.part.h != explained.head() || part.part.m != 2) continue;
    EXPECT_TRUE(part.chosen);
    for (const ExplainedFeature& feature : part.features) {
      EXPECT_EQ(feature.name.rfind("dep ", 0), 0U) << feature.name;
      named = named || feature.values.find(form) != std::string::npos;
    }
  }
  EXPECT_TRUE(named);
}

TEST_F(Explain, GivesLabelsTheirOwnParts) {
  ArcExplainer explainer(parser(), sentences_[0], {});
  const ArcExplanation explained = explainer.explain(1);
  int labels = 0;
  for (const ExplainedPart& part : explained.parts) {
    if (part.label == ExplainedPart::kNoLabel) continue;
    ++labels;
    for (const ExplainedFeature& feature : part.features) {
      EXPECT_EQ(feature.name.rfind("label ", 0), 0U);
      const std::string& label = parser().labels()[static_cast<std::size_t>(part.label)];
      EXPECT_NE(feature.values.find(" label=" + label), std::string::npos);
    }
  }
  EXPECT_GE(labels, 2);
}

TEST_F(Explain, ListsTheLargestDifferencesFirst) {
  ArcExplainer explainer(parser(), sentences_[0], {});
  const auto shares = shares_by_template(explainer.explain(1));
  ASSERT_GT(shares.size(), 2U);
  for (std::size_t k = 1; k < shares.size(); ++k) {
    EXPECT_GE(std::abs(shares[k - 1].difference()), std::abs(shares[k].difference()));
  }
}

TEST_F(Explain, HasNothingToCompareASingleWordWith) {
  Sentence word;
  word.add_word("Yes");
  ArcExplainer explainer(parser(), word, {});
  const ArcExplanation explained = explainer.explain(1);
  EXPECT_EQ(explained.where, OtherTree::nowhere);
  EXPECT_TRUE(explained.parts.empty());
}

TEST_F(Explain, RefusesWordsAndHeadsThatAreNotThere) {
  ArcExplainer explainer(parser(), sentences_[0], {});
  const int n = sentences_[0].words();
  EXPECT_THROW(explainer.explain(0), Error);
  EXPECT_THROW(explainer.explain(n + 1), Error);
  EXPECT_THROW(explainer.explain(1, 1), Error);
  EXPECT_THROW(explainer.explain(1, n + 1), Error);
  EXPECT_THROW(explainer.explain(1, -1), Error);
  EXPECT_THROW(explainer.explain(1, explainer.best().heads[1]), Error);
}

TEST(ExplainUnlabelled, HasNoLabels) {
  const DependencyParser parser = trained({Factorisation::first, RootRule::single, true}, false);
  const auto all = sentences(0, 1);
  ArcExplainer explainer(parser, all[0], {});
  const ArcExplanation explained = explainer.explain(1);
  EXPECT_TRUE(explained.best.labels.empty());
  for (const ExplainedPart& part : explained.parts) EXPECT_EQ(part.label, ExplainedPart::kNoLabel);
  ExpectSumsAddUp(explained);
}

}  // namespace
}  // namespace copse
