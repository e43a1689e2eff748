#include "copse/dependency/stored_features.h"

namespace copse {

void StoredFeatures::score(const FeatureNumbers& numbers, int labels, std::span<const float> w,
                           std::span<float> out) const {
  for (std::size_t p = 0; p < parts_; ++p) {
    float sum = 0;
    for (const FeatureId id : of(p)) sum += w[id];
    out[p] = sum;
  }
  const auto width = static_cast<std::size_t>(labels);
  std::fill(out.begin() + static_cast<std::ptrdiff_t>(parts_), out.end(), 0.0F);
  for (std::size_t p = parts_; p < rows(); ++p) {
    float* const row = out.data() + parts_ + (p - parts_) * width;
    for (const FeatureId id : of(p)) {
      const auto cells = numbers.labels_of(id);
      const float* const weight = w.data() + numbers.first_weight(id);
      for (std::size_t cell = 0; cell < cells.size(); ++cell) row[cells[cell]] += weight[cell];
    }
  }
}

}  // namespace copse
