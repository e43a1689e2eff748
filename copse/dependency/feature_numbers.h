// Which features a parser learns weights for, and their numbers: keys to dense ids.
//
// Decided before learning begins: features met at least `min_count` times in surviving parts,
// right or wrong. A label feature has weights for the labels that training shows with it, and for
// all labels when it is frequent.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "copse/learning/part_problem.h"
#include "copse/model/feature_key.h"
#include "copse/model/feature_table.h"

namespace copse {

struct FeatureSelection {
  int min_count = 2;        // features met less often are left out ...
  int gold_weight = 1;      // ... each part of a right tree counting as so many
  int full_label_row = 20;  // label features met that often have a weight for every label
};

// Keys to numbers, for part features and for label features.
class FeatureNumbers {
 public:
  static constexpr FeatureId kNone = FeatureTable::kNone;

  FeatureId part(FeatureKey key) const { return parts_.find(key); }
  FeatureId label(FeatureKey key) const { return labels_.find(key); }
  std::size_t parts() const { return part_keys_.size(); }
  // Weights of label feature b are numbered parts() + cell, its cells being first_cell[b] ..
  std::span<const std::uint16_t> labels_of(FeatureId b) const {
    return {cell_labels_.data() + first_cell_[b], first_cell_[b + 1] - first_cell_[b]};
  }
  std::size_t first_weight(FeatureId b) const { return parts() + first_cell_[b]; }
  std::size_t dimension() const { return parts() + cell_labels_.size(); }

  // Gives back the memory that finding needs; part() and label() find nothing any more.
  void forget_lookup() {
    parts_ = {};
    labels_ = {};
  }

  std::span<const FeatureKey> part_keys() const { return part_keys_; }
  std::span<const FeatureKey> label_keys() const { return label_keys_; }

 private:
  friend class FeatureCollector;
  FeatureTable parts_, labels_;
  std::vector<FeatureKey> part_keys_, label_keys_;  // by number
  std::vector<std::uint32_t> first_cell_{0};
  std::vector<std::uint16_t> cell_labels_;
};

// Counts keys, roughly and in little memory, then numbers those that are frequent enough:
// count() and count_label() for everything, lay_out_labels(), number() for everything, finish().
class FeatureCollector {
 public:
  FeatureCollector(const FeatureSelection& selection, int labels);

  void count(FeatureKey key, int weight) {
    std::uint8_t& counter = counter_of(key);
    counter = static_cast<std::uint8_t>(std::min(255, counter + weight));
  }
  void count_label(FeatureKey key, int label);
  FeatureId number(FeatureKey key);
  void lay_out_labels();
  std::shared_ptr<FeatureNumbers> finish() { return out_; }

 private:
  static constexpr int kCounterBits = 27;
  struct Free {
    void operator()(std::uint8_t* bytes) const { std::free(bytes); }
  };

  // Copies of a feature differ in the low half of their keys only.
  std::uint8_t& counter_of(FeatureKey key) { return counts_[scramble(key) >> (64 - kCounterBits)]; }

  FeatureSelection selection_;
  int labels_;
  // Pages of zeros that a small treebank never touches cost nothing when they come from calloc.
  std::unique_ptr<std::uint8_t[], Free> counts_{
      static_cast<std::uint8_t*>(std::calloc(std::size_t{1} << kCounterBits, 1))};
  std::vector<std::vector<std::uint16_t>> seen_;  // labels by label feature
  std::vector<int> label_counts_;
  std::shared_ptr<FeatureNumbers> out_ = std::make_shared<FeatureNumbers>();
};

}  // namespace copse
