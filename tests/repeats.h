// How often a test with random input repeats: under sanitizers, without optimisation, a tenth. And up
// to how many words it enumerates everything: one less there.
#pragma once

#include <algorithm>

namespace copse {

#if defined(COPSE_SANITIZED)  // by the build
inline constexpr int kShare = 10;
#else
inline constexpr int kShare = 1;
#endif

constexpr int repeats(int times, int least = 1) {
  return std::max(least, times / kShare);
}

constexpr int enumerated(int words) {
  return kShare == 1 ? words : words - 1;
}

}  // namespace copse
