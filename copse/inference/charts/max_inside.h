// The best value of every item, in float, at the speed of the vector unit.
//
// value[x] = w(own parts of x) + max over edges into x of w(edge) + value[a] + value[b]
#pragma once

#include <limits>
#include <span>

#include "copse/inference/charts/run.h"
#include "copse/inference/lane_kernels.h"

namespace copse::charts {

// The scores that a chart runs on: parts, and per arc what it contributes with its label.
template <class Real>
struct Weights {
  const float* part = nullptr;
  const Real* arc = nullptr;
};

class MaxInside {
 public:
  MaxInside(Weights<float> weights, std::span<float> value)
      : weights_(weights), value_(value.data()), kernels_(lane_kernels()) {}

  [[gnu::always_inline]] void run(const Run& r) const {
    const float* const a = r.a == kNoItem ? nullptr : value_ + r.a;
    const float* const b = r.b == kNoItem ? nullptr : value_ + r.b;
    const float* const q = r.lanes == kNoPart ? nullptr : weights_.part + r.lanes;
    float s = r.each == kNoPart ? 0.0F : weights_.part[r.each];
    if (r.b != kNoItem && r.b_step == 0) s += *b;
    if (r.a != kNoItem && r.a_step == 0) s += *a;
    if (s == kMinusInfinity) return;
    float* const out = value_ + r.head;
    if (r.count < kShort || (r.head_step == 0 && (r.a_step > 1 || r.b_step < 0 || r.b_step > 1)))
      return one_by_one(r, s);
    if (r.head_step == 1)
      lanes(r, out, a, b, q, s);
    else
      keep(out, reduce(r, a, b, q) + s);
  }

  void finish(const Row& row, const OwnParts& own) const {
    float* const out = value_ + row.first;
    const float s = own.arc == kNoPart ? 0.0F : weights_.arc[own.arc];
    if (own.lanes != kNoPart)
      kernels_.add_parts(out, s, weights_.part + own.lanes, row.count);
    else if (own.arc != kNoPart)
      kernels_.add(out, s, row.count);
    if (row.twin != kNoItem) value_[row.twin] = *out;
  }

 private:
  static constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();
  static constexpr int kShort = 4;  // below this a call costs more than the loop

  static void keep(float* out, float x) {
    if (x > *out) *out = x;
  }

  [[gnu::always_inline]] void lanes(const Run& r, float* out, const float* a, const float* b,
                                    const float* q, float s) const {
    if (r.a_step == 1 && r.b_step == 1) return kernels_.max_add_pair(out, a, b, s, r.count);
    if (r.a_step == 1 && r.lanes == kNoPart) return kernels_.max_add(out, a, s, r.count);
    if (r.a_step == 1) return kernels_.max_add_parts(out, a, s, q, r.count);
    if (r.more != kNoPart)
      return kernels_.max_two_parts(out, s, q, weights_.part + r.more, r.count);
    if (r.lanes != kNoPart) return kernels_.max_parts(out, s, q, r.count);
    for (int k = 0; k < r.count; ++k) keep(out + k, s);
  }

  [[gnu::always_inline]] float reduce(const Run& r, const float* a, const float* b,
                                      const float* q) const {
    if (r.b_step == 1)
      return r.lanes == kNoPart ? kernels_.best_pair(a, b, r.count)
                                : kernels_.best_triple(a, b, q, r.count);
    return r.lanes == kNoPart ? kernels_.best(a, r.count) : kernels_.best_pair(a, q, r.count);
  }

  [[gnu::always_inline]] void one_by_one(const Run& r, float s) const {
    for (int k = 0; k < r.count; ++k) {
      float x = s;
      if (r.a_step != 0) x += value_[r.a + k * r.a_step];
      if (r.b_step != 0) x += value_[r.b + k * r.b_step];
      if (r.lanes != kNoPart) x += weights_.part[r.lanes + k];
      if (r.more != kNoPart) x += weights_.part[r.more + k];
      keep(value_ + r.head + k * r.head_step, x);
    }
  }

  Weights<float> weights_;
  float* value_;
  const LaneKernels& kernels_;
};

// value must hold minus infinity everywhere.
template <class Chart>
void max_inside(const Chart& chart, Weights<float> weights, std::span<float> value) {
  const MaxInside visitor(weights, value);
  rows_upwards(chart, [&](const Row& row) [[gnu::always_inline]] {
    chart.edges_into(row, visitor);
    visitor.finish(row, chart.own_parts(row));
  });
}

}  // namespace copse::charts
