// How far to scale the scores of a sentence so that sums over its trees stay within double.
//
// Taking gamma(m) off all arcs into word m scales every tree alike: log Z falls by the sum of the
// gammas. With gamma(m) = the best that any arc into m can collect from all its parts, every word
// of a tree weighs at most 1. Then
//   - no inside or outside value exceeds e^reach, because there are at most 6.75^n derivations and
//     at most two words of an item have some parts inside and some outside of it;
//   - what is lost when a product falls below 2^-1022 is at most e^(reach - 708) of weight per
//     edge.
// So the linear domain is exact (to 1e-16 of Z) if the scaled log Z is above least_log_z().
#pragma once

#include <span>
#include <vector>

#include "copse/inference/part_index.h"
#include "copse/inference/part_scores.h"

namespace copse {

struct LinearScale {
  std::vector<double> gamma;  // by word; 0 for the root
  double total = 0;
  double reach = 0;

  // Can the linear domain work at all?
  bool possible() const { return reach < 600; }
  double least_log_z() const { return reach - 649; }
};

// arc: by arc, what it contributes with its label.
void find_linear_scale(const PartIndex& index, const PartScores& scores,
                       std::span<const double> arc, LinearScale& scale);

}  // namespace copse
