// How often a test with random input repeats: under sanitizers, without optimisation, a tenth.
#pragma once

#include <algorithm>

namespace copse {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr int kShare = 10;
#else
inline constexpr int kShare = 1;
#endif

constexpr int repeats(int times) {
  return std::max(1, times / kShare);
}

}  // namespace copse
