// Sums over all trees in the linear domain: inside and outside values are plain doubles, an edge
// costs a multiplication and an addition, and only parts are exponentiated, never edges.
//
//     inside    I(x)  = w(own parts of x) * sum over edges of w(edge) I(a) I(b)
//     outside   O(goal) = 1/Z;   O(a) += O(x) w(own parts of x) w(edge) I(b)
//     marginal of an own part    O(x) I(x);   of an edge's part    O(x) w(own) w(edge) I(a) I(b)
//
// with w = e^score. To stay within the range of double, a constant is taken off all scores of the
// arcs into each word, which scales every tree alike; LinearScale says how much, and when that is
// not enough the caller takes log_sum.h instead.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "copse/inference/charts/run.h"
#include "copse/inference/lane_kernels.h"
#include "copse/inference/part_scores.h"

namespace copse::charts {

// e^score of everything but grand-siblings and tri-siblings, which are most of the parts and are
// exponentiated as they are met.
struct LinearWeights {
  const double* arc = nullptr;   // by arc, label included, scaled
  const double* low = nullptr;   // by part, below `split`
  const float* score = nullptr;  // by part
  PartId split = 0;
};

struct LinearBuffers {
  std::vector<double> weight, flow, mass;
  void reserve(int words) {
    const std::size_t room = static_cast<std::size_t>(words) + 2;
    for (auto* buffer : {&weight, &flow, &mass})
      if (buffer->size() < room) buffer->resize(room);
  }
};

inline double linear_weight(const LinearWeights& weights, PartId id) {
  if (id == kNoPart) return 1.0;
  return id < weights.split ? weights.low[id] : std::exp(static_cast<double>(weights.score[id]));
}

class LinearPass {
 public:
  LinearPass(LinearWeights weights, LinearBuffers& buffers)
      : weights_(weights), buffers_(buffers), kernels_(lane_kernels()) {}

 protected:
  static constexpr int kShort = 3;

  static bool irregular(const Run& r) {
    return r.count < kShort || r.a_step > 1 || r.b_step > 1 || r.a_step < 0 || r.b_step < 0;
  }
  double weight(PartId id) const { return linear_weight(weights_, id); }
  // The weights of the parts lanes + k (and more + k), or null if the run has none.
  const double* lane_weights(const Run& r) const {
    if (r.lanes == kNoPart) return nullptr;
    if (r.lanes < weights_.split && r.more == kNoPart) return weights_.low + r.lanes;
    const float* const more = r.more == kNoPart ? nullptr : weights_.score + r.more;
    kernels_.exp_parts(buffers_.weight.data(), weights_.score + r.lanes, more, r.count);
    return buffers_.weight.data();
  }

  LinearWeights weights_;
  LinearBuffers& buffers_;
  const LaneKernels& kernels_;
};

class LinearInside : LinearPass, public RunByRun<LinearInside> {
 public:
  LinearInside(LinearWeights weights, LinearBuffers& buffers, std::span<double> inside)
      : LinearPass(weights, buffers), inside_(inside.data()) {}

  [[gnu::always_inline]] void run(const Run& r) const {
    double s = weight(r.each);
    if (r.a != kNoItem && r.a_step == 0) s *= inside_[r.a];
    if (r.b != kNoItem && r.b_step == 0) s *= inside_[r.b];
    if (s == 0) return;
    if (irregular(r)) return one_by_one(r, s);
    double* const out = inside_ + r.head;
    const double* const w = lane_weights(r);
    const double* const a = r.a_step == 1 ? inside_ + r.a : nullptr;
    const double* const b = r.b_step == 1 ? inside_ + r.b : nullptr;
    if (r.head_step == 1) {
      if (a != nullptr && b != nullptr) return kernels_.axpy_pair(out, a, b, s, r.count);
      if (a != nullptr && w != nullptr) return kernels_.axpy_pair(out, a, w, s, r.count);
      if (a != nullptr) return kernels_.axpy(out, a, s, r.count);
      if (w != nullptr) return kernels_.axpy(out, w, s, r.count);
      for (int k = 0; k < r.count; ++k) out[k] += s;
    } else if (b != nullptr) {
      *out += s * (w == nullptr ? kernels_.dot(a, b, r.count) : kernels_.dot3(a, b, w, r.count));
    } else {
      *out += s * (w == nullptr ? kernels_.sum(a, r.count) : kernels_.dot(a, w, r.count));
    }
  }

  void finish(const Row& row, const OwnParts& own) const {
    double* const out = inside_ + row.first;
    if (own.arc != kNoPart) kernels_.scale(out, weights_.arc[own.arc], row.count);
    if (own.lanes != kNoPart)
      for (int k = 0; k < row.count; ++k) out[k] *= weights_.low[own.lanes + k];
    if (row.twin != kNoItem) inside_[row.twin] = *out;
  }

 private:
  void one_by_one(const Run& r, double s) const {
    for (int k = 0; k < r.count; ++k) {
      double x = s;
      if (r.a_step != 0) x *= inside_[r.a + k * r.a_step];
      if (r.b_step != 0) x *= inside_[r.b + k * r.b_step];
      if (r.lanes != kNoPart) x *= weight(r.lanes + k);
      if (r.more != kNoPart) x *= weight(r.more + k);
      inside_[r.head + k * r.head_step] += x;
    }
  }

  double* inside_;
};

class LinearOutside : LinearPass, public RunByRun<LinearOutside> {
 public:
  LinearOutside(LinearWeights weights, LinearBuffers& buffers, std::span<const double> inside,
                std::span<double> outside, PartMarginals& marginals)
      : LinearPass(weights, buffers),
        inside_(inside.data()),
        outside_(outside.data()),
        marginals_(marginals) {}

  // Before the edges of the row: pays the row's own parts. False if no tree needs the row.
  bool start(const Row& row, const OwnParts& own) const {
    double* const out = outside_ + row.first;
    if (row.twin != kNoItem) *out += outside_[row.twin];
    if (row.count == 1 && *out == 0) return false;
    if (own.arc == kNoPart && own.lanes == kNoPart) return true;
    double* const mass = buffers_.mass.data();
    kernels_.product(mass, out, inside_ + row.first, 1.0, row.count);
    if (own.arc != kNoPart) {
      marginals_.add(own.arc, kernels_.sum(mass, row.count));
      kernels_.scale(out, weights_.arc[own.arc], row.count);
    }
    if (own.lanes != kNoPart) {
      marginals_.add(own.lanes, mass, row.count);
      for (int k = 0; k < row.count; ++k) out[k] *= weights_.low[own.lanes + k];
    }
    return true;
  }

  [[gnu::always_inline]] void run(const Run& r) const {
    if (irregular(r)) return one_by_one(r);
    if (r.head_step == 1)
      lanes(r);
    else
      reduce(r);
  }

 private:
  double fixed(Item item, int step) const {
    return item == kNoItem || step != 0 ? 1.0 : inside_[item];
  }

  [[gnu::always_inline]] void lanes(const Run& r) const {
    const double each = weight(r.each);
    const double a = fixed(r.a, r.a_step);
    const double b = fixed(r.b, r.b_step);
    const double* flow = outside_ + r.head;
    if (const double* const w = lane_weights(r); w != nullptr) {
      kernels_.product(buffers_.flow.data(), flow, w, 1.0, r.count);
      flow = buffers_.flow.data();
    }
    if (r.a_step == 1 && r.b_step == 1) {
      kernels_.axpy_pair(outside_ + r.a, flow, inside_ + r.b, each, r.count);
      kernels_.axpy_pair(outside_ + r.b, flow, inside_ + r.a, each, r.count);
      if (r.each != kNoPart)
        marginals_.add(r.each, each * kernels_.dot3(flow, inside_ + r.a, inside_ + r.b, r.count));
      return;
    }
    double total = 0;
    if (r.a_step == 1) {
      kernels_.axpy(outside_ + r.a, flow, each * b, r.count);
      total = kernels_.dot(flow, inside_ + r.a, r.count);
    } else {
      total = kernels_.sum(flow, r.count);
      if (r.a != kNoItem) outside_[r.a] += each * b * total;
    }
    if (r.b != kNoItem) outside_[r.b] += each * a * total;
    const double share = each * a * b;
    if (r.each != kNoPart) marginals_.add(r.each, share * total);
    if (r.lanes == kNoPart) return;
    double* const mass = buffers_.mass.data();
    for (int k = 0; k < r.count; ++k)
      mass[k] = share * flow[k] * (r.a_step == 1 ? inside_[r.a + k] : 1.0);
    marginals_.add(r.lanes, mass, r.count);
    if (r.more != kNoPart) marginals_.add(r.more, mass, r.count);
  }

  [[gnu::always_inline]] void reduce(const Run& r) const {
    const double out = outside_[r.head];
    if (out == 0) return;
    const double flow = out * weight(r.each);
    const double* const w = lane_weights(r);
    const double* const a = inside_ + r.a;
    double* const mass = buffers_.mass.data();
    if (r.b_step == 1) {
      const double* const b = inside_ + r.b;
      if (w == nullptr) {
        kernels_.axpy_cross(outside_ + r.a, outside_ + r.b, a, b, flow, r.count);
        if (r.each != kNoPart) marginals_.add(r.each, flow * kernels_.dot(a, b, r.count));
        return;
      }
      kernels_.axpy_pair(outside_ + r.a, b, w, flow, r.count);
      kernels_.axpy_pair(outside_ + r.b, a, w, flow, r.count);
      for (int k = 0; k < r.count; ++k) mass[k] = flow * a[k] * b[k] * w[k];
    } else {
      const double share = flow * fixed(r.b, 0);
      if (w == nullptr) {
        for (int k = 0; k < r.count; ++k) outside_[r.a + k] += share;
        for (int k = 0; k < r.count; ++k) mass[k] = share * a[k];
        if (r.b != kNoItem) outside_[r.b] += flow * kernels_.sum(a, r.count);
      } else {
        kernels_.axpy(outside_ + r.a, w, share, r.count);
        kernels_.product(mass, a, w, share, r.count);
        if (r.b != kNoItem) outside_[r.b] += flow * kernels_.dot(a, w, r.count);
      }
    }
    if (r.each != kNoPart) marginals_.add(r.each, kernels_.sum(mass, r.count));
    if (r.lanes != kNoPart) marginals_.add(r.lanes, mass, r.count);
    if (r.more != kNoPart) marginals_.add(r.more, mass, r.count);
  }

  void one_by_one(const Run& r) const {
    const double each = weight(r.each);
    for (int k = 0; k < r.count; ++k) {
      double flow = outside_[r.head + k * r.head_step];
      if (flow == 0) continue;
      flow *= each;
      if (r.lanes != kNoPart) flow *= weight(r.lanes + k);
      if (r.more != kNoPart) flow *= weight(r.more + k);
      const Item a = r.a + k * r.a_step;
      const Item b = r.b + k * r.b_step;
      const double inside_a = r.a == kNoItem ? 1.0 : inside_[a];
      const double inside_b = r.b == kNoItem ? 1.0 : inside_[b];
      if (r.a != kNoItem) outside_[a] += flow * inside_b;
      if (r.b != kNoItem) outside_[b] += flow * inside_a;
      const double mass = flow * inside_a * inside_b;
      if (r.each != kNoPart) marginals_.add(r.each, mass);
      if (r.lanes != kNoPart) marginals_.add(r.lanes + k, mass);
      if (r.more != kNoPart) marginals_.add(r.more + k, mass);
    }
  }

  const double* inside_;
  double* outside_;
  PartMarginals& marginals_;
};

// inside must hold zeros.
template <class Chart>
[[gnu::flatten]] void linear_inside(const Chart& chart, LinearWeights weights,
                                    LinearBuffers& buffers, std::span<double> inside,
                                    const Stop& stop) {
  LinearInside visitor(weights, buffers, inside);
  rows_upwards(chart, stop, [&](const Row& row) {
    chart.edges_into(row, visitor);
    visitor.finish(row, chart.own_parts(row));
  });
}

// outside must hold zeros, inside what linear_inside left; the goal's inside must not be 0.
template <class Chart>
[[gnu::flatten]] void linear_outside(const Chart& chart, LinearWeights weights,
                                     LinearBuffers& buffers, std::span<const double> inside,
                                     std::span<double> outside, PartMarginals& marginals,
                                     const Stop& stop) {
  const auto goal = static_cast<std::size_t>(chart.goal());
  outside[goal] = 1.0 / inside[goal];
  LinearOutside visitor(weights, buffers, inside, outside, marginals);
  rows_downwards(chart, stop, [&](const Row& row) {
    if (visitor.start(row, chart.own_parts(row))) chart.edges_into(row, visitor);
  });
}

}  // namespace copse::charts
