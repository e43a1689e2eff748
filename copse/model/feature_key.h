// Features are 64-bit keys: a template's seed mixed with the values of its atoms, in order.
//
// An atom's value is itself a 64-bit hash (of a word form, a suffix, a tag name, ...), so that no
// table of strings is needed at prediction time and unseen words need no special case. Value 0
// means "there is no such thing here" (the four-letter suffix of a three-letter word): a template
// with an absent atom does not fire.
#pragma once

#include <cstdint>
#include <string_view>

namespace copse {

using FeatureKey = std::uint64_t;
using AtomValue = std::uint64_t;

inline constexpr AtomValue kAbsent = 0;

// Never kAbsent.
AtomValue atom_of(std::string_view text);

// A bijective finaliser (constants of splitmix64): every bit of the input moves half of the output.
constexpr std::uint64_t scramble(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

// Never kAbsent.
constexpr AtomValue atom_of(std::uint64_t number) {
  const AtomValue value = scramble(number + 0x9E3779B97F4A7C15ULL);
  return value == kAbsent ? 1 : value;
}

// The value that stands for a pair of values.
constexpr AtomValue join(AtomValue left, AtomValue right) {
  const std::uint64_t x = (left ^ (right + 0x9E3779B97F4A7C15ULL)) * 0xD6E8FEB86659FD93ULL;
  return x ^ (x >> 32);
}

// The key of a copy of a feature: what joins `copy` to it changes the low half alone, so that
// tables that place features by the high half keep all copies together.
constexpr FeatureKey copy_of(FeatureKey feature, AtomValue copy) {
  constexpr FeatureKey kHigh = ~FeatureKey{0} << 32;
  return (feature & kHigh) | (join(feature, copy) & ~kHigh);
}

}  // namespace copse
