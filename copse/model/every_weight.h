// All weights of a table, for those that must be of another kind than numbers at large: counts, say.
#pragma once

#include <cstddef>

#include "copse/model/frozen_weights.h"

namespace copse {

// visit(label, weight) for every weight of every row.
template <class Visit>
void for_each_weight(const FrozenWeights& table, Visit visit) {
  // Rows lie one after the other, each a count and its weights.
  const std::size_t size = table.precision() == Precision::int16 ? 1 : 2;
  const std::size_t end = table.rows() + table.weights() * size;
  for (std::size_t row = 0; row < end;) {
    std::size_t weights = 0;
    table.for_each(static_cast<FrozenWeights::Row>(row), [&](Label label, float weight) {
      visit(label, weight);
      ++weights;
    });
    row += 1 + weights * size;
  }
}

}  // namespace copse
