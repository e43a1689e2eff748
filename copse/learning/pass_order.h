// The order of the examples in a pass, drawn anew for each.
#pragma once

#include <cstdint>

#include "copse/base/random.h"

namespace copse {

// Numbers for one pass (from 0) of learning with a seed; other passes and other seeds have others.
// The sum of both would not do: seed 2 would go through the orders of seed 1, a pass later. The
// factor is any large odd one but the step of Random's own seeding.
inline Random pass_order(std::uint64_t seed, std::uint64_t pass) {
  constexpr std::uint64_t kApart = 0xD1342543DE82EF95ULL;
  return Random(1 + pass + (seed - 1) * kApart);
}

}  // namespace copse
