#include "copse/learning/perceptron.h"

#include <tuple>

namespace copse {

void FeatureDifference::simplify() {
  const auto place = [](const Entry& entry) { return std::tuple(entry.row, entry.label); };
  std::ranges::stable_sort(entries_, {}, place);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < entries_.size();) {
    Entry sum = entries_[i];
    for (++i; i < entries_.size() && place(entries_[i]) == place(sum); ++i) {
      sum.delta += entries_[i].delta;
    }
    if (sum.delta != 0) entries_[kept++] = sum;
  }
  entries_.resize(kept);
}

double FeatureDifference::squared_norm() const {
  double sum = 0;
  for (const Entry& entry : entries_) sum += static_cast<double>(entry.delta) * entry.delta;
  return sum;
}

void apply(const FeatureDifference& difference, float step, TrainingWeights& weights) {
  if (step == 0) return;
  for (const auto& entry : difference.entries()) {
    weights.update(entry.row, entry.label, step * entry.delta);
  }
}

float step_length(const FeatureDifference& difference, const Outcome& outcome,
                  const PerceptronOptions& options) {
  if (!options.passive_aggressive) return 1;
  const double norm = difference.squared_norm();
  if (norm == 0) return 0;
  const double step = (outcome.loss + outcome.margin) / norm;
  return static_cast<float>(std::clamp(step, 0.0, options.aggressiveness));
}

}  // namespace copse
