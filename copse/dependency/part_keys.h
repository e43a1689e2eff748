// The feature keys of all parts of a sentence in one list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "copse/dependency/part_features.h"
#include "copse/inference/part_index.h"

namespace copse {

// Keys of part p: keys[begin[p]] .. keys[begin[p + 1]], the parts in the order of their index; then
// one such run for the labels of each arc.
struct PartKeys {
  std::vector<FeatureKey> keys;
  std::vector<std::uint32_t> begin;

  std::span<const FeatureKey> of(std::size_t part) const {
    return {keys.data() + begin[part], begin[part + 1] - begin[part]};
  }
  // What was in it is replaced.
  void fill(const PartIndex& index, const PartFeatures& features, const PositionAtoms& atoms,
            bool labels);
};

}  // namespace copse
