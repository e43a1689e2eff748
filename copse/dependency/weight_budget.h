// Freezing learnt weights into tables of limited size: the smallest weights are left out first.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "copse/dependency/training_problem.h"

namespace copse {

struct FrozenTables {
  std::string parts, labels;
  std::size_t features = 0;  // with a weight, before anything was left out
  std::size_t kept = 0;
};

// At most `bytes` for both tables together, as nearly as can be; 0: everything is kept.
FrozenTables freeze_within(const FeatureNumbers& numbers, std::span<const float> weights,
                           int labels, std::size_t bytes);

}  // namespace copse
