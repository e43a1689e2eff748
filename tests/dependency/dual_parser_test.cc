// Parsers of higher order whose trees may cross: trained, saved, loaded and used.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "copse/dependency/explain.h"
#include "copse/dependency/parser.h"
#include "tests/dependency/dependency_testing.h"
#include "tests/inference/dual_ilp.h"

namespace copse {
namespace {

using dependency_testing::failure_of;
using dependency_testing::fixture;
using dependency_testing::parser_of;
using dependency_testing::quick_training;
using dependency_testing::train;

struct Sort {
  Factorisation order;
  bool over_automata;
  RootRule root = RootRule::single;
};
const std::vector<Sort> kSorts{{Factorisation::sibling, false},
                               {Factorisation::sibling, true},
                               {Factorisation::model1, false, RootRule::multi},
                               {Factorisation::model1, true},
                               {Factorisation::model2, false}};

DependencyTraining training_of(const Sort& sort) {
  DependencyTraining options = quick_training(sort.order);
  options.kind.root = sort.root;
  options.nonprojective = true;
  options.over_automata = sort.over_automata;
  options.learner.passes = 6;
  return options;
}

// Trained once each.
const DependencyParser& parser_for(std::size_t k) {
  static std::map<std::size_t, DependencyParser> parsers;
  const auto found = parsers.find(k);
  if (found != parsers.end()) return found->second;
  return parsers.emplace(k, parser_of(train(fixture("german.conllu"), {}, training_of(kSorts[k]))))
      .first->second;
}

std::string describe(const Sort& sort) {
  return std::string(name(sort.order)) + (sort.over_automata ? " over automata" : "");
}

TEST(DualParser, LearntSentencesComeBackWithTheirCrossingArcsAndProofs) {
  const auto sentences = fixture("german.conllu");
  for (std::size_t k = 0; k < kSorts.size(); ++k) {
    SCOPED_TRACE(describe(kSorts[k]));
    const DependencyParser& parser = parser_for(k);
    EXPECT_TRUE(parser.parts().kind.is_dual());
    DependencyParser::Scratch scratch;
    int right = 0, words = 0, crossing = 0, proved = 0;
    for (const Sentence& sentence : sentences) {
      const Parse found = parser.parse(sentence, {}, scratch);
      const DependencyTree tree = parser.tree_of(found.trees[0]);
      EXPECT_TRUE(tree.is_tree());
      ASSERT_TRUE(found.certificate);
      proved += found.certificate->optimal ? 1 : 0;
      const TreeKind projective{Factorisation::first, RootRule::multi, true};
      crossing += projective.holds(found.trees[0].heads) ? 0 : 1;
      for (int m = 1; m <= sentence.words(); ++m) {
        right += tree.head(m) == sentence.head(m) ? 1 : 0;
        ++words;
      }
    }
    EXPECT_GT(right, 0.85 * words);
    EXPECT_GT(crossing, 0);
    EXPECT_GT(proved, 0.9 * static_cast<double>(sentences.size()));
  }
}

TEST(DualParser, ProvedTreesOfTrainedScoresAreTheIntegerOptimum) {
  for (const std::size_t k : {0U, 2U}) {
    SCOPED_TRACE(describe(kSorts[k]));
    DependencyParser parser = parser_for(k);
    parser.set_prune_threshold(1e-6);
    DependencyParser::Scratch scratch;
    int compared = 0;
    for (const Sentence& sentence : fixture("german.conllu")) {
      if (sentence.words() == 0 || sentence.words() > 12) continue;
      const SearchSpace space = parser.search_space(sentence, {}, scratch);
      parser.score(space.index, scratch, scratch.scores);
      const reference::IlpAnswer exact = reference::solve_ilp(space.index, scratch.scores);
      ASSERT_TRUE(exact.feasible);
      const Parse found = parser.parse(sentence, {}, scratch);
      EXPECT_LE(found.trees[0].score, exact.value + 1e-4);
      EXPECT_GE(found.certificate->bound, exact.value - 1e-4);
      if (found.certificate->optimal) {
        EXPECT_NEAR(found.trees[0].score, exact.value, 1e-4);
      }
      ++compared;
    }
    EXPECT_GT(compared, 3);
  }
}

TEST(DualParser, ListsBeginWithTheBestTreeAndAreSorted) {
  for (std::size_t k = 0; k < kSorts.size(); ++k) {
    SCOPED_TRACE(describe(kSorts[k]));
    DependencyParser::Scratch scratch;
    DependencyParser parser = parser_for(k);
    parser.set_prune_threshold(1e-9);
    const Sentence sentence = fixture("german.conllu").front();
    const Parse one = parser.parse(sentence, {}, scratch);
    const Parse ten = parser.parse(sentence, {.k = 10}, scratch);
    ASSERT_GT(ten.trees.size(), 1U);
    ASSERT_LE(ten.trees.size(), 10U);
    EXPECT_EQ(ten.trees[0].heads, one.trees[0].heads);
    std::set<std::pair<std::vector<int>, std::vector<int>>> seen;
    for (std::size_t i = 0; i < ten.trees.size(); ++i) {
      EXPECT_TRUE(seen.emplace(ten.trees[i].heads, ten.trees[i].labels).second);
      if (i > 0) {
        EXPECT_LE(ten.trees[i].score, ten.trees[i - 1].score + 1e-9);
      }
    }
  }
}

TEST(DualParser, ProbabilitiesOfArcsAreThoseOfADistribution) {
  for (std::size_t k = 0; k < kSorts.size(); ++k) {
    SCOPED_TRACE(describe(kSorts[k]));
    const DependencyParser& parser = parser_for(k);
    DependencyParser::Scratch scratch;
    for (const Sentence& sentence : fixture("german.conllu", 6)) {
      const SearchSpace space = parser.search_space(sentence, {}, scratch);
      parser.score(space.index, scratch, scratch.scores);
      const Marginals found = scratch.search.marginals(space.kind, space.index, scratch.scores);
      std::vector<double> sum(static_cast<std::size_t>(sentence.words()) + 1, 0.0);
      for (int a = 0; a < space.index.arcs(); ++a) {
        sum[static_cast<std::size_t>(space.index.arc(a).m)] += found.mu[space.index.dep(a)];
      }
      for (int m = 1; m <= sentence.words(); ++m) {
        EXPECT_NEAR(sum[static_cast<std::size_t>(m)], 1, 1e-6);
      }
      const Parse parsed = parser.parse(sentence, {.marginals = true}, scratch);
      EXPECT_GT(parsed.trees[0].probability, 0);
      EXPECT_LE(parsed.trees[0].probability, 1 + 1e-9);
      const Parse risk = parser.parse(sentence, {.mbr = true}, scratch);
      EXPECT_TRUE(parser.tree_of(risk.trees[0]).is_tree());
    }
  }
}

TEST(DualParser, ConstraintsAreKept) {
  for (std::size_t k = 0; k < kSorts.size(); ++k) {
    SCOPED_TRACE(describe(kSorts[k]));
    const DependencyParser& parser = parser_for(k);
    DependencyParser::Scratch scratch;
    for (Sentence sentence : fixture("german.conllu", 8)) {
      // Every other word keeps its head, and one its label.
      for (int m = 1; m <= sentence.words(); ++m) {
        if (m % 2 == 0) sentence.set_head(m, DependencyTree::kNoHead);
        if (m > 1) sentence.set(m, Column::deprel, "_");
      }
      const Parse found = parser.parse(sentence, {.constraints = true}, scratch);
      const DependencyTree tree = parser.tree_of(found.trees[0]);
      for (int m = 1; m <= sentence.words(); m += 2) EXPECT_EQ(tree.head(m), sentence.head(m));
      EXPECT_EQ(tree.label(1), sentence.deprel(1));
    }
  }
}

TEST(DualParser, ExplanationsAddUp) {
  const DependencyParser& parser = parser_for(2);
  const Sentence sentence = fixture("german.conllu", 2).back();
  ArcExplainer explainer(parser, sentence, {});
  for (int m = 1; m <= sentence.words(); ++m) {
    const ArcExplanation explained = explainer.explain(m);
    if (explained.where == OtherTree::nowhere) continue;
    EXPECT_NEAR(explained.difference(), explained.best.score - explained.other.score, 1e-9);
    EXPECT_NE(explained.head(), explained.other_head());
  }
}

TEST(DualParser, FewIterationsAndGapsEndTheSearch) {
  const DependencyParser& parser = parser_for(2);
  DependencyParser::Scratch scratch;
  DependencyParseOptions options;
  options.dual.iterations = 1;
  for (const Sentence& sentence : fixture("german.conllu", 8)) {
    const Parse found = parser.parse(sentence, options, scratch);
    EXPECT_EQ(found.certificate->iterations, 1);
    EXPECT_GE(found.certificate->bound, found.trees[0].score - 1e-6);
    EXPECT_TRUE(parser.tree_of(found.trees[0]).is_tree());
  }
}

TEST(DualParser, LittleMemoryGivesALowerOrderAndSaysSo) {
  DependencyParser parser = parser_for(2);
  parser.set_prune_threshold(0);
  DependencyParser::Scratch scratch;
  DependencyParseOptions options;
  options.limits.most_bytes = 1;
  const Parse found = parser.parse(fixture("german.conllu", 1).front(), options, scratch);
  EXPECT_NE(found.degraded, "");
  EXPECT_TRUE(parser.tree_of(found.trees[0]).is_tree());
}

TEST(DualParser, CrossingArcsOfHigherOrderHaveAStricterPruner) {
  DependencyTraining options;
  EXPECT_EQ(with_defaults(options).pruner.threshold, 0.001);
  EXPECT_EQ(with_defaults(options).pruner.use_threshold, std::nullopt);  // dev says
  options.nonprojective = true;
  EXPECT_EQ(with_defaults(options).pruner.threshold, 0.005);
  EXPECT_EQ(with_defaults(options).pruner.use_threshold, 0.02);
  options.kind.order = Factorisation::first;
  EXPECT_EQ(with_defaults(options).pruner.threshold, 0.001);
  options.kind.order = Factorisation::sibling;
  options.pruner.threshold = 0.01;
  EXPECT_EQ(with_defaults(options).pruner.threshold, 0.01);
  EXPECT_EQ(with_defaults(options).pruner.use_threshold, 0.01);
}

// Recipes ask for the defaults before training does.
TEST(DualParser, DefaultsOfWhatHasItsDefaultsAreTheSame) {
  DependencyTraining options;
  EXPECT_EQ(with_defaults(with_defaults(options)).pruner.use_threshold, std::nullopt);
  EXPECT_EQ(with_defaults(with_defaults(options)).pruner.feature_megabytes,
            with_defaults(options).pruner.feature_megabytes);
  options.pruner.threshold = 0.01;
  EXPECT_EQ(with_defaults(with_defaults(options)).pruner.use_threshold, 0.01);
}

TEST(DualParser, TheTrainedParserHasTheThresholdOfItsUse) {
  DependencyTraining options = training_of(kSorts[0]);
  options.pruner.threshold = 0.01;
  options.pruner.use_threshold = 0.3;
  const std::vector<Sentence> sentences = fixture("german.conllu", 4);
  EXPECT_EQ(train(sentences, {}, options).parser().parts().pruner.threshold(), 0.3);
  options.pruner.use_threshold = 0.001;
  EXPECT_EQ(train(sentences, {}, options).parser().parts().pruner.threshold(), 0.01);
  options.pruner.threshold = 0;
  EXPECT_EQ(train(sentences, {}, options).parser().parts().pruner.threshold(), 0);
}

TEST(DualParser, WhatCannotBeLearntIsRefused) {
  DependencyTraining options = training_of(kSorts[0]);
  options.kind.order = Factorisation::carreras;
  EXPECT_NE(failure_of([&] { train(fixture("german.conllu", 3), {}, options); }).find("usage: "),
            std::string::npos);
  options = training_of(kSorts[0]);
  options.learner.learner = DependencyLearner::log_linear;
  EXPECT_NE(failure_of([&] { train(fixture("german.conllu", 3), {}, options); }).find("usage: "),
            std::string::npos);
  options = quick_training(Factorisation::sibling);
  options.over_automata = true;
  EXPECT_NE(failure_of([&] { train(fixture("german.conllu", 3), {}, options); }).find("usage: "),
            std::string::npos);
  options.over_automata = false;
  options.lifted = true;
  options.nonprojective = true;
  EXPECT_NE(failure_of([&] { train(fixture("german.conllu", 3), {}, options); }).find("usage: "),
            std::string::npos);
}

}  // namespace
}  // namespace copse
