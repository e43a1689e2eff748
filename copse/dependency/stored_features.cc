#include "copse/dependency/stored_features.h"

namespace copse {

void StoredFeatures::pack(std::span<const FeatureId> ids) {
  constexpr FeatureId kShort = FeatureId{1} << (8 * kBytesEach);
  const bool is_short = std::ranges::all_of(ids, [](FeatureId id) { return id < kShort; });
  width_ = is_short ? kBytesEach : sizeof(FeatureId);
  packed_.assign(ids.size() * width_ + sizeof(FeatureId), 0);
  std::uint8_t* at = packed_.data();
  for (const FeatureId id : ids) {
    std::memcpy(at, &id, sizeof id);  // the next one overwrites what is too much
    at += width_;
  }
}

void StoredFeatures::score(const FeatureNumbers& numbers, int labels, std::span<const float> w,
                           std::span<float> out) const {
  for (std::size_t p = 0; p < parts_; ++p) {
    float sum = 0;
    for_each_of(p, [&](FeatureId id) { sum += w[id]; });
    out[p] = sum;
  }
  const auto width = static_cast<std::size_t>(labels);
  std::fill(out.begin() + static_cast<std::ptrdiff_t>(parts_), out.end(), 0.0F);
  for (std::size_t p = parts_; p < rows(); ++p) {
    float* const row = out.data() + parts_ + (p - parts_) * width;
    for_each_of(p, [&](FeatureId id) {
      const auto cells = numbers.labels_of(id);
      const float* const weight = w.data() + numbers.first_weight(id);
      for (std::size_t cell = 0; cell < cells.size(); ++cell) row[cells[cell]] += weight[cell];
    });
  }
}

}  // namespace copse
