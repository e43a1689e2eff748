#include "copse/dependency/weight_budget.h"

#include <algorithm>
#include <cmath>

#include "copse/model/frozen_weights.h"
#include "copse/model/scalar_table.h"

namespace copse {
namespace {

// What a feature takes on average in each of the tables.
constexpr double kBytesPerPart = 64.0 / ScalarTable::kMeanTaken;
constexpr double kBytesPerRow = 20;
constexpr double kBytesPerCell = 4;

// The magnitude that the `keep` largest of the values exceed or reach.
float magnitude_of_rank(std::vector<float>& magnitudes, std::size_t keep) {
  if (keep >= magnitudes.size()) return 0;
  const auto at = magnitudes.begin() + static_cast<std::ptrdiff_t>(keep);
  std::nth_element(magnitudes.begin(), at, magnitudes.end(), std::greater<>());
  return *at;
}

struct LabelSize {
  std::size_t rows = 0, cells = 0;
  double bytes() const {
    return kBytesPerRow * static_cast<double>(rows) + kBytesPerCell * static_cast<double>(cells);
  }
};

LabelSize label_size(const FeatureNumbers& numbers, std::span<const float> weights, float prune) {
  LabelSize size;
  for (FeatureId b = 0; b < numbers.label_keys().size(); ++b) {
    const auto labels = numbers.labels_of(b);
    std::size_t cells = 0;
    for (std::size_t k = 0; k < labels.size(); ++k) {
      cells += std::abs(weights[numbers.first_weight(b) + k]) > prune ? 1 : 0;
    }
    size.cells += cells;
    size.rows += cells > 0 ? 1 : 0;
  }
  return size;
}

float label_prune(const FeatureNumbers& numbers, std::span<const float> weights, double bytes) {
  float low = 0;
  if (label_size(numbers, weights, low).bytes() <= bytes) return low;
  float high = 1e-6F;
  while (label_size(numbers, weights, high).bytes() > bytes) high *= 2;
  for (int step = 0; step < 12; ++step) {
    const float middle = (low + high) / 2;
    (label_size(numbers, weights, middle).bytes() > bytes ? low : high) = middle;
  }
  return high;
}

}  // namespace

FrozenTables freeze_within(const FeatureNumbers& numbers, std::span<const float> weights,
                           int labels, std::size_t bytes) {
  FrozenTables out;
  const double label_share = labels > 0 ? 0.3 : 0;
  std::vector<float> magnitudes;
  for (std::size_t f = 0; f < numbers.parts(); ++f) {
    if (weights[f] != 0) magnitudes.push_back(std::abs(weights[f]));
  }
  out.features = magnitudes.size();
  double label_bytes = 0;
  if (labels > 0) {
    const float prune =
        bytes == 0 ? 0 : label_prune(numbers, weights, label_share * static_cast<double>(bytes));
    WeightRows rows;
    std::vector<LabelWeight> row;
    for (FeatureId b = 0; b < numbers.label_keys().size(); ++b) {
      row.clear();
      const auto row_labels = numbers.labels_of(b);
      for (std::size_t k = 0; k < row_labels.size(); ++k) {
        const float weight = weights[numbers.first_weight(b) + k];
        out.features += weight != 0 ? 1 : 0;
        if (std::abs(weight) > prune) row.push_back({row_labels[k], weight});
      }
      out.kept += row.size();
      if (!row.empty()) rows.add(numbers.label_keys()[b], row);
    }
    out.labels = freeze(rows, static_cast<std::size_t>(labels));
    label_bytes = static_cast<double>(out.labels.size());
  }
  float prune = 0;
  if (bytes > 0) {
    const double rest = std::max(0.0, static_cast<double>(bytes) - label_bytes);
    prune = magnitude_of_rank(magnitudes, static_cast<std::size_t>(rest / kBytesPerPart));
  }
  std::vector<KeyWeight> kept;
  for (std::size_t f = 0; f < numbers.parts(); ++f) {
    if (std::abs(weights[f]) > prune) kept.push_back({numbers.part_keys()[f], weights[f]});
  }
  out.kept += kept.size();
  out.parts = freeze_scalars(kept);
  return out;
}

}  // namespace copse
