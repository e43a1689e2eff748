// Arrays of a file whose numbers somebody goes on computing with. One that is no number, or beyond all
// that learners reach, would spread to every score; searches over such scores need not come to an end.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>

#include "copse/base/error.h"
#include "copse/model/model_file.h"

namespace copse {

inline constexpr double kLargestLearnt = 1e18;

// Throws data_error if a number is not within kLargestLearnt of 0.
template <class T>
std::span<const T> finite_array(const ModelFile& file, std::string_view name) {
  const std::span<const T> values = file.array<T>(name);
  const auto is_fine = [](T value) { return std::abs(value) <= T{kLargestLearnt}; };
  if (!std::ranges::all_of(values, is_fine)) throw file.damaged(name, "has impossible numbers");
  return values;
}

}  // namespace copse
