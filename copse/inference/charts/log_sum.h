// The same sums in the log domain, for scores that leave the range of double: slower, never wrong.
//
//     edge      v = w(edge) + I(a) + I(b)
//     inside    I(x) = w(own) + M + log sum over edges into x of e^(v - M),   M = max v
//     flow      mu(goal) = 1;   an edge carries  mu(x) e^(v - (I(x) - w(own)))  to both tails and
//               to its parts: only sums of positive numbers, so nothing cancels
#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "copse/inference/charts/max_inside.h"
#include "copse/inference/charts/run.h"
#include "copse/inference/part_scores.h"

namespace copse::charts {

// A visitor that sees edges one by one: on_edge(head, v, run, k).
template <class OnEdge>
class EdgeValues : public RunByRun<EdgeValues<OnEdge>> {
 public:
  EdgeValues(const Weights<double>& weights, std::span<const double> inside, OnEdge on_edge)
      : weights_(weights), inside_(inside.data()), on_edge_(std::move(on_edge)) {}

  void run(const Run& r) const {
    const double each = r.each == kNoPart ? 0.0 : weights_.part[r.each];
    for (int k = 0; k < r.count; ++k) {
      double v = each;
      if (r.a != kNoItem) v += inside_[r.a + k * r.a_step];
      if (r.b != kNoItem) v += inside_[r.b + k * r.b_step];
      if (r.lanes != kNoPart) v += weights_.part[r.lanes + k];
      if (r.more != kNoPart) v += weights_.part[r.more + k];
      on_edge_(r.head + k * r.head_step, v, r, k);
    }
  }

 private:
  const Weights<double>& weights_;
  const double* inside_;
  OnEdge on_edge_;
};

inline double own_score(const Weights<double>& weights, const OwnParts& own, int k) {
  return (own.arc == kNoPart ? 0.0 : weights.arc[own.arc]) +
         (own.lanes == kNoPart ? 0.0 : static_cast<double>(weights.part[own.lanes + k]));
}

// Calls finish(row) after the best value of each item of the row, without its own parts, is in
// inside; adds the own parts afterwards. inside must hold minus infinity.
template <class Chart, class Finish>
void best_then(const Chart& chart, const Weights<double>& weights, std::span<double> inside,
               const Stop& stop, Finish&& finish) {
  double* const value = inside.data();
  EdgeValues best(weights, inside, [value](Item head, double v, const Run&, int) {
    if (v > value[head]) value[head] = v;
  });
  rows_upwards(chart, stop, [&](const Row& row) {
    chart.edges_into(row, best);
    finish(row);
    const OwnParts own = chart.own_parts(row);
    for (int k = 0; k < row.count; ++k) value[row.first + k] += own_score(weights, own, k);
    if (row.twin != kNoItem) value[row.twin] = value[row.first];
  });
}

// The best value of every item, in double: what the k-best search ranks by.
template <class Chart>
void best_inside(const Chart& chart, const Weights<double>& weights, std::span<double> inside,
                 const Stop& stop) {
  best_then(chart, weights, inside, stop, [](const Row&) {});
}

template <class Chart>
void log_inside(const Chart& chart, const Weights<double>& weights, std::span<double> inside,
                std::vector<double>& sums, const Stop& stop) {
  double* const value = inside.data();
  best_then(chart, weights, inside, stop, [&](const Row& row) {
    sums.assign(static_cast<std::size_t>(row.count), 0.0);
    const Item first = row.first;
    EdgeValues add(weights, inside, [&sums, value, first](Item head, double v, const Run&, int) {
      if (v != -std::numeric_limits<double>::infinity())
        sums[static_cast<std::size_t>(head - first)] += std::exp(v - value[head]);
    });
    chart.edges_into(row, add);
    for (int k = 0; k < row.count; ++k)
      if (sums[static_cast<std::size_t>(k)] > 0)
        value[first + k] += std::log(sums[static_cast<std::size_t>(k)]);
  });
}

// mu must hold zeros, inside what log_inside left; the goal must have been reached.
template <class Chart>
void log_flow(const Chart& chart, const Weights<double>& weights, std::span<const double> inside,
              std::span<double> mu, PartMarginals& marginals, const Stop& stop) {
  double* const mass = mu.data();
  mass[chart.goal()] = 1.0;
  rows_downwards(chart, stop, [&](const Row& row) {
    if (row.twin != kNoItem) mass[row.first] += mass[row.twin];
    const OwnParts own = chart.own_parts(row);
    for (int k = 0; k < row.count; ++k) {
      const double share = mass[row.first + k];
      if (share == 0) continue;
      if (own.arc != kNoPart) marginals.add(own.arc, share);
      if (own.lanes != kNoPart) marginals.add(own.lanes + k, share);
    }
    EdgeValues send(weights, inside, [&](Item head, double v, const Run& r, int k) {
      if (mass[head] == 0) return;
      const double edges =
          inside[static_cast<std::size_t>(head)] - own_score(weights, own, head - row.first);
      const double share = mass[head] * std::exp(v - edges);
      if (share == 0) return;
      if (r.a != kNoItem) mass[r.a + k * r.a_step] += share;
      if (r.b != kNoItem) mass[r.b + k * r.b_step] += share;
      if (r.each != kNoPart) marginals.add(r.each, share);
      if (r.lanes != kNoPart) marginals.add(r.lanes + k, share);
      if (r.more != kNoPart) marginals.add(r.more + k, share);
    });
    chart.edges_into(row, send);
  });
}

}  // namespace copse::charts
