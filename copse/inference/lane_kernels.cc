#include "copse/inference/lane_kernels.h"

#include "copse/inference/lane_kernels_text.inc"

namespace copse {

const LaneKernels& baseline_lane_kernels() {
  static constexpr LaneKernels kKernels = make_kernels("baseline");
  return kKernels;
}

const LaneKernels& lane_kernels() {
  static const LaneKernels& chosen =
      avx2_lane_kernels() != nullptr ? *avx2_lane_kernels() : baseline_lane_kernels();
  return chosen;
}

}  // namespace copse
