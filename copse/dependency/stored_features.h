// The features of one sentence's parts as numbers, so that a pass over the data looks up no keys:
// what scores its parts and what a difference of structures is summed from.
//
// Parts 0 .. parts-1 have a weight for each of their features. Then come arcs whose label features
// have a weight for each of their labels: the score of label l of arc a stands at
// parts + a * labels + l.
//
// A number takes three bytes, four where a sentence has one of 2^24 or more: they are most of the
// memory of training.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "copse/dependency/feature_numbers.h"
#include "copse/dependency/part_keys.h"

namespace copse {

class StoredFeatures {
 public:
  // The keys that have a number; number(key) of a part, FeatureNumbers::kNone if it has none.
  template <class Number>
  void store(const PartKeys& keys, std::size_t parts, const FeatureNumbers& numbers,
             Number&& number);

  // out[p] = the sum of the weights of p's features.
  void score(const FeatureNumbers& numbers, int labels, std::span<const float> w,
             std::span<float> out) const;
  // visit(feature, c[p]) for every feature of every part with c[p] != 0.
  template <class Visit>
  void for_each(const FeatureNumbers& numbers, int labels, std::span<const float> coefficients,
                Visit&& visit) const;

  std::size_t bytes() const { return 4 * begin_.capacity() + packed_.capacity(); }
  // What a number takes as a rule.
  static constexpr std::size_t kBytesEach = 3;

 private:
  static_assert(sizeof(FeatureId) == 4);
  // visit(feature) for those of a part.
  template <class Visit>
  void for_each_of(std::size_t part, Visit&& visit) const {
    const FeatureId mask = width_ == kBytesEach ? 0xFFFFFFU : ~FeatureId{0};
    const std::uint8_t* at = packed_.data() + std::size_t{begin_[part]} * width_;
    const std::uint8_t* const end = packed_.data() + std::size_t{begin_[part + 1]} * width_;
    for (; at != end; at += width_) {
      FeatureId id = 0;
      std::memcpy(&id, at, sizeof id);  // one byte too many; there is room behind the last
      visit(id & mask);
    }
  }
  void pack(std::span<const FeatureId> ids);
  std::size_t rows() const { return begin_.size() - 1; }

  std::size_t parts_ = 0;
  // The features of part p are the numbers begin_[p] .. begin_[p + 1]; then come those of the labels
  // of each arc.
  std::vector<std::uint32_t> begin_{0};
  std::size_t width_ = kBytesEach;
  std::vector<std::uint8_t> packed_;
};

template <class Number>
void StoredFeatures::store(const PartKeys& keys, std::size_t parts, const FeatureNumbers& numbers,
                           Number&& number) {
  parts_ = parts;
  begin_.clear();
  begin_.reserve(keys.begin.size());
  std::vector<FeatureId> ids;
  ids.reserve(keys.keys.size());
  for (std::size_t p = 0; p + 1 < keys.begin.size(); ++p) {
    begin_.push_back(static_cast<std::uint32_t>(ids.size()));
    for (const FeatureKey key : keys.of(p)) {
      const FeatureId id = p < parts ? number(key) : numbers.label(key);
      if (id != FeatureNumbers::kNone) ids.push_back(id);
    }
  }
  begin_.push_back(static_cast<std::uint32_t>(ids.size()));
  pack(ids);
}

template <class Visit>
void StoredFeatures::for_each(const FeatureNumbers& numbers, int labels,
                              std::span<const float> coefficients, Visit&& visit) const {
  for (std::size_t p = 0; p < parts_; ++p) {
    const float value = coefficients[p];
    if (value == 0) continue;
    for_each_of(p, [&](FeatureId feature) { visit(feature, value); });
  }
  const auto width = static_cast<std::size_t>(labels);
  for (std::size_t p = parts_; p < rows(); ++p) {
    const float* const row = coefficients.data() + parts_ + (p - parts_) * width;
    const bool any = std::any_of(row, row + width, [](float value) { return value != 0; });
    if (!any) continue;
    for_each_of(p, [&](FeatureId feature) {
      const auto cells = numbers.labels_of(feature);
      const std::size_t first = numbers.first_weight(feature);
      for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        if (row[cells[cell]] != 0) visit(static_cast<FeatureId>(first + cell), row[cells[cell]]);
      }
    });
  }
}

}  // namespace copse
