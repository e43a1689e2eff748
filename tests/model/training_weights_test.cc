// The weights while they learn: lazy averages against the mean written out, rows that grow.
#include "copse/model/training_weights.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "copse/base/error.h"
#include "copse/base/random.h"
#include "copse/model/frozen_weights.h"

namespace copse {
namespace {

// Every weight vector after every step, summed.
class ExplicitAverage {
 public:
  void update(std::uint32_t row, Label label, double delta) { now_[{row, label}] += delta; }
  void end_step() {
    for (const auto& [place, weight] : now_) sums_[place] += weight;
    ++steps_;
  }
  double current(std::uint32_t row, Label label) { return now_[{row, label}]; }
  double average(std::uint32_t row, Label label) { return sums_[{row, label}] / steps_; }

 private:
  std::map<std::pair<std::uint32_t, Label>, double> now_, sums_;
  double steps_ = 0;
};

TEST(TrainingWeights, LazyAverageIsTheMeanOfAllWeightVectors) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    TrainingWeights weights;
    ExplicitAverage reference;
    constexpr int kRows = 6;
    constexpr int kLabels = 5;
    for (FeatureKey key = 0; key < kRows; ++key) weights.intern(scramble(key));
    for (int step = 0; step < 64; ++step) {  // a power of two: the mean is exact
      for (int changes = random.between(0, 4); changes > 0; --changes) {
        const auto row = static_cast<std::uint32_t>(random.below(kRows));
        const auto label = static_cast<Label>(random.below(kLabels));
        const auto delta = static_cast<float>(random.between(-3, 3));
        weights.update(row, label, delta);
        reference.update(row, label, delta);
      }
      weights.end_step();
      reference.end_step();
    }
    for (std::uint32_t row = 0; row < kRows; ++row) {
      for (const auto& cell : weights.cells(row)) {
        ASSERT_EQ(cell.weight, reference.current(row, cell.label)) << "seed " << seed;
        ASSERT_EQ(weights.average(cell), reference.average(row, cell.label)) << "seed " << seed;
      }
    }
    const WeightRows averaged = weights.averaged();
    for (std::size_t i = 0; i < averaged.rows(); ++i) {
      const auto row = weights.find(averaged.key(i));
      int last = -1;
      for (const auto& [label, weight] : averaged.row(i)) {
        ASSERT_GT(label, last);
        last = label;
        ASSERT_EQ(weight, reference.average(row, label));
        ASSERT_NE(weight, 0);
      }
    }
  }
}

TEST(TrainingWeights, AnUnfinishedStepDoesNotCount) {
  TrainingWeights weights;
  const auto row = weights.intern(7);
  weights.update(row, 0, 4);
  EXPECT_EQ(weights.average(weights.cells(row)[0]), 4);  // no step yet: the weight itself
  weights.end_step();
  weights.end_step();
  weights.update(row, 0, 100);
  EXPECT_EQ(weights.average(weights.cells(row)[0]), 4);
  weights.end_step();
  EXPECT_EQ(weights.average(weights.cells(row)[0]), (4 + 4 + 104) / 3.0F);
}

TEST(TrainingWeights, WeightsThatReturnToZeroAreLeftOut) {
  TrainingWeights weights;
  const auto row = weights.intern(7);
  weights.update(row, 3, 1);
  weights.update(row, 3, -1);
  weights.update(row, 2, 5);
  weights.intern(8);
  weights.end_step();
  for (const WeightRows& rows : {weights.current(), weights.averaged()}) {
    ASSERT_EQ(rows.rows(), 1U);
    ASSERT_EQ(rows.row(0).size(), 1U);
    EXPECT_EQ(rows.row(0)[0].label, 2);
    EXPECT_EQ(rows.row(0)[0].weight, 5);
  }
}

TEST(TrainingWeights, ScoresAreTheWeightsOfTheRow) {
  TrainingWeights weights;
  const auto row = weights.intern(7);
  weights.update(row, 2, 1.5F);
  weights.update(row, 0, -1);
  std::vector<float> scores{10, 10, 10};
  weights.add_to(row, scores);
  EXPECT_EQ(scores, (std::vector<float>{9, 10, 11.5F}));
  EXPECT_EQ(weights.weight(row, 2), 1.5F);
  EXPECT_EQ(weights.weight(row, 1), 0);
  EXPECT_EQ(weights.find(8), TrainingWeights::kNoRow);
  EXPECT_EQ(weights.intern(7), row);
}

TEST(TrainingWeights, AddAllToEqualsOneByOne) {
  Random random(6);
  TrainingWeights weights;
  std::vector<TrainingWeights::Row> rows;
  for (int i = 0; i < 300; ++i) {
    rows.push_back(weights.intern(scramble(random.below(100))));
    weights.update(rows.back(), static_cast<Label>(random.below(9)),
                   static_cast<float>(random.normal()));
  }
  rows.push_back(weights.intern(12345));  // without a weight yet
  std::vector<float> together(9, 1.0F);
  std::vector<float> one_by_one(9, 1.0F);
  weights.add_all_to(rows, together);
  for (const auto row : rows) weights.add_to(row, one_by_one);
  EXPECT_EQ(together, one_by_one);
  EXPECT_NE(together, std::vector<float>(9, 1.0F));
}

TEST(TrainingWeights, FindAllIsEachThatHasARow) {
  TrainingWeights weights;
  std::vector<FeatureKey> keys;
  std::vector<TrainingWeights::Row> expected, found{77};
  weights.find_all(std::vector<FeatureKey>{1, 2}, found);  // before there is anything
  EXPECT_TRUE(found.empty());
  for (std::uint32_t i = 0; i < 200; ++i) {
    keys.push_back(scramble(i % 150));
    if (i % 3 == 0) weights.intern(keys.back());
  }
  for (const FeatureKey key : keys) {
    if (weights.find(key) != TrainingWeights::kNoRow) expected.push_back(weights.find(key));
  }
  weights.find_all(keys, found);
  EXPECT_EQ(found, expected);
  EXPECT_LT(found.size(), keys.size());
}

// Learning that goes on from saved weights comes to what it would have come to.
TEST(TrainingWeights, GoOnFromAFile) {
  Random random(8);
  const auto learn = [&random](TrainingWeights& weights) {
    for (int i = 0; i < 300; ++i) {
      weights.update(weights.intern(scramble(random.below(40))),
                     static_cast<Label>(random.below(9)), random.normal());
      weights.end_step();
    }
  };
  const auto same = [](const TrainingWeights& a, const TrainingWeights& b) {
    return freeze(a.averaged(), 9) == freeze(b.averaged(), 9);
  };
  TrainingWeights whole;
  learn(whole);
  whole.intern(12345);  // without a weight
  ModelWriter writer("test", nlohmann::json::object());
  whole.save(writer, "w.");
  const ModelFile file = ModelFile::from_bytes(writer.bytes(), "test");
  TrainingWeights again = TrainingWeights::load(file, "w.", 9);
  EXPECT_EQ(again.rows(), whole.rows());
  EXPECT_TRUE(same(again, whole));
  const Random before = random;
  learn(whole);
  random = before;
  learn(again);
  EXPECT_TRUE(same(again, whole));
  EXPECT_THROW(TrainingWeights::load(file, "w.", 8), Error);
}

TEST(TrainingWeights, RefuseWhatDoesNotFitTogether) {
  struct Sections {
    std::vector<FeatureKey> keys{1, 2};
    std::vector<std::uint32_t> sizes{1, 2};
    std::vector<Label> labels{0, 0, 1};
    std::vector<double> moments{0, 0, 0};
    std::vector<std::uint64_t> steps{1};
  };
  const auto load = [](const Sections& with) {
    ModelWriter writer("test", nlohmann::json::object());
    writer.add_array<FeatureKey>("keys", with.keys);
    writer.add_array<std::uint32_t>("sizes", with.sizes);
    writer.add_array<Label>("labels", with.labels);
    writer.add_array<float>("weights", std::vector<float>{1, 2, 3});
    writer.add_array<double>("moments", with.moments);
    writer.add_array<std::uint64_t>("steps", with.steps);
    TrainingWeights::load(ModelFile::from_bytes(writer.bytes(), "test"), "", 2);
  };
  EXPECT_NO_THROW(load({}));
  EXPECT_THROW(load({.keys = {1, 1}}), Error);
  EXPECT_THROW(load({.keys = {1}}), Error);
  EXPECT_THROW(load({.sizes = {1, 1}}), Error);
  EXPECT_THROW(load({.sizes = {1, 3}}), Error);
  EXPECT_THROW(load({.sizes = {4'000'000'000U, 2}}), Error);
  EXPECT_THROW(load({.labels = {0, 1, 1}}), Error);
  EXPECT_THROW(load({.labels = {0, 1, 2}}), Error);
  EXPECT_THROW(load({.moments = {0}}), Error);
  EXPECT_THROW(load({.steps = {}}), Error);
}

TEST(TrainingWeights, GrowingRowsKeepTheirWeights) {
  Random random(5);
  TrainingWeights weights;
  std::map<std::pair<std::uint32_t, Label>, float> reference;
  for (int i = 0; i < 20000; ++i) {
    const auto row = weights.intern(scramble(random.below(200)));
    const auto label = static_cast<Label>(random.below(100));
    weights.update(row, label, 1);
    ++reference[{row, label}];
  }
  std::size_t cells = 0;
  for (std::uint32_t row = 0; row < weights.rows(); ++row) {
    for (const auto& cell : weights.cells(row)) {
      ASSERT_EQ(cell.weight, (reference[{row, cell.label}]));
      ++cells;
    }
  }
  EXPECT_EQ(cells, reference.size());
}

TEST(TrainingWeights, OutgrownPlacesAreUsedAgain) {
  TrainingWeights weights;
  // Rows reach 8 labels one after the other: but for the first few, all they outgrow is reused.
  // If it were not, they would need 1 + 2 + 4 + 8 cells each.
  constexpr FeatureKey kRows = 3900;
  for (FeatureKey key = 1; key <= kRows; ++key) {
    const auto row = weights.intern(scramble(key));
    for (Label label = 0; label < 8; ++label) weights.update(row, label, 1);
  }
  EXPECT_LT(weights.bytes(), kRows * 15 * sizeof(TrainingWeights::Cell));
  for (std::uint32_t row = 0; row < weights.rows(); ++row) {
    ASSERT_EQ(weights.cells(row).size(), 8U);
    for (Label label = 0; label < 8; ++label) ASSERT_EQ(weights.weight(row, label), 1);
  }
}

TEST(TrainingWeights, ARowHoldsEveryLabelThereCanBe) {
  TrainingWeights weights;
  const auto other = weights.intern(1);
  const auto row = weights.intern(2);
  constexpr int kLabels = 65536;
  for (int i = 0; i < kLabels; ++i) {
    const int label = i ^ 1;  // each second one goes before another
    weights.update(row, static_cast<Label>(label), static_cast<float>(label % 7 + 1));
  }
  weights.update(other, 65535, 9);
  ASSERT_EQ(weights.cells(row).size(), static_cast<std::size_t>(kLabels));
  std::vector<float> scores(kLabels);
  weights.add_to(row, scores);
  for (int label = 0; label < kLabels; ++label) {
    ASSERT_EQ(scores[static_cast<std::size_t>(label)], label % 7 + 1);
  }
  EXPECT_EQ(weights.weight(other, 65535), 9);
  EXPECT_EQ(weights.current().weights(), static_cast<std::size_t>(kLabels) + 1);
}

}  // namespace
}  // namespace copse
