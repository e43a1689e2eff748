// Compiled for AVX2 where the compiler can; only the table of kernels leaves this file.
#include "copse/learning/dense_kernels.h"

#ifdef __AVX2__
#include "copse/learning/dense_kernels_text.inc"
#endif

namespace copse {

template <class T>
const DenseKernels<T>* avx2_dense_kernels() {
#ifdef __AVX2__
  static constexpr DenseKernels<T> kKernels = make_kernels<T>();
  static const bool can_run = __builtin_cpu_supports("avx2") != 0;
  return can_run ? &kKernels : nullptr;
#else
  return nullptr;
#endif
}

template const DenseKernels<float>* avx2_dense_kernels<float>();
template const DenseKernels<double>* avx2_dense_kernels<double>();

}  // namespace copse
