// The best value of every item, in float, at the speed of the vector unit.
//
// value[x] = w(own parts of x) + max over edges into x of w(edge) + value[a] + value[b]
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
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

  [[gnu::always_inline]] void run(const Run& r) {
    const float s = fixed(r);
    const bool strided = r.a_step > 1 || r.b_step > 1 || r.a_step < 0 || r.b_step < 0;
    const bool no_lanes = r.a_step == 0 && r.b_step == 0 && r.lanes == kNoPart;
    if (r.count < kShort || strided || no_lanes) return one_by_one(r, s);
    if (s == kMinusInfinity) return;
    if (r.head_step == 0) return keep(value_ + r.head, reduce(r) + s);
    const LaneKernels::Term only = term(r, s);
    max_lanes(value_ + r.head, r.count, &only, 1, only.b != nullptr);
  }

  // Runs along the lanes of one row go to the kernel together.
  template <class Make>
  [[gnu::always_inline]] void runs(int count, const Make& make) {
    if (count == 0) return;
    const Run shape = make(0);
    if (shape.count <= kFour && shape.a_step == 1 && shape.b_step == 0)
      return few_lanes(shape, count, make);
    if (shape.count < kShort) {
      for (int k = 0; k < count; ++k) run(make(k));
      return;
    }
    std::array<LaneKernels::Term, kBatch> terms;
    float* const out = value_ + shape.head;
    int used = 0;
    bool pair = false;
    for (int k = 0; k < count; ++k) {
      const Run r = make(k);
      const float s = fixed(r);
      if (s == kMinusInfinity) continue;
      terms[static_cast<std::size_t>(used)] = term(r, s);
      pair = terms[static_cast<std::size_t>(used)].b != nullptr;
      if (++used < kBatch) continue;
      max_lanes(out, shape.count, terms.data(), used, pair);
      used = 0;
    }
    if (used > 0) max_lanes(out, shape.count, terms.data(), used, pair);
  }

  [[gnu::always_inline]] void finish(const Row& row, const OwnParts& own) {
    float* const out = value_ + row.first;
    const float s = own.arc == kNoPart ? 0.0F : weights_.arc[own.arc];
    if (own.lanes != kNoPart && row.count < kShort)
      for (int k = 0; k < row.count; ++k) out[k] += s + weights_.part[own.lanes + k];
    else if (own.lanes != kNoPart)
      kernels_.add_parts(out, s, weights_.part + own.lanes, row.count);
    else if (own.arc != kNoPart && row.count == 1)
      *out += s;
    else if (own.arc != kNoPart)
      kernels_.add(out, s, row.count);
    if (row.twin != kNoItem) value_[row.twin] = *out;
  }

 private:
  static constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();
  static constexpr int kShort = 4;  // below this a call costs more than the loop
  static constexpr int kBatch = 64;
  static constexpr int kFour = 4;

  // Without a branch: which of two random scores is larger cannot be predicted.
  static void keep(float* out, float x) { *out = x > *out ? x : *out; }

  // One to four lanes, as a pruned chart has them: computed as four without looking how many,
  // because the length of such a loop cannot be predicted. Only the lanes of the row are written
  // anew; reading beyond them is what the padding of charts and scores is for.
  using Four = float __attribute__((vector_size(16)));
  static Four four(const float* from) {
    Four v;
    std::memcpy(&v, from, sizeof v);
    return v;
  }
  template <class Make>
  [[gnu::always_inline]] void few_lanes(const Run& shape, int count, const Make& make) {
    Four best = Four{} + kMinusInfinity;
    for (int k = 0; k < count; ++k) {
      const Run r = make(k);
      Four x = four(value_ + r.a) + fixed(r);
      if (r.lanes != kNoPart) x += four(weights_.part + r.lanes);
      best = x > best ? x : best;
    }
    using Mask = std::int32_t __attribute__((vector_size(16)));
    const Mask of_row = Mask{0, 1, 2, 3} < shape.count;
    float* const out = value_ + shape.head;
    const Four old = four(out);
    best = best > old ? best : old;
    best = of_row ? best : old;
    for (int k = 0; k < kFour; ++k) out[k] = best[k];
  }

  // What all edges of the run share.
  [[gnu::always_inline]] float fixed(const Run& r) const {
    const bool has_a = r.a != kNoItem && r.a_step == 0;
    const bool has_b = r.b != kNoItem && r.b_step == 0;
    float s = has_b ? value_[r.b] : has_a ? value_[r.a] : 0.0F;
    if (has_a && has_b) s += value_[r.a];
    if (r.each != kNoPart) s += weights_.part[r.each];
    return s;
  }
  // What differs: never more than two addends in any chart.
  [[gnu::always_inline]] LaneKernels::Term term(const Run& r, float s) const {
    const float* const tail = r.a_step == 1 ? value_ + r.a : nullptr;
    const float* const other = r.b_step == 1 ? value_ + r.b : nullptr;
    const float* const part = r.lanes == kNoPart ? nullptr : weights_.part + r.lanes;
    const float* const more = r.more == kNoPart ? nullptr : weights_.part + r.more;
    if (tail != nullptr) return {tail, other != nullptr ? other : part, s};
    return {part, more, s};
  }
  [[gnu::always_inline]] void max_lanes(float* out, int n, const LaneKernels::Term* terms,
                                        int count, bool pair) const {
    if (pair)
      kernels_.max_pair_terms(out, n, terms, count);
    else
      kernels_.max_terms(out, n, terms, count);
  }

  [[gnu::always_inline]] float reduce(const Run& r) const {
    const float* const a = value_ + r.a;
    if (r.b_step == 1)
      return r.lanes == kNoPart
                 ? kernels_.best_pair(a, value_ + r.b, r.count)
                 : kernels_.best_triple(a, value_ + r.b, weights_.part + r.lanes, r.count);
    return r.lanes == kNoPart ? kernels_.best(a, r.count)
                              : kernels_.best_pair(a, weights_.part + r.lanes, r.count);
  }

  [[gnu::always_inline]] float edge(const Run& r, float s, int k) const {
    float x = s;
    if (r.a_step != 0) x += value_[r.a + k * r.a_step];
    if (r.b_step != 0) x += value_[r.b + k * r.b_step];
    if (r.lanes != kNoPart) x += weights_.part[r.lanes + k];
    if (r.more != kNoPart) x += weights_.part[r.more + k];
    return x;
  }
  [[gnu::always_inline]] void one_by_one(const Run& r, float s) const {
    if (r.head_step == 1) {
      for (int k = 0; k < r.count; ++k) keep(value_ + r.head + k, edge(r, s, k));
      return;
    }
    // Two maxima side by side: one would wait for itself.
    float even = edge(r, s, 0);
    float odd = kMinusInfinity;
    int k = 1;
    for (; k + 1 < r.count; k += 2) {
      keep(&odd, edge(r, s, k));
      keep(&even, edge(r, s, k + 1));
    }
    if (k < r.count) keep(&odd, edge(r, s, k));
    keep(value_ + r.head, even > odd ? even : odd);
  }

  Weights<float> weights_;
  float* value_;
  const LaneKernels& kernels_;
};

// So many places more than items must a chart of floats have.
inline constexpr int kPadding = 4;

// value must hold minus infinity everywhere.
template <class Chart>
[[gnu::flatten]] void max_inside(const Chart& chart, Weights<float> weights, std::span<float> value,
                                 const Stop& stop) {
  MaxInside visitor(weights, value);
  rows_upwards(chart, stop, [&](const Row& row) {
    chart.edges_into(row, visitor);
    visitor.finish(row, chart.own_parts(row));
  });
}

}  // namespace copse::charts
