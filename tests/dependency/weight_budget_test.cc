// Tables that fit into a given number of bytes, with the largest weights in them.
#include "copse/dependency/weight_budget.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "copse/base/random.h"
#include "copse/dependency/parser_words.h"
#include "copse/model/frozen_weights.h"
#include "copse/model/scalar_table.h"
#include "tests/dependency/dependency_testing.h"

namespace copse {
namespace {

// The features of a fixture, with random weights, many of them zero.
class Learnt {
 public:
  explicit Learnt(int labels) {
    const auto sentences = dependency_testing::fixture("english.conllu");
    std::vector<ParserWords> words(sentences.size());
    std::vector<ProblemSentence> given(sentences.size());
    Random random(1);
    for (std::size_t i = 0; i < sentences.size(); ++i) {
      words[i].fill(sentences[i], {}, {});
      given[i].words = words[i].words();
      given[i].heads.push_back(-1);
      if (labels > 0) given[i].labels.push_back(-1);
      for (int m = 1; m <= sentences[i].words(); ++m) {
        given[i].heads.push_back(sentences[i].head(m));
        if (labels > 0) given[i].labels.push_back(random.between(0, labels - 1));
      }
      given[i].mask = ArcMask(sentences[i].words());
    }
    ThreadTeam team(1);
    const TrainingProblem problem(
        given, PartFeatures(dependency_testing::built_in_templates("default")), nullptr, labels,
        TreeKind{Factorisation::first, RootRule::multi, false}, FeatureSelection{1, 1, 5}, nullptr,
        team);
    numbers = problem.numbers();
    weights.resize(numbers->dimension());
    for (float& weight : weights) {
      weight = random.chance(0.3) ? 0 : static_cast<float>(random.normal());
    }
  }
  std::shared_ptr<const FeatureNumbers> numbers;
  std::vector<float> weights;
};

const Learnt& labelled() {
  static const Learnt learnt(7);
  return learnt;
}
const Learnt& unlabelled() {
  static const Learnt learnt(0);
  return learnt;
}

struct alignas(64) Line {
  std::array<std::byte, 64> bytes;
};
std::vector<Line> aligned(const std::string& bytes) {
  std::vector<Line> lines((bytes.size() + 63) / 64);
  std::memcpy(lines.data(), bytes.data(), bytes.size());
  return lines;
}

TEST(WeightBudget, WithoutALimitEveryWeightIsKept) {
  const FrozenTables tables = freeze_within(*labelled().numbers, labelled().weights, 7, 0);
  EXPECT_EQ(tables.kept, tables.features);
  const auto lines = aligned(tables.parts);
  const ScalarTable table =
      ScalarTable::view(std::as_bytes(std::span(lines)).first(tables.parts.size()));
  for (std::size_t f = 0; f < labelled().numbers->parts(); ++f) {
    ASSERT_NEAR(static_cast<float>(table.find(labelled().numbers->part_keys()[f])) * table.scale(),
                labelled().weights[f], table.scale());
  }
  const auto label_lines = aligned(tables.labels);
  const FrozenWeights labels =
      FrozenWeights::view(std::as_bytes(std::span(label_lines)).first(tables.labels.size()));
  for (FeatureId b = 0; b < labelled().numbers->label_keys().size(); ++b) {
    std::vector<float> row(7), expected(7);
    labels.add_to(labels.find(labelled().numbers->label_keys()[b]), row);
    const auto cells = labelled().numbers->labels_of(b);
    for (std::size_t k = 0; k < cells.size(); ++k) {
      expected[cells[k]] = labelled().weights[labelled().numbers->first_weight(b) + k];
    }
    for (std::size_t l = 0; l < 7; ++l) ASSERT_NEAR(row[l], expected[l], 1e-3);
  }
}

TEST(WeightBudget, TablesStayWithinTheLimit) {
  for (const Learnt* learnt : {&labelled(), &unlabelled()}) {
    const int labels = learnt == &labelled() ? 7 : 0;
    const FrozenTables all = freeze_within(*learnt->numbers, learnt->weights, labels, 0);
    const std::size_t whole = all.parts.size() + all.labels.size();
    for (const double share : {0.9, 0.5, 0.2, 0.05, 0.01}) {
      const auto limit = static_cast<std::size_t>(share * static_cast<double>(whole));
      const FrozenTables tables = freeze_within(*learnt->numbers, learnt->weights, labels, limit);
      const std::size_t size = tables.parts.size() + tables.labels.size();
      EXPECT_LE(size, limit + 256) << share;  // headers are not counted
      EXPECT_GT(size, limit / 2) << share;
      EXPECT_EQ(tables.features, all.features) << share;
      EXPECT_LT(tables.kept, all.kept);
      EXPECT_EQ(tables.labels.empty(), labels == 0);
    }
  }
}

TEST(WeightBudget, TheSmallestWeightsGoFirst) {
  const Learnt& learnt = unlabelled();
  const FrozenTables all = freeze_within(*learnt.numbers, learnt.weights, 0, 0);
  const FrozenTables tables =
      freeze_within(*learnt.numbers, learnt.weights, 0, all.parts.size() / 3);
  const auto lines = aligned(tables.parts);
  const ScalarTable table =
      ScalarTable::view(std::as_bytes(std::span(lines)).first(tables.parts.size()));
  float largest_lost = 0, smallest_kept = 1e9F;
  std::size_t kept = 0;
  for (std::size_t f = 0; f < learnt.numbers->parts(); ++f) {
    const float size = std::abs(learnt.weights[f]);
    if (table.find(learnt.numbers->part_keys()[f]) == 0) {
      largest_lost = std::max(largest_lost, size);
    } else {
      smallest_kept = std::min(smallest_kept, size);
      ++kept;
    }
  }
  EXPECT_LE(largest_lost, smallest_kept);
  EXPECT_EQ(kept, tables.kept);
}

TEST(WeightBudget, ALimitTooSmallForAnythingGivesTablesThatAnswer) {
  const FrozenTables tables = freeze_within(*labelled().numbers, labelled().weights, 7, 1);
  EXPECT_LT(tables.parts.size() + tables.labels.size(), 512U);
  const auto lines = aligned(tables.parts);
  EXPECT_EQ(ScalarTable::view(std::as_bytes(std::span(lines)).first(tables.parts.size())).find(1),
            0);
}

TEST(WeightBudget, ZeroWeightsTakeNoRoom) {
  const std::vector<float> zeros(labelled().weights.size());
  const FrozenTables tables = freeze_within(*labelled().numbers, zeros, 7, 1000);
  EXPECT_EQ(tables.features, 0U);
  EXPECT_EQ(tables.kept, 0U);
}

}  // namespace
}  // namespace copse
