// The features of the spinal parser: by name, and against the scores of the chart.
#include "copse/constituency/spinal/features.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "copse/base/random.h"
#include "copse/cluster/word_clusters.h"
#include "copse/dependency/feature_text.h"
#include "copse/model/training_weights.h"
#include "copse/treebank/clean.h"
#include "tests/constituency/spinal/spinal_testing.h"
#include "tests/treebank/tree_testing.h"

namespace copse::spinal {
namespace {

using Texts = std::vector<std::string>;

// "old dogs sleep", the first word rare.
struct Sentence {
  Sentence() {
    for (int k = 0; k < 3; ++k) {
      lexicon.count("dogs");
      lexicon.count("sleep");
    }
    lexicon.count("old");
    views = std::make_unique<WordViews>(words, tags, lexicon);
    atoms.fill(views->words(), nullptr);
  }
  std::vector<std::string> words{"old", "dogs", "sleep"}, tags{"JJ", "NNS", "VBP"};
  Lexicon lexicon;
  std::unique_ptr<WordViews> views;
  PositionAtoms atoms;
  const WordClusters* clusters = nullptr;

  Texts texts(const std::string& table, const Part& part) const {
    const PartFeatures features(parse_part_templates(table, "test"));
    const FeatureText text(features.templates(), views->words(), atoms, clusters);
    Texts out;
    const int section = static_cast<int>(part.family);
    features.for_each_member(section, atoms, part,
                             [&](FeatureKey, int number, FeatureCopy copy, int member) {
                               out.push_back(text.name(section, number) + ": " +
                                             text.values(section, number, copy, member, part));
                             });
    return out;
  }
};

TEST(SpinalFeatures, OfASpine) {
  const Sentence sentence;
  const Texts expected = {
      "stop alone: h.t=NNS",
      "stop word: h.t=NNS h.l=dogs",
      "stop word-left: h.t=NNS h-1.l=<>",
      "stop word-left-2: h.t=NNS h-2.l=<bos>",
      "stop word-right: h.t=NNS h+1.l=sleep",
      "stop word-right-2: h.t=NNS h+2.l=<eos>",
      "stop tag-left: h.t=NNS h-1.t=JJ",
      "stop tag-left-2: h.t=NNS h-2.t=<bos>",
      "stop tag-right: h.t=NNS h+1.t=VBP",
      "stop tag-right-2: h.t=NNS h+2.t=<eos>",
      "stop tags-around: h.t=NNS h-1.t=JJ h+1.t=VBP",
      "stop tags-left: h.t=NNS h-2.t=<bos> h-1.t=JJ",
      "stop tags-right: h.t=NNS h+1.t=VBP h+2.t=<eos>",
      "stop tags-all: h.t=NNS h-2.t=<bos> h-1.t=JJ h+1.t=VBP h+2.t=<eos>",
      "stop word-tag-right: h.t=NNS h.l=dogs h+1.t=VBP",
      "stop word-tag-left: h.t=NNS h.l=dogs h-1.t=JJ",
      "stop words-right: h.t=NNS h.l=dogs h+1.l=sleep",
      "stop words-left: h.t=NNS h-1.l=<> h.l=dogs",
      "stop suffix: h.t=NNS h.s3=ogs",
      "stop shape: h.t=NNS h.sh=xx",
  };
  EXPECT_EQ(sentence.texts(builtin_templates().spine, Part{.family = PartFamily::stop, .h = 2}),
            expected);
}

TEST(SpinalFeatures, OfBoundaries) {
  const Sentence sentence;
  const Part part{.family = PartFamily::stop, .h = 3};
  EXPECT_EQ(
      sentence.texts(builtin_templates().begin, part),
      (Texts{"stop begin-tag: h.t=VBP", "stop begin-word: h.l=sleep",
             "stop begin-before: h-1.t=NNS", "stop begin-word-before: h-1.l=dogs",
             "stop begin-tags: h-1.t=NNS h.t=VBP", "stop begin-tag-word: h-1.l=dogs h.t=VBP"}));
  EXPECT_EQ(
      sentence.texts(builtin_templates().end, part),
      (Texts{"stop end-tag: h.t=VBP", "stop end-word: h.l=sleep", "stop end-after: h+1.t=<eos>",
             "stop end-word-after: h+1.l=<eos>", "stop end-tags: h.t=VBP h+1.t=<eos>",
             "stop end-tag-word: h.t=VBP h+1.l=<eos>"}));
}

TEST(SpinalFeatures, OfTheEdgeOfAPhrase) {
  const Sentence sentence;
  const Part part{.family = PartFamily::dep, .h = 2, .m = 1, .side = Side::left};
  const Texts texts = sentence.texts(builtin_templates().edge, part);
  const std::set<std::string> found(texts.begin(), texts.end());
  EXPECT_EQ(texts.size(), 33U);
  for (const char* each :
       {"dep edge-head: h.t=NNS", "dep edge-head: h.t=NNS dist=left:1",
        "dep edge-tags-left: m-1.t=<bos> m.t=JJ dist=left:1", "dep edge-word-left: m-1.l=<bos>",
        "dep edge-tags-around: m-1.t=<bos> m.t=JJ m+1.t=NNS",
        "dep edge-tags-right-2: m.t=JJ m+1.t=NNS m+2.t=VBP",
        "dep edge-words-right: m.l=<> m+1.l=dogs", "dep edge-right-tag: m.t=JJ m+1.l=dogs",
        "dep edge-head-word-left: h.l=dogs m-1.t=<bos>",
        "dep edge-inside: h.t=NNS m.t=JJ verbs=0 commas=0 conjunctions=0"}) {
    EXPECT_TRUE(found.contains(each)) << each;
  }
  // A phrase with nothing on that side ends with its head.
  const Texts alone =
      sentence.texts(builtin_templates().edge, Part{.family = PartFamily::dep, .h = 3, .m = 3});
  EXPECT_EQ(
      std::ranges::count(alone, "dep edge-inside: h.t=VBP m.t=VBP verbs=0 commas=0 conjunctions=0"),
      1);
  EXPECT_EQ(std::ranges::count(alone, "dep edge-head: h.t=VBP dist=left:0"), 1);
}

// Where a tree begins is another thing than where it ends: no key of one is a key of the other.
TEST(SpinalFeatures, KeysOfTablesDiffer) {
  const Sentence sentence;
  const Features features(builtin_templates(), Inventory(), "");
  std::set<FeatureKey> seen;
  std::size_t all = 0;
  Features::Keys keys;
  for (const auto table : {&Features::spine, &Features::begin, &Features::end}) {
    (features.*table)(sentence.atoms, 2, keys);
    all += keys.size();
    seen.insert(keys.begin(), keys.end());
  }
  EXPECT_EQ(seen.size(), all);
}

TEST(SpinalFeatures, OfSiblingsAndGrandchildren) {
  const Sentence sentence;
  const std::string table = builtin_templates().parts;
  EXPECT_EQ(sentence.texts(table, Part{.family = PartFamily::sib, .h = 3, .m = 1, .s = 2}),
            (Texts{"sib distance: m.t=JJ s.t=NNS dist=left:1",
                   "sib distance-head: h.t=VBP m.t=JJ s.t=NNS dist=left:1",
                   "sib tags: h.t=VBP m.t=JJ s.t=NNS dir=left", "sib pair: m.t=JJ s.t=NNS dir=left",
                   "sib words: m.l=<> s.l=dogs dir=left", "sib word-tag: m.t=JJ s.l=dogs dir=left",
                   "sib tag-word: m.l=<> s.t=NNS dir=left",
                   "sib head-word: h.l=sleep m.t=JJ s.t=NNS dir=left",
                   "sib modifier-word: h.t=VBP m.l=<> s.t=NNS dir=left",
                   "sib sibling-word: h.t=VBP m.t=JJ s.l=dogs dir=left",
                   "sib head-sibling: h.l=sleep s.l=dogs dir=left"}));
  EXPECT_EQ(sentence.texts(table, Part{.family = PartFamily::grand, .g = 3, .h = 2, .m = 1}),
            (Texts{"grand tags: g.t=VBP h.t=NNS m.t=JJ dir=left-left",
                   "grand pair: g.t=VBP m.t=JJ dir=left-left",
                   "grand words: g.l=sleep m.l=<> dir=left-left",
                   "grand word-tag: g.l=sleep m.t=JJ dir=left-left",
                   "grand tag-word: g.t=VBP m.l=<> dir=left-left",
                   "grand inner-words: h.l=dogs m.l=<> dir=left-left",
                   "grand inner-tags: h.t=NNS m.t=JJ dir=left-left",
                   "grand middle-word: g.t=VBP h.l=dogs m.t=JJ dir=left-left",
                   "grand head-word: g.l=sleep h.t=NNS m.t=JJ dir=left-left",
                   "grand outer-word: g.t=VBP h.t=NNS m.l=<> dir=left-left"}));
}

TEST(SpinalFeatures, OfAnArc) {
  const Sentence sentence;
  const Texts texts =
      sentence.texts(builtin_templates().parts, Part{.family = PartFamily::dep, .h = 3, .m = 1});
  const std::set<std::string> found(texts.begin(), texts.end());
  EXPECT_EQ(texts.size(), 38U);
  for (const char* each :
       {"dep h-word: h.l=sleep dir=left", "dep h-word: h.l=sleep dist=left:2",
        "dep tags: h.t=VBP m.t=JJ dist=left:2", "dep words: h.l=sleep m.l=<> dir=left",
        "dep right-left: h.t=VBP h+1.t=<eos> m-1.t=<bos> m.t=JJ dir=left",
        "dep between: h.t=VBP b.t=NNS m.t=JJ dir=left",
        "dep verbs: h.t=VBP m.t=JJ verbs=0 dir=left"}) {
    EXPECT_TRUE(found.contains(each)) << each;
  }
}

// Tables for clusters say something only where there are clusters.
TEST(SpinalFeatures, OfClusters) {
  Sentence sentence;
  const Part part{.family = PartFamily::stop, .h = 2};
  const std::string table = builtin_templates(true).spine;
  EXPECT_EQ(sentence.texts(table, part), sentence.texts(builtin_templates().spine, part));
  const WordClusters clusters({{"0110101", "dogs", 3}, {"10", "old", 1}});
  sentence.atoms.fill(sentence.views->words(), &clusters);
  sentence.clusters = &clusters;
  Texts texts = sentence.texts(table, part);
  texts.erase(texts.begin(), texts.end() - 6);
  EXPECT_EQ(texts,
            (Texts{"stop k: h.t=NNS h.k=0110101", "stop k6: h.t=NNS h.k6=011010",
                   "stop k4-right: h.t=NNS h.k6=011010 h+1.k4=<unknown>",
                   "stop k4-left: h.t=NNS h.k6=011010 h-1.k4=10",
                   "stop k-right: h.t=NNS h+1.k=<unknown>", "stop k-left: h.t=NNS h-1.k=10"}));
}

TEST(SpinalFeatures, FourViewsOfAnAdjunction) {
  Symbols labels;
  const PhraseTree tree =
      tree_testing::tree_of("(S (NP (JJ old) (NNS dogs)) (VP (VP (VBP sleep)) (ADVP (RB well))))");
  const std::vector<Derivation> derivations = {
      derivation_of(tree, HeadRules::builtin("collins"), Levels::exact, labels)};
  const std::vector<std::vector<std::string>> words = {{"old", "dogs", "sleep", "well"}};
  const Inventory inventory(std::move(labels), derivations, words);
  const Features features(builtin_templates(), inventory, "");
  Texts texts;
  for (int k = 0; k < static_cast<int>(inventory.adjunctions().size()); ++k) {
    for (const Label view : features.views(k)) texts.push_back(features.view_text(view));
  }
  std::sort(texts.begin(), texts.end());
  EXPECT_EQ(texts, (Texts{"NP/JJ:s", "NP/NNS/JJ:s", "NP:s", "S/NP:s", "S/VP/NP:s", "S:s",
                          "TOP/*/S:s", "TOP/S:s", "TOP:s", "VP/ADVP:r", "VP/VP/ADVP:r", "VP:r"}));
  EXPECT_NE(features.boundary(0, Side::left), features.boundary(0, Side::right));
  // Nothing, twelve views, four chains of phrases, two boundaries of each view and two edges of each
  // label: no two alike.
  const auto names = static_cast<int>(inventory.labels().size());
  EXPECT_EQ(features.labels(), 1U + 12 + 4 + 2 * 13 + 2 * inventory.labels().size());
  EXPECT_GT(features.edge(0, Side::left), features.boundary(3, Side::right));
  EXPECT_EQ(features.edge(names - 1, Side::right) + 1U, features.labels());
  EXPECT_EQ(features.chain(0), 13);
  EXPECT_EQ(features.chain(3), 16);
  for (int k = 0; k < 4; ++k) {
    EXPECT_GT(features.boundary(k, Side::left), features.chain(3));
    EXPECT_LT(features.boundary(k, Side::right), features.labels());
  }
}

// Every phrase has an edge on each side: that of the inner VP is before the adverb.
TEST(SpinalFeatures, EdgesOfPhrases) {
  Symbols labels;
  const PhraseTree tree = tree_testing::tree_of(
      "(S (NP (JJ old) (NNS dogs)) (VP (VP (VBP sleep) (NP (NN night))) (ADVP (RB well))))");
  const std::vector<Derivation> derivations = {
      derivation_of(tree, HeadRules::builtin("collins"), Levels::exact, labels)};
  const std::vector<std::vector<std::string>> words = {{"old", "dogs", "sleep", "night", "well"}};
  const Inventory inventory(std::move(labels), derivations, words);
  const auto edges_of = [&](bool second_order) {
    std::multiset<std::string> out;
    for (const RolePart& each :
         parts_of(analysis_of(derivations[0], inventory), inventory, second_order)) {
      if (each.role != RolePart::edge) continue;
      out.insert(fmt::format(
          "{} of {} {} {}", inventory.labels().text(static_cast<Symbols::Id>(each.what)),
          each.part.h, each.part.side == Side::left ? "from" : "to", each.part.m));
    }
    return out;
  };
  EXPECT_EQ(edges_of(true), (std::multiset<std::string>{
                                "NP of 2 from 1", "NP of 2 to 2", "VP of 3 from 3", "VP of 3 to 4",
                                "VP of 3 to 5", "S of 3 from 1", "S of 3 to 5", "NP of 4 from 4",
                                "NP of 4 to 4", "ADVP of 5 from 5", "ADVP of 5 to 5"}));
  EXPECT_TRUE(edges_of(false).empty());
}

TEST(SpinalLexicon, RareWordsAreWhatTheyLookLike) {
  EXPECT_EQ(signature("Running"), "<Cng>");
  EXPECT_EQ(signature("NATO"), "<A>");
  EXPECT_EQ(signature("1990s"), "<D>");
  EXPECT_EQ(signature("well-known"), "<Hwn>");
  EXPECT_EQ(signature("cat"), "<>");
  EXPECT_EQ(signature(""), "<>");
}

// score(y) of the chart is w . f(y): with random weights, the difference of the scores of two
// derivations is w times the difference of their features, and with only right adjunctions allowed
// the search gives the right derivation.
TEST(SpinalScorer, AgreesWithTheFeaturesOfDerivations) {
  const SpinalParser::Parts& parts = spinal_testing::parser().parts();
  const Inventory& inventory = *parts.inventory;
  std::size_t different = 0;
  for (const bool second_order : {false, true}) {
    TrainingWeights weights;
    Random random(second_order ? 7 : 3);
    for (int number = 0; number < 12; ++number) {
      SCOPED_TRACE(fmt::format("second={} tree={}", second_order, number));
      const Entry& entry = spinal_testing::some_trees()[static_cast<std::size_t>(number)];
      const WordsToParse sentence = spinal_testing::words_and_tags(entry);
      const WordViews views(sentence.words, sentence.tags, parts.lexicon);
      PositionAtoms atoms;
      atoms.fill(views.words(), nullptr);
      Symbols labels = inventory.labels();
      const Analysis gold =
          analysis_of(derivation_of(clean(entry.tree).tree, HeadRules::builtin("collins"),
                                    Levels::exact, labels),
                      inventory);
      Pruner::Scratch scratch;
      std::vector<SpinalArc> arcs = parts.pruner.prune(views.words(), atoms, 1e-7, scratch);
      std::vector<SpinalArc> right;
      auto spines = spines_of(inventory, sentence.words, sentence.tags);
      auto right_spines = std::vector<std::vector<SpinalSpine>>(spines.size());
      for (int m = 1; m <= gold.words(); ++m) {
        const auto k = static_cast<std::size_t>(m);
        right.push_back({gold.head[k], m, gold.adjunction[k]});
        add_spine(inventory, sentence.tags[k - 1], gold.chain[k], spines[k]);
        add_spine(inventory, sentence.tags[k - 1], gold.chain[k], right_spines[k]);
      }
      const auto best = [&](const SpinalParts& of) {
        ScorerScratch memory;
        SpinalScores scores;
        Scorer<TrainingWeights>(parts.features, weights, atoms, memory)
            .score(of, second_order, scores);
        SpinalSearch search;
        const SpinalAnswer answer = search.best(of, scores);
        EXPECT_EQ(answer.status, SearchStatus::ok);
        return std::pair(analysis_of(of, answer.derivation), answer.derivation.score);
      };
      const SpinalParts only(inventory.adjunctions(), right_spines, right);
      const SpinalParts all(inventory.adjunctions(), spines, arcs);
      for (int round = 0; round < 3; ++round) {
        const auto [right_analysis, right_score] = best(only);
        EXPECT_EQ(right_analysis, gold);
        const auto [analysis, score] = best(all);
        const auto difference =
            feature_difference(parts.features, inventory, atoms, gold, analysis, second_order);
        double sum = 0;
        for (const KeyCount& each : difference) {
          sum += each.count * weights.weight(weights.intern(each.place.key), each.place.label);
        }
        EXPECT_NEAR(right_score - score, sum, 1e-3 * (1 + std::abs(sum)));
        different += difference.empty() ? 0 : 1;
        for (const KeyCount& each : difference) {
          weights.update(weights.intern(each.place.key), each.place.label, random.uniform() - 0.5);
        }
      }
    }
  }
  EXPECT_GT(different, 20U);
}

}  // namespace
}  // namespace copse::spinal
