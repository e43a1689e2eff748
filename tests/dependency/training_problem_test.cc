// A treebank as learners see it: what a PartProblem promises, against slow definitions.
#include "copse/dependency/training_problem.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "copse/base/random.h"
#include "copse/inference/tree_parts.h"
#include "copse/learning/log_linear.h"
#include "tests/dependency/dependency_testing.h"
#include "tests/inference/chart_oracle.h"

namespace copse {
namespace {

using dependency_testing::built_in_templates;
using dependency_testing::sentence_of;

static_assert(PartProblem<TrainingProblem>);
static_assert(Recentring<TrainingProblem>);

struct Setting {
  TreeKind kind;
  int labels;
};

std::vector<Setting> all_settings() {
  std::vector<Setting> settings;
  for (const Factorisation order : reference::kFactorisations) {
    settings.push_back({{order, RootRule::single, true}, 0});
    settings.push_back({{order, RootRule::multi, true}, 3});
  }
  for (const int labels : {0, 1, 3}) {
    settings.push_back({{Factorisation::first, RootRule::single, false}, labels});
  }
  settings.push_back({{Factorisation::first, RootRule::multi, false}, 2});
  settings.push_back({{Factorisation::first, RootRule::single, true}, 1});
  return settings;
}

std::string describe(const Setting& setting) {
  return std::string(name(setting.kind.order)) +
         (setting.kind.projective ? "" : ", non-projective") +
         (setting.kind.root == RootRule::multi ? ", multi" : "") + ", labels " +
         std::to_string(setting.labels);
}

// Three short sentences, their trees (the last one crosses if it may), random masks around them.
struct Treebank {
  explicit Treebank(const Setting& setting) {
    const bool crossing = !setting.kind.projective;
    sentences.push_back(sentence_of({{"Dogs", "NOUN", "NNS"},
                                     {"chase", "VERB", "VBP"},
                                     {"old", "ADJ", "JJ"},
                                     {"cats", "NOUN", "NNS"}}));
    sentences.push_back(sentence_of({{"Cats", "NOUN", "NNS"}, {"sleep", "VERB", "VBP"}}));
    sentences.push_back(sentence_of({{"Dogs", "NOUN", "NNS"},
                                     {"and", "CCONJ", "CC"},
                                     {"cats", "NOUN", "NNS"},
                                     {"sleep", "VERB", "VBP"}}));
    heads = {{-1, 2, 0, 4, 2}, {-1, 2, 0}, {-1, 4, 3, 1, 0}};
    if (crossing) heads[2] = {-1, 3, 4, 0, 3};
    words.resize(3);
    Random random(5);
    for (std::size_t i = 0; i < 3; ++i) {
      words[i].fill(sentences[i], {}, {});
      ProblemSentence next;
      next.words = words[i].words();
      next.heads = heads[i];
      const int n = sentences[i].words();
      next.mask = reference::random_mask(n, 0.25, random);
      if (setting.labels > 0) next.labels.push_back(-1);
      for (int m = 1; m <= n; ++m) {
        next.mask.allow(heads[i][static_cast<std::size_t>(m)], m);
        if (setting.labels > 0) next.labels.push_back(random.between(0, setting.labels - 1));
      }
      problem_sentences.push_back(std::move(next));
    }
  }
  std::vector<Sentence> sentences;
  std::vector<ParserWords> words;
  std::vector<std::vector<int>> heads;
  std::vector<ProblemSentence> problem_sentences;
};

struct Fixture {
  explicit Fixture(const Setting& of, const FeatureSelection& selection = {1, 1, 2})
      : setting(of),
        treebank(setting),
        features(built_in_templates("default")),
        team(1),
        problem(treebank.problem_sentences, features, nullptr, setting.labels, setting.kind,
                selection, nullptr, team) {}

  std::vector<float> random_weights(Random& random, double size = 0.3) const {
    std::vector<float> w(problem.dimension());
    for (float& weight : w) weight = static_cast<float>(size * random.normal());
    return w;
  }
  std::vector<float> scores(std::size_t i, std::span<const float> w) const {
    std::vector<float> out(problem.parts(i), 99.0F);
    problem.score(i, w, out);
    return out;
  }

  Setting setting;
  Treebank treebank;
  PartFeatures features;
  ThreadTeam team;
  TrainingProblem problem;
};

// Made once: collecting features takes a while.
const std::vector<std::unique_ptr<Fixture>>& all_fixtures() {
  static const auto fixtures = [] {
    std::vector<std::unique_ptr<Fixture>> list;
    for (const Setting& setting : all_settings())
      list.push_back(std::make_unique<Fixture>(setting));
    return list;
  }();
  return fixtures;
}

TEST(TrainingProblem, ScoresAreSumsOverTheFeaturesOfEachPartAndLabel) {
  Random random(1);
  for (const auto& each : all_fixtures()) {
    Fixture& given = *each;
    const Setting& setting = given.setting;
    SCOPED_TRACE(describe(setting));
    const std::vector<float> w = given.random_weights(random);
    const FeatureNumbers& numbers = *given.problem.numbers();
    for (std::size_t i = 0; i < given.problem.size(); ++i) {
      const PartIndex& index = given.problem.index(i);
      const std::vector<float> scores = given.scores(i, w);
      ASSERT_EQ(scores.size(),
                static_cast<std::size_t>(index.size() + index.arcs() * setting.labels));
      PositionAtoms atoms;
      atoms.fill(given.treebank.words[i].words(), nullptr);
      std::vector<double> expected(static_cast<std::size_t>(index.size()));
      for (int f = 0; f < kPartFamilies; ++f) {
        index.for_each(static_cast<PartFamily>(f), [&](PartIndex::Id id, const Part& part) {
          given.features.for_each(atoms, part, [&](FeatureKey key, int, FeatureCopy) {
            ASSERT_NE(numbers.part(key), FeatureNumbers::kNone) << str(part);
            expected[static_cast<std::size_t>(id)] += w[numbers.part(key)];
          });
        });
      }
      // Numbers that stand for no part have no features.
      for (std::size_t id = 0; id < expected.size(); ++id) {
        ASSERT_NEAR(scores[id], expected[id], 1e-4) << str(index.part(static_cast<int>(id)));
      }
      for (int a = 0; a < index.arcs(); ++a) {
        std::vector<double> row(static_cast<std::size_t>(setting.labels));
        given.features.for_each_of_label(atoms, index.arc(a).h, index.arc(a).m,
                                         [&](FeatureKey key, int, FeatureCopy) {
                                           const FeatureId feature = numbers.label(key);
                                           if (feature == FeatureNumbers::kNone)
                                             return;  // of no right arc
                                           const auto labels = numbers.labels_of(feature);
                                           for (std::size_t k = 0; k < labels.size(); ++k) {
                                             row[labels[k]] += w[numbers.first_weight(feature) + k];
                                           }
                                         });
        for (std::size_t l = 0; l < row.size(); ++l) {
          ASSERT_NEAR(scores[static_cast<std::size_t>(index.size()) +
                             static_cast<std::size_t>(a) * row.size() + l],
                      row[l], 1e-4);
        }
      }
    }
  }
}

TEST(TrainingProblem, FeaturesAreTheTransposeOfScores) {
  Random random(2);
  for (const auto& each : all_fixtures()) {
    Fixture& given = *each;
    const Setting& setting = given.setting;
    SCOPED_TRACE(describe(setting));
    const std::vector<float> w = given.random_weights(random);
    for (std::size_t i = 0; i < given.problem.size(); ++i) {
      const std::vector<float> scores = given.scores(i, w);
      std::vector<float> c(scores.size());
      for (float& value : c) value = random.chance(0.3) ? 0 : static_cast<float>(random.normal());
      double by_scores = 0, by_features = 0;
      for (std::size_t a = 0; a < c.size(); ++a) by_scores += double{c[a]} * scores[a];
      given.problem.for_each_feature(i, c, [&](FeatureId f, float value) {
        ASSERT_LT(f, given.problem.dimension());
        by_features += double{w[f]} * value;
      });
      EXPECT_NEAR(by_scores, by_features, 1e-4 * (1 + std::abs(by_scores)));
    }
  }
}

TEST(TrainingProblem, GoldIsThePartsOfTheTreeAndItsLabels) {
  for (const auto& each : all_fixtures()) {
    Fixture& given = *each;
    const Setting& setting = given.setting;
    SCOPED_TRACE(describe(setting));
    for (std::size_t i = 0; i < given.problem.size(); ++i) {
      const PartIndex& index = given.problem.index(i);
      std::vector<float> expected(given.problem.parts(i));
      for (const Part& part : reference::parts_of(given.treebank.heads[i], setting.kind.order)) {
        ASSERT_NE(index.find(part), PartIndex::kNone) << str(part);
        expected[static_cast<std::size_t>(index.find(part))] = 1;
      }
      for (int m = 1; setting.labels > 0 && m <= index.words(); ++m) {
        const auto at = static_cast<std::size_t>(m);
        const int a = index.find_arc(given.treebank.heads[i][at], m);
        const int label = given.treebank.problem_sentences[i].labels[at];
        const int part = index.size() + a * setting.labels + label;
        expected[static_cast<std::size_t>(part)] = 1;
      }
      const auto gold = given.problem.gold(i);
      EXPECT_EQ(std::vector<float>(gold.begin(), gold.end()), expected);
    }
  }
}

TEST(TrainingProblem, TheGradientOfTheLogLikelihoodEqualsDifferences) {
  Random random(3);
  for (const auto& each : all_fixtures()) {
    Fixture& given = *each;
    const Setting& setting = given.setting;
    SCOPED_TRACE(describe(setting));
    Alone alone;
    LogLinearObjective objective(given.problem, given.team, alone);
    std::vector<double> w(given.problem.dimension());
    for (double& weight : w) weight = 0.1 * random.normal();
    std::vector<double> gradient(w.size()), ignored(w.size());
    objective(w, gradient);
    for (int repeat = 0; repeat < 4; ++repeat) {
      // A few features at a time, so that no error hides behind the others.
      std::vector<double> direction(w.size());
      for (double& value : direction) {
        value = random.chance(repeat < 2 ? 0.02 : 1) ? random.normal() : 0;
      }
      double slope = 0;
      for (std::size_t f = 0; f < w.size(); ++f) slope += gradient[f] * direction[f];
      const double step = 2e-3;
      std::vector<double> ahead(w), behind(w);
      for (std::size_t f = 0; f < w.size(); ++f) {
        ahead[f] += step * direction[f];
        behind[f] -= step * direction[f];
      }
      const double difference =
          (objective(ahead, ignored) - objective(behind, ignored)) / (2 * step);
      EXPECT_NEAR(slope, difference, 0.02 + 0.003 * std::abs(slope));
    }
  }
}

// What the chosen tree has, by its heads and labels.
TEST(TrainingProblem, TheBestStructureHasTheHighestScoreOfAll) {
  Random random(4);
  for (const auto& each : all_fixtures()) {
    Fixture& given = *each;
    const Setting& setting = given.setting;
    SCOPED_TRACE(describe(setting));
    const std::vector<float> w = given.random_weights(random);
    for (std::size_t i = 0; i < given.problem.size(); ++i) {
      const std::vector<float> scores = given.scores(i, w);
      std::vector<float> found(scores.size(), 7.0F);
      given.problem.best(i, scores, found);
      double total = 0;
      for (std::size_t a = 0; a < found.size(); ++a) {
        ASSERT_TRUE(found[a] == 0 || found[a] == 1);
        total += double{found[a]} * scores[a];
      }
      const PartIndex& index = given.problem.index(i);
      const auto width = static_cast<std::size_t>(setting.labels);
      double highest = -std::numeric_limits<double>::infinity();
      for (const auto& heads :
           reference::all_trees(given.treebank.problem_sentences[i].mask, setting.kind.root,
                                setting.kind.projective ? Crossing::never : Crossing::allowed)) {
        std::vector<PartIndex::Id> parts;
        ASSERT_TRUE(append_parts_of_tree(index, heads, parts));
        double sum = 0;
        for (const PartIndex::Id id : parts) sum += scores[static_cast<std::size_t>(id)];
        for (int m = 1; width > 0 && m <= index.words(); ++m) {
          const int a = index.find_arc(heads[static_cast<std::size_t>(m)], m);
          const float* const row =
              scores.data() + index.size() + static_cast<std::size_t>(a) * width;
          sum += *std::max_element(row, row + width);
        }
        highest = std::max(highest, sum);
      }
      EXPECT_NEAR(total, highest, 1e-4);
    }
  }
}

TEST(TrainingProblem, CostCountsWrongArcsAndWrongLabels) {
  for (const int labels : {0, 3}) {
    const Fixture given({{Factorisation::model1, RootRule::single, true}, labels});
    for (std::size_t i = 0; i < given.problem.size(); ++i) {
      const PartIndex& index = given.problem.index(i);
      std::vector<float> cost(given.problem.parts(i), 5.0F);
      given.problem.cost(i, cost);
      const auto gold = given.problem.gold(i);
      double of_gold = 0;
      for (std::size_t a = 0; a < cost.size(); ++a) of_gold += double{cost[a]} * gold[a];
      EXPECT_EQ(of_gold, 0);
      for (PartIndex::Id id = 0; id < index.size(); ++id) {
        const auto at = static_cast<std::size_t>(id);
        EXPECT_EQ(cost[at], id < index.arcs() ? 1 - gold[at] : 0.0F);
      }
      for (std::size_t at = static_cast<std::size_t>(index.size()); at < cost.size(); ++at) {
        EXPECT_EQ(cost[at], 1 - gold[at]);
      }
    }
  }
}

TEST(TrainingProblem, MarginalsOfArcsAndLabelsSumToOneForEachWord) {
  Random random(6);
  for (const auto& each : all_fixtures()) {
    Fixture& given = *each;
    const Setting& setting = given.setting;
    SCOPED_TRACE(describe(setting));
    const std::vector<float> w = given.random_weights(random);
    for (std::size_t i = 0; i < given.problem.size(); ++i) {
      const PartIndex& index = given.problem.index(i);
      std::vector<float> mu(given.problem.parts(i));
      given.problem.marginals(i, given.scores(i, w), mu);
      std::map<int, double> arcs, labels;
      for (int a = 0; a < index.arcs(); ++a) {
        arcs[index.arc(a).m] += mu[static_cast<std::size_t>(a)];
        for (int l = 0; l < setting.labels; ++l) {
          const int part = index.size() + a * setting.labels + l;
          labels[index.arc(a).m] += mu[static_cast<std::size_t>(part)];
        }
      }
      for (int m = 1; m <= index.words(); ++m) {
        EXPECT_NEAR(arcs[m], 1, 1e-5);
        if (setting.labels > 0) {
          EXPECT_NEAR(labels[m], 1, 1e-5);
        }
      }
    }
  }
}

TEST(TrainingProblem, RecentringChangesNoMarginal) {
  Random random(7);
  for (const auto& each : all_fixtures()) {
    Fixture& given = *each;
    const Setting& setting = given.setting;
    SCOPED_TRACE(describe(setting));
    const std::vector<float> w = given.random_weights(random);
    for (std::size_t i = 0; i < given.problem.size(); ++i) {
      std::vector<float> scores = given.scores(i, w);
      std::vector<float> before(scores.size()), after(scores.size());
      given.problem.marginals(i, scores, before);
      for (int a = 0; a < given.problem.index(i).arcs(); ++a)
        scores[static_cast<std::size_t>(a)] += 8;
      given.problem.recentre(i, scores);
      given.problem.marginals(i, scores, after);
      for (std::size_t a = 0; a < after.size(); ++a) ASSERT_NEAR(before[a], after[a], 1e-4);
      for (int a = 0; a < given.problem.index(i).arcs(); ++a) {
        EXPECT_LE(scores[static_cast<std::size_t>(a)], 0);
      }
    }
  }
}

TEST(TrainingProblem, RareFeaturesAreLeftOutAndRightOnesCountMore) {
  const Setting setting{{Factorisation::first, RootRule::single, true}, 0};
  const Fixture all(setting, {1, 1, 20});
  const Fixture frequent(setting, {3, 1, 20});
  const Fixture weighted(setting, {3, 3, 20});
  EXPECT_LT(frequent.problem.dimension(), all.problem.dimension());
  EXPECT_GT(weighted.problem.dimension(), frequent.problem.dimension());
  EXPECT_LE(weighted.problem.dimension(), all.problem.dimension());
  // Every feature of a right part is there when right parts count three times.
  for (std::size_t i = 0; i < weighted.problem.size(); ++i) {
    std::size_t kept = 0, there = 0;
    weighted.problem.for_each_feature(i, weighted.problem.gold(i),
                                      [&](FeatureId, float) { ++kept; });
    all.problem.for_each_feature(i, all.problem.gold(i), [&](FeatureId, float) { ++there; });
    EXPECT_EQ(kept, there);
  }
}

TEST(TrainingProblem, LabelFeaturesHaveTheLabelsSeenAndAllOfThemWhenFrequent) {
  const Setting setting{{Factorisation::first, RootRule::single, true}, 3};
  const Fixture rare(setting, {1, 1, 1000});
  const Fixture full(setting, {1, 1, 1});
  const FeatureNumbers& few = *rare.problem.numbers();
  const FeatureNumbers& many = *full.problem.numbers();
  ASSERT_EQ(few.label_keys().size(), many.label_keys().size());
  EXPECT_LT(few.dimension(), many.dimension());
  for (FeatureId b = 0; b < many.label_keys().size(); ++b) {
    EXPECT_EQ(many.labels_of(b).size(), 3U);
    EXPECT_GE(few.labels_of(b).size(), 1U);
    EXPECT_TRUE(std::is_sorted(few.labels_of(b).begin(), few.labels_of(b).end()));
  }
}

TEST(TrainingProblem, OtherSentencesUseTheNumbersOfTheTrainingData) {
  const Setting setting{{Factorisation::sibling, RootRule::single, true}, 2};
  Fixture given(setting);
  const Sentence unseen = sentence_of({{"Dogs", "NOUN", "NNS"}, {"fly", "VERB", "VBP"}});
  ParserWords words;
  words.fill(unseen, {}, {});
  std::vector<ProblemSentence> sentences(1);
  sentences[0].words = words.words();
  sentences[0].mask = ArcMask(2);
  const TrainingProblem dev(sentences, given.features, nullptr, 2, setting.kind, {1, 1, 2},
                            given.problem.numbers(), given.team);
  EXPECT_EQ(dev.dimension(), given.problem.dimension());
  EXPECT_EQ(dev.numbers(), given.problem.numbers());
  Random random(8);
  std::vector<float> scores(dev.parts(0));
  dev.score(0, given.random_weights(random), scores);
  EXPECT_EQ(dev.best_tree(0, scores).heads.size(), 3U);
  for (const float value : dev.gold(0)) EXPECT_EQ(value, 0);
}

TEST(TrainingProblem, ThreadsDoNotChangeTheNumbers) {
  const auto sentences = dependency_testing::fixture("english.conllu");
  std::vector<ParserWords> words(sentences.size());
  std::vector<ProblemSentence> given(sentences.size());
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    words[i].fill(sentences[i], {}, {});
    given[i].words = words[i].words();
    given[i].heads.push_back(-1);
    for (int m = 1; m <= sentences[i].words(); ++m) given[i].heads.push_back(sentences[i].head(m));
    given[i].mask = ArcMask(sentences[i].words());
  }
  const PartFeatures features(built_in_templates("pruner"));
  const TreeKind kind{Factorisation::first, RootRule::multi, false};
  std::vector<std::vector<FeatureKey>> keys;
  for (const int threads : {1, 2, 3}) {
    ThreadTeam team(threads);
    const TrainingProblem problem(given, features, nullptr, 0, kind, {2, 1, 1}, nullptr, team);
    const auto list = problem.numbers()->part_keys();
    keys.emplace_back(list.begin(), list.end());
  }
  EXPECT_EQ(keys[0], keys[1]);
  EXPECT_EQ(keys[0], keys[2]);
  EXPECT_GT(keys[0].size(), 1000U);
}

}  // namespace
}  // namespace copse
