// Products of small dense matrices and the functions of neurons, in the widest instructions that the
// machine has: chosen once, at run time. The text is in dense_kernels_text.inc, compiled once for the
// baseline and once for AVX2.
//
// Every number of a product is one sum in the order of the inner index and nothing is fused, so that
// results depend neither on the instruction set nor on how the work is cut into rows.
#pragma once

#include <cstddef>

namespace copse {

// C[m x n] += A[m x k] B[k x n]. A(i, p) = a[i * a_row + p * a_column], so that a transposed A is
// the same memory with strides exchanged; rows of B and C are contiguous.
template <class T>
struct MatrixProduct {
  std::size_t m = 0, k = 0, n = 0;
  const T* a = nullptr;
  std::size_t a_row = 0, a_column = 1;
  const T* b = nullptr;
  std::size_t b_row = 0;
  T* c = nullptr;
  std::size_t c_row = 0;
};

template <class T>
struct DenseKernels {
  void (*multiply_add)(const MatrixProduct<T>& product);
  void (*sigmoid)(T* x, std::size_t n);                  // in place
  void (*tanh)(T* x, std::size_t n);                     // in place
  void (*exp_less)(T* x, T largest, std::size_t n);      // x = e^(x - largest)
  void (*add)(T* out, const T* a, std::size_t n);        // out += a
  void (*axpy)(T* out, const T* a, T s, std::size_t n);  // out += s a
};

// The best for this machine. Thread-safe.
template <class T>
const DenseKernels<T>& dense_kernels();

// The two sets, for tests that compare them; avx2 is null where it cannot run.
template <class T>
const DenseKernels<T>& baseline_dense_kernels();
template <class T>
const DenseKernels<T>* avx2_dense_kernels();

}  // namespace copse
