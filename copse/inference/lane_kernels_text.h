// The text of lane_kernels.h. Included by one file per instruction set and by nothing else: all of
// it has internal linkage and uses no inline function from outside, so that no code compiled for
// AVX2 can end up in a program that runs without it.
//
// Plain loops are left to the vectoriser; maxima and sums over k, which it may not reorder by
// itself, are written with eight lanes of the compilers' vector extension.
#pragma once

#include <cstdint>
#include <cstring>

#include "copse/inference/lane_kernels.h"

namespace copse {
namespace {

using Floats = float __attribute__((vector_size(32)));
using Doubles = double __attribute__((vector_size(64)));
using Longs = std::uint64_t __attribute__((vector_size(64)));
constexpr int kLanes = 8;
constexpr float kMinusInfinityFloat = -__builtin_inff();

template <class Vector, class Real>
inline Vector load(const Real* from) {
  Vector v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
inline float larger(float x, float y) {
  return x > y ? x : y;
}

using HalfFloats = float __attribute__((vector_size(16)));

template <class Vector, class Real>
inline void store(Real* to, const Vector& v) {
  std::memcpy(to, &v, sizeof v);
}
template <class Vector>
inline Vector larger_lanes(const Vector& x, const Vector& y) {
  return x > y ? x : y;
}
inline float largest_lane(const HalfFloats& v) {
  const HalfFloats two = larger_lanes(v, __builtin_shufflevector(v, v, 2, 3, 2, 3));
  return larger(two[0], two[1]);
}
inline float largest_lane(const Floats& v) {
  const HalfFloats low = __builtin_shufflevector(v, v, 0, 1, 2, 3);
  const HalfFloats high = __builtin_shufflevector(v, v, 4, 5, 6, 7);
  return largest_lane(larger_lanes(low, high));
}

// out[at ..] for one vector of lanes, or for one lane if Vector is float.
template <class Vector, bool kPair>
inline void max_block(float* out, int at, const LaneKernels::Term* terms, int count) {
  auto best = load<Vector>(out + at);
  for (int r = 0; r < count; ++r) {
    const LaneKernels::Term& term = terms[r];
    Vector x = load<Vector>(term.a + at) + term.s;
    if constexpr (kPair) x += load<Vector>(term.b + at);
    best = x > best ? x : best;
  }
  store(out + at, best);
}
// Maxima may be taken twice: the last vector of a row overlaps the one before it.
template <bool kPair>
inline void max_rows(float* out, int n, const LaneKernels::Term* terms, int count) {
  if (n >= kLanes) {
    int k = 0;
    for (; k + kLanes <= n; k += kLanes) max_block<Floats, kPair>(out, k, terms, count);
    if (k < n) max_block<Floats, kPair>(out, n - kLanes, terms, count);
  } else if (n >= kLanes / 2) {
    max_block<HalfFloats, kPair>(out, 0, terms, count);
    if (n > kLanes / 2) max_block<HalfFloats, kPair>(out, n - kLanes / 2, terms, count);
  } else {
    for (int k = 0; k < n; ++k) max_block<float, kPair>(out, k, terms, count);
  }
}
void max_terms(float* out, int n, const LaneKernels::Term* terms, int count) {
  max_rows<false>(out, n, terms, count);
}
void max_pair_terms(float* out, int n, const LaneKernels::Term* terms, int count) {
  max_rows<true>(out, n, terms, count);
}

// The maximum of term<Vector>(k), the terms k, k+1, .. as many as the vector has lanes.
template <class Term>
inline float best_of(int n, const Term& term) {
  if (n >= kLanes) {
    Floats lanes = term.template operator()<Floats>(n - kLanes);
    for (int k = 0; k + kLanes < n; k += kLanes)
      lanes = larger_lanes(term.template operator()<Floats>(k), lanes);
    return largest_lane(lanes);
  }
  if (n >= kLanes / 2)
    return largest_lane(larger_lanes(term.template operator()<HalfFloats>(0),
                                     term.template operator()<HalfFloats>(n - kLanes / 2)));
  float best = kMinusInfinityFloat;
  for (int k = 0; k < n; ++k) best = larger(term.template operator()<float>(k), best);
  return best;
}

float best(const float* a, int n) {
  return best_of(n, [=]<class Vector>(int k) { return load<Vector>(a + k); });
}
float best_pair(const float* a, const float* b, int n) {
  return best_of(n, [=]<class Vector>(int k) { return load<Vector>(a + k) + load<Vector>(b + k); });
}
float best_triple(const float* a, const float* b, const float* q, int n) {
  return best_of(n, [=]<class Vector>(int k) {
    return load<Vector>(a + k) + load<Vector>(b + k) + load<Vector>(q + k);
  });
}

void add_parts(float* __restrict out, float s, const float* __restrict q, int n) {
  for (int k = 0; k < n; ++k) out[k] += s + q[k];
}
void add(float* out, float s, int n) {
  for (int k = 0; k < n; ++k) out[k] += s;
}

void axpy(double* __restrict out, const double* __restrict a, double s, int n) {
  for (int k = 0; k < n; ++k) out[k] += s * a[k];
}
void axpy_pair(double* __restrict out, const double* __restrict a, const double* __restrict b,
               double s, int n) {
  for (int k = 0; k < n; ++k) out[k] += s * a[k] * b[k];
}
void product(double* __restrict out, const double* __restrict a, const double* __restrict b,
             double s, int n) {
  for (int k = 0; k < n; ++k) out[k] = s * a[k] * b[k];
}
void scale(double* out, double s, int n) {
  for (int k = 0; k < n; ++k) out[k] *= s;
}

template <class Term, class VectorTerm>
inline double sum_of(int n, const Term& term, const VectorTerm& vector_term) {
  int k = 0;
  double total = 0;
  if (n >= kLanes) {
    Doubles lanes = vector_term(0);
    for (k = kLanes; k + kLanes <= n; k += kLanes) lanes += vector_term(k);
    for (int lane = 0; lane < kLanes; ++lane) total += lanes[lane];
  }
  for (; k < n; ++k) total += term(k);
  return total;
}

double sum(const double* a, int n) {
  return sum_of(
      n, [=](int k) { return a[k]; }, [=](int k) { return load<Doubles>(a + k); });
}
double dot(const double* a, const double* b, int n) {
  return sum_of(
      n, [=](int k) { return a[k] * b[k]; },
      [=](int k) { return load<Doubles>(a + k) * load<Doubles>(b + k); });
}
double dot3(const double* a, const double* b, const double* c, int n) {
  return sum_of(
      n, [=](int k) { return a[k] * b[k] * c[k]; },
      [=](int k) { return load<Doubles>(a + k) * load<Doubles>(b + k) * load<Doubles>(c + k); });
}

// e^x = 2^j e^r with j the nearest integer to x / log 2, |r| <= log(2)/2, and e^r by its Taylor
// series: the first term left out is below 5e-18.
inline Doubles exp_of(const Doubles& x) {
  constexpr double kLeast = -708.0;
  constexpr double kRound = 0x1.8p52;  // adding it leaves the nearest integer in the low bits
  const Doubles clamped = x > kLeast ? x : Doubles{} + kLeast;
  const Doubles rounded = clamped * 0x1.71547652b82fep0 + kRound;
  const Doubles j = rounded - kRound;
  const Doubles r = clamped - j * 0x1.62e42fefa0000p-1 - j * 0x1.cf79abc9e3b39p-40;
  Doubles sum = r * (1.0 / 6227020800.0) + 1.0 / 479001600.0;
  sum = sum * r + 1.0 / 39916800.0;
  sum = sum * r + 1.0 / 3628800.0;
  sum = sum * r + 1.0 / 362880.0;
  sum = sum * r + 1.0 / 40320.0;
  sum = sum * r + 1.0 / 5040.0;
  sum = sum * r + 1.0 / 720.0;
  sum = sum * r + 1.0 / 120.0;
  sum = sum * r + 1.0 / 24.0;
  sum = sum * r + 1.0 / 6.0;
  sum = sum * r + 0.5;
  sum = sum * r + 1.0;
  sum = sum * r + 1.0;
  // The low bits of `rounded` are j; shifted into the exponent field they multiply by 2^j.
  const Longs bits = reinterpret_cast<Longs>(sum) + (reinterpret_cast<Longs>(rounded) << 52);
  const Doubles value = reinterpret_cast<Doubles>(bits);
  return x < kLeast ? Doubles{} : value;
}

inline Doubles exp_of_scores(const float* q, const float* p) {
  Doubles x = __builtin_convertvector(load<Floats>(q), Doubles);
  if (p != nullptr) x += __builtin_convertvector(load<Floats>(p), Doubles);
  return exp_of(x);
}

void exp_parts(double* __restrict out, const float* __restrict q, const float* __restrict p,
               int n) {
  int k = 0;
  for (; k + kLanes <= n; k += kLanes)
    store(out + k, exp_of_scores(q + k, p == nullptr ? nullptr : p + k));
  if (k == n) return;
  float last_q[kLanes] = {};
  float last_p[kLanes] = {};
  double last[kLanes];
  for (int i = k; i < n; ++i) last_q[i - k] = q[i];
  for (int i = k; i < n && p != nullptr; ++i) last_p[i - k] = p[i];
  store(last, exp_of_scores(last_q, last_p));
  for (int i = k; i < n; ++i) out[i] = last[i - k];
}

bool all_within(const float* q, float limit, long n) {
  int bad = 0;
  for (long k = 0; k < n; ++k) {
    const float x = q[k];
    // False for NaN on both sides of the "or".
    const bool fine = (static_cast<int>(x <= limit) & static_cast<int>(x >= -limit)) |
                      static_cast<int>(x == kMinusInfinityFloat);
    bad |= static_cast<int>(!fine);
  }
  return bad == 0;
}

float largest(const float* q, long n) {
  float found = kMinusInfinityFloat;
  constexpr long kBlock = 1L << 20;
  for (long k = 0; k < n; k += kBlock) {
    const long length = n - k < kBlock ? n - k : kBlock;
    found = larger(best(q + k, static_cast<int>(length)), found);
  }
  return found;
}

constexpr LaneKernels make_kernels(const char* name) {
  return {.name = name,
          .max_terms = max_terms,
          .max_pair_terms = max_pair_terms,
          .best = best,
          .best_pair = best_pair,
          .best_triple = best_triple,
          .add_parts = add_parts,
          .add = add,
          .axpy = axpy,
          .axpy_pair = axpy_pair,
          .product = product,
          .scale = scale,
          .sum = sum,
          .dot = dot,
          .dot3 = dot3,
          .exp_parts = exp_parts,
          .all_within = all_within,
          .largest = largest};
}

}  // namespace
}  // namespace copse
