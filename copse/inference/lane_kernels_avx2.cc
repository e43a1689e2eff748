// Compiled for AVX2 where the compiler can; only the table of kernels leaves this file.
#include "copse/inference/lane_kernels.h"

#ifdef __AVX2__
#include "copse/inference/lane_kernels_text.inc"
#endif

namespace copse {

const LaneKernels* avx2_lane_kernels() {
#ifdef __AVX2__
  static constexpr LaneKernels kKernels = make_kernels("avx2");
  static const bool can_run = __builtin_cpu_supports("avx2") != 0;
  return can_run ? &kKernels : nullptr;
#else
  return nullptr;
#endif
}

}  // namespace copse
