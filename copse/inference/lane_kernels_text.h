// The text of lane_kernels.h. Included by one file per instruction set and by nothing else: all of
// it has internal linkage and uses no inline function from outside, so that no code compiled for
// AVX2 can end up in a program that runs without it.
//
// Plain loops are left to the vectoriser; maxima and sums over k, which it may not reorder by
// itself, are written with the compilers' vector extension.
#pragma once

#include <cstdint>
#include <cstring>

#include "copse/inference/lane_kernels.h"

namespace copse {
namespace {

#ifdef __AVX2__
constexpr int kVectorBytes = 32;
#else
constexpr int kVectorBytes = 16;
#endif
using Floats = float __attribute__((vector_size(kVectorBytes)));
using Doubles = double __attribute__((vector_size(kVectorBytes)));
using Longs = std::uint64_t __attribute__((vector_size(kVectorBytes)));
using FourFloats = float __attribute__((vector_size(16)));
using HalfFloats = float __attribute__((vector_size(kVectorBytes / 2)));  // to fill a Doubles
constexpr int kLanes = kVectorBytes / 4;
constexpr int kDoubles = kVectorBytes / 8;
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

template <class Vector, class Real>
inline void store(Real* to, const Vector& v) {
  std::memcpy(to, &v, sizeof v);
}
template <class Vector>
inline Vector larger_lanes(const Vector& x, const Vector& y) {
  return x > y ? x : y;
}
inline float largest_lane(const FourFloats& v) {
  const FourFloats two = larger_lanes(v, __builtin_shufflevector(v, v, 2, 3, 2, 3));
  return larger(two[0], two[1]);
}
#ifdef __AVX2__
inline float largest_lane(const Floats& v) {
  const FourFloats low = __builtin_shufflevector(v, v, 0, 1, 2, 3);
  const FourFloats high = __builtin_shufflevector(v, v, 4, 5, 6, 7);
  return largest_lane(larger_lanes(low, high));
}
#endif

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
  } else if (n >= 4) {
    max_block<FourFloats, kPair>(out, 0, terms, count);
    if (n > 4) max_block<FourFloats, kPair>(out, n - 4, terms, count);
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
  if (n >= 4)
    return largest_lane(larger_lanes(term.template operator()<FourFloats>(0),
                                     term.template operator()<FourFloats>(n - 4)));
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

// The sum of term<Vector>(k), in eight partial sums whatever the width of a vector.
template <class Term>
inline double sum_of(int n, const Term& term) {
  constexpr int kParts = 8 / kDoubles;
  int k = 0;
  double total = 0;
  if (n >= 8) {
    Doubles parts[kParts];
    for (int i = 0; i < kParts; ++i) parts[i] = term.template operator()<Doubles>(i * kDoubles);
    for (k = 8; k + 8 <= n; k += 8)
      for (int i = 0; i < kParts; ++i)
        parts[i] += term.template operator()<Doubles>(k + i * kDoubles);
    double lanes[8];
    for (int i = 0; i < kParts; ++i) store(lanes + i * kDoubles, parts[i]);
    total = ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) +
            ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
  }
  for (; k < n; ++k) total += term.template operator()<double>(k);
  return total;
}

double sum(const double* a, int n) {
  return sum_of(n, [=]<class Vector>(int k) { return load<Vector>(a + k); });
}
double dot(const double* a, const double* b, int n) {
  return sum_of(n, [=]<class Vector>(int k) { return load<Vector>(a + k) * load<Vector>(b + k); });
}
double dot3(const double* a, const double* b, const double* c, int n) {
  return sum_of(n, [=]<class Vector>(int k) {
    return load<Vector>(a + k) * load<Vector>(b + k) * load<Vector>(c + k);
  });
}
void axpy_cross(double* __restrict out_a, double* __restrict out_b, const double* __restrict a,
                const double* __restrict b, double s, int n) {
  for (int k = 0; k < n; ++k) {
    out_a[k] += s * b[k];
    out_b[k] += s * a[k];
  }
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
  Doubles x = __builtin_convertvector(load<HalfFloats>(q), Doubles);
  if (p != nullptr) x += __builtin_convertvector(load<HalfFloats>(p), Doubles);
  return exp_of(x);
}

void exp_parts(double* __restrict out, const float* __restrict q, const float* __restrict p,
               int n) {
  int k = 0;
  for (; k + kDoubles <= n; k += kDoubles)
    store(out + k, exp_of_scores(q + k, p == nullptr ? nullptr : p + k));
  if (k == n) return;
  float last_q[kDoubles] = {};
  float last_p[kDoubles] = {};
  double last[kDoubles];
  for (int i = k; i < n; ++i) last_q[i - k] = q[i];
  for (int i = k; i < n && p != nullptr; ++i) last_p[i - k] = p[i];
  store(last, exp_of_scores(last_q, last_p));
  for (int i = k; i < n; ++i) out[i] = last[i - k];
}

void exp_values(double* x, int n) {
  int k = 0;
  for (; k + kDoubles <= n; k += kDoubles) store(x + k, exp_of(load<Doubles>(x + k)));
  if (k == n) return;
  double last[kDoubles] = {};
  for (int i = k; i < n; ++i) last[i - k] = x[i];
  store(last, exp_of(load<Doubles>(last)));
  for (int i = k; i < n; ++i) x[i] = last[i - k];
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
          .axpy_cross = axpy_cross,
          .exp_parts = exp_parts,
          .exp_values = exp_values,
          .all_within = all_within,
          .largest = largest};
}

}  // namespace
}  // namespace copse
