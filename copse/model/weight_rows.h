// Finished weights, on their way from a learner to a model file: for each feature a row of
// (label, weight), labels ascending.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "copse/model/feature_key.h"

namespace copse {

using Label = std::uint16_t;

struct LabelWeight {
  Label label;
  float weight;
};

class WeightRows {
 public:
  void add(FeatureKey key, std::span<const LabelWeight> row) {
    keys_.push_back(key);
    weights_.insert(weights_.end(), row.begin(), row.end());
    ends_.push_back(weights_.size());
  }

  std::size_t rows() const { return keys_.size(); }
  std::size_t weights() const { return weights_.size(); }
  FeatureKey key(std::size_t row) const { return keys_[row]; }
  std::span<const LabelWeight> row(std::size_t row) const {
    const std::size_t begin = row == 0 ? 0 : ends_[row - 1];
    return std::span(weights_).subspan(begin, ends_[row] - begin);
  }

 private:
  std::vector<FeatureKey> keys_;
  std::vector<LabelWeight> weights_;
  std::vector<std::size_t> ends_;
};

}  // namespace copse
