#include "copse/inference/part_scores.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "copse/inference/lane_kernels.h"
#include "copse/inference/status.h"

namespace copse {
namespace {

constexpr auto kLimit = static_cast<float>(kLargestScore);

bool fine(std::span<const float> values) {
  return lane_kernels().all_within(values.data(), kLimit, static_cast<long>(values.size()));
}
bool fine(float value) {
  return fine({&value, 1});
}

}  // namespace

void require_label(const PartIndex& index, PartScores& scores, int m, int label) {
  for (int h = 0; h <= index.words(); ++h) {
    const int a = h == m ? PartIndex::kNone : index.find_arc(h, m);
    if (a == PartIndex::kNone) continue;
    const auto row = scores.label_row(a);
    for (int l = 0; l < scores.labels(); ++l)
      if (l != label) row[static_cast<std::size_t>(l)] = -std::numeric_limits<float>::infinity();
  }
}

std::optional<std::string> find_bad_score(const PartIndex& index, const PartScores& scores) {
  if (!fine(scores.values()))
    for (PartIndex::Id id = 0; id < index.size(); ++id)
      if (!fine(scores[id])) return str(index.part(id));
  if (!fine(scores.label_values()))
    for (int a = 0; a < index.arcs(); ++a)
      for (int l = 0; l < scores.labels(); ++l)
        if (!fine(scores.label_row(a)[static_cast<std::size_t>(l)]))
          return "label " + std::to_string(l) + " of " + str(index.part(index.dep(a)));
  return std::nullopt;
}

void PartMarginals::reset(const PartIndex& index, int labels) {
  split_ = index.first(PartFamily::gsib);
  labels_ = labels;
  low_.assign(static_cast<std::size_t>(split_), 0.0);
  third_.assign(static_cast<std::size_t>(index.size() - split_), 0.0F);
  label_values_.assign(static_cast<std::size_t>(index.arcs()) * static_cast<std::size_t>(labels),
                       0.0);
}

void PartMarginals::split_labels(const PartIndex& index, const PartScores& scores) {
  if (labels_ == 0) return;
  for (int a = 0; a < index.arcs(); ++a) {
    const auto row = scores.label_row(a);
    const double largest = *std::max_element(row.begin(), row.end());
    if (std::isinf(largest)) continue;  // every label is forbidden, and so is the arc
    double sum = 0;
    for (const float score : row) sum += std::exp(score - largest);
    double* const mu = label_values_.data() + static_cast<std::size_t>(a) * row.size();
    for (std::size_t l = 0; l < row.size(); ++l)
      mu[l] = (*this)[index.dep(a)] * std::exp(row[l] - largest) / sum;
  }
}

}  // namespace copse
