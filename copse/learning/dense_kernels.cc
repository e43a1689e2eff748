#include "copse/learning/dense_kernels.h"

#include "copse/learning/dense_kernels_text.inc"

namespace copse {

template <class T>
const DenseKernels<T>& baseline_dense_kernels() {
  static constexpr DenseKernels<T> kKernels = make_kernels<T>();
  return kKernels;
}

template <class T>
const DenseKernels<T>& dense_kernels() {
  static const DenseKernels<T>& chosen =
      avx2_dense_kernels<T>() != nullptr ? *avx2_dense_kernels<T>() : baseline_dense_kernels<T>();
  return chosen;
}

template const DenseKernels<float>& baseline_dense_kernels<float>();
template const DenseKernels<double>& baseline_dense_kernels<double>();
template const DenseKernels<float>& dense_kernels<float>();
template const DenseKernels<double>& dense_kernels<double>();

}  // namespace copse
