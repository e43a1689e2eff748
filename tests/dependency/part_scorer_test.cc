// Scores of parts are the sums of the weights of their features.
#include "copse/dependency/part_scorer.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "copse/base/random.h"
#include "tests/dependency/dependency_testing.h"
#include "tests/inference/chart_oracle.h"

namespace copse {
namespace {

using dependency_testing::fixture;

std::vector<std::uint64_t> aligned(const std::string& bytes) {
  std::vector<std::uint64_t> words((bytes.size() + 7) / 8);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

std::span<const std::byte> view(const std::vector<std::uint64_t>& words, std::size_t size) {
  return std::as_bytes(std::span(words)).first(size);
}

// Random weights for about half of the features of a sentence.
struct RandomModel {
  RandomModel(const PartFeatures& features, const PartIndex& index, const PositionAtoms& atoms,
              int labels, Random& random) {
    const auto draw = [&](FeatureKey key, int, FeatureCopy) {
      weights.emplace(key, random.chance(0.5) ? static_cast<float>(random.normal()) : 0.0F);
    };
    for (int f = 0; f < kPartFamilies; ++f) {
      index.for_each(static_cast<PartFamily>(f), [&](PartIndex::Id, const Part& part) {
        features.for_each(atoms, part, draw);
      });
    }
    for (int a = 0; a < index.arcs(); ++a) {
      features.for_each_of_label(atoms, index.arc(a).h, index.arc(a).m,
                                 [&](FeatureKey key, int, FeatureCopy) {
                                   if (rows.contains(key)) return;
                                   auto& row = rows[key];
                                   for (int l = 0; l < labels; ++l) {
                                     row.push_back(static_cast<float>(random.normal()));
                                   }
                                 });
    }
    std::vector<KeyWeight> list;
    for (const auto& [key, weight] : weights) list.push_back({key, weight});
    const std::string scalar_bytes = freeze_scalars(list);
    WeightRows label_rows;
    for (const auto& [key, row] : rows) {
      std::vector<LabelWeight> cells;
      for (std::size_t l = 0; l < row.size(); ++l) cells.push_back({static_cast<Label>(l), row[l]});
      label_rows.add(key, cells);
    }
    const std::string label_bytes = freeze(label_rows, static_cast<std::size_t>(labels));
    scalars = aligned(scalar_bytes);
    label_words = aligned(label_bytes);
    scorer = PartScorer(
        features, ScalarTable::view(view(scalars, scalar_bytes.size())),
        labels > 0 ? FrozenWeights::view(view(label_words, label_bytes.size())) : FrozenWeights(),
        labels);
  }
  std::map<FeatureKey, float> weights;
  std::map<FeatureKey, std::vector<float>> rows;
  std::vector<std::uint64_t> scalars, label_words;
  PartScorer scorer;
};

void ExpectSums(const RandomModel& model, const PartIndex& index, const PositionAtoms& atoms,
                const PartScores& scores) {
  const PartFeatures& features = model.scorer.features();
  for (int f = 0; f < kPartFamilies; ++f) {
    index.for_each(static_cast<PartFamily>(f), [&](PartIndex::Id id, const Part& part) {
      double sum = 0;
      int count = 0;
      features.for_each(atoms, part, [&](FeatureKey key, int, FeatureCopy) {
        sum += model.weights.at(key);
        ++count;
      });
      EXPECT_NEAR(scores[id], sum, 1e-5 + count * model.scorer.weights().scale()) << str(part);
    });
  }
  for (int a = 0; a < index.arcs(); ++a) {
    for (int l = 0; l < scores.labels(); ++l) {
      double sum = 0;
      features.for_each_of_label(atoms, index.arc(a).h, index.arc(a).m,
                                 [&](FeatureKey key, int, FeatureCopy) {
                                   sum += model.rows.at(key)[static_cast<std::size_t>(l)];
                                 });
      EXPECT_NEAR(scores.label_row(a)[static_cast<std::size_t>(l)], sum, 0.01);
    }
  }
}

class PartScorerKeys : public testing::TestWithParam<KeyScheme> {};
INSTANTIATE_TEST_SUITE_P(Schemes, PartScorerKeys,
                         testing::Values(KeyScheme::chained, KeyScheme::summed));

TEST_P(PartScorerKeys, ScoresAreSumsOfWeightsForEveryFactorisation) {
  Random random(1);
  const PartFeatures features(dependency_testing::built_in_templates("default"), GetParam());
  const auto sentences = fixture("english.conllu", 2);
  ParserWords words;
  PartScorer::Scratch scratch;
  PartScores scores;
  for (const Factorisation order : reference::kFactorisations) {
    for (const int labels : {0, 1, 3}) {
      for (const Sentence& sentence : sentences) {
        words.fill(sentence, {}, {});
        PositionAtoms atoms;
        atoms.fill(words.words(), nullptr);
        const ArcMask mask = reference::random_mask(sentence.words(), 0.5, random);
        for (const Crossing crossing : {Crossing::never, Crossing::allowed}) {
          if (crossing == Crossing::allowed && order == Factorisation::carreras) continue;
          const PartIndex index(mask, order, RootRule::single, crossing);
          const RandomModel model(features, index, atoms, labels, random);
          model.scorer.score(index, atoms, scratch, scores);
          ASSERT_EQ(scores.labels(), labels);
          ExpectSums(model, index, atoms, scores);
        }
      }
    }
  }
}

TEST_P(PartScorerKeys, MoreWeightsThanThirtyTwoBitsHoldAreSummed) {
  std::string text = "[dep]\ncopies = alone dir dist\n";
  for (int k = 0; k < 50; ++k) text += "t" + std::to_string(k) + " = b.w\n";
  const PartFeatures features(parse_part_templates(text, "test"), GetParam());
  std::vector<std::string> forms;
  forms.reserve(800);
  for (int m = 1; m <= 800; ++m) forms.push_back(std::to_string(m));
  std::vector<ParserWord> words;
  words.reserve(forms.size());
  for (const std::string& form : forms) words.push_back({form, "_", "_", "_", "_", true});
  PositionAtoms atoms;
  atoms.fill(words, nullptr);
  std::vector<KeyWeight> weights;
  features.for_each(atoms, Part{.h = 0, .m = 800}, [&](FeatureKey key, int, FeatureCopy) {
    weights.push_back({key, 1.0F});
  });
  ASSERT_GT(weights.size(), 70000U);  // of 32767 units each
  const std::string bytes = freeze_scalars(weights);
  const auto scalars = aligned(bytes);
  const PartScorer scorer(features, ScalarTable::view(view(scalars, bytes.size())), FrozenWeights(),
                          0);
  ArcMask mask = ArcMask::none(800);
  mask.allow(0, 800);
  const PartIndex index(mask, Factorisation::first, RootRule::single);
  PartScorer::Scratch scratch;
  PartScores scores;
  scorer.score(index, atoms, scratch, scores);
  EXPECT_NEAR(scores[0], static_cast<double>(weights.size()), 1.0);
}

TEST(PartScorer, WithoutWeightsEverythingIsZero) {
  const PartScorer scorer;
  const PartIndex index(ArcMask(4), Factorisation::model1, RootRule::single);
  PositionAtoms atoms;
  atoms.fill(std::vector<ParserWord>(4, {"w", "_", "_", "_", "_", true}), nullptr);
  PartScorer::Scratch scratch;
  PartScores scores;
  scorer.score(index, atoms, scratch, scores);
  for (const float score : scores.values()) EXPECT_EQ(score, 0);
}

}  // namespace
}  // namespace copse
