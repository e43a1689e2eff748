#include "copse/inference/head_automata.h"

#include <algorithm>

#include "copse/inference/arc_scores.h"

namespace copse {
namespace {

// A state has a cell for each lane and one more behind them: 1, or 0 if no path leads to it. Where
// arcs have been forbidden most states are of that kind, and nothing is done for them.
int stride(int lanes) {
  return lanes + 1;
}

constexpr double kInfinity = -kMinusInfinity;

}  // namespace

void HeadAutomata::start(int words) {
  words_ = words;
  cells_ = 0;
  sides_.clear();
  states_.clear();
  transitions_.clear();
  scores_.clear();
}

void HeadAutomata::begin_side(int lanes, int first_arc, int candidates) {
  Half next;
  next.lanes = lanes;
  next.first_arc = first_arc;
  next.candidates = candidates;
  next.first_state = static_cast<int>(states_.size());
  next.last_state = next.first_state - 1;
  next.first_transition = static_cast<std::int32_t>(transitions_.size());
  next.first_score = scores_.size();
  next.first_cell = cells_;
  sides_.push_back(next);
}

int HeadAutomata::add_state(int position) {
  states_.push_back({static_cast<std::int32_t>(transitions_.size()), position});
  Half& side = sides_.back();
  ++side.last_state;
  cells_ += static_cast<std::size_t>(stride(side.lanes));
  return side.last_state - side.first_state;
}

std::span<double> HeadAutomata::add_transition(int from, std::int32_t arc) {
  transitions_.push_back({from, arc});
  const auto lanes = static_cast<std::size_t>(sides_.back().lanes);
  scores_.resize(scores_.size() + lanes);
  return {scores_.data() + scores_.size() - lanes, lanes};
}

void HeadAutomata::solve(int side, const ArcPrices& prices, std::span<double> chart) const {
  const Half& at = sides_[side];
  const bool checks = has_required(at, prices);
  const int lanes = at.lanes;
  double* const values = chart.data() + at.first_cell;
  std::fill_n(values, lanes, 0.0);
  values[lanes] = 1;
  for (int state = at.first_state + 1; state <= at.last_state; ++state) {
    double* const out =
        values + static_cast<std::ptrdiff_t>(state - at.first_state) * stride(lanes);
    std::fill_n(out, stride(lanes), kMinusInfinity);
    out[lanes] = 0;
    const std::int32_t end = end_of(state);
    const double* q = score(at, states_[state].first);
    for (std::int32_t t = states_[state].first; t < end; ++t, q += lanes) {
      const Transition& move = transitions_[t];
      const double price = move.arc == kNoArc ? 0.0 : prices.cost[move.arc];
      const double* const in = values + static_cast<std::ptrdiff_t>(move.from) * stride(lanes);
      if (in[lanes] == 0 || price == kInfinity) continue;
      if (checks && passes_required(at, states_[state], move, prices.required_before)) continue;
      out[lanes] = 1;
      for (int k = 0; k < lanes; ++k) out[k] = std::max(out[k], in[k] + q[k] - price);
    }
  }
}

std::span<const double> HeadAutomata::best(int side, std::span<const double> chart) const {
  const Half& at = sides_[side];
  const auto lanes = static_cast<std::size_t>(at.lanes);
  return chart.subspan(
      at.first_cell + static_cast<std::size_t>((at.last_state - at.first_state) * stride(at.lanes)),
      lanes);
}

void HeadAutomata::trace(int side, int lane, const ArcPrices& prices, std::span<const double> chart,
                         std::vector<int>& arcs) const {
  const Half& at = sides_[side];
  const bool checks = has_required(at, prices);
  const double* const values = chart.data() + at.first_cell + lane;
  int state = at.last_state - at.first_state;
  while (state > 0) {
    const double wanted = values[static_cast<std::ptrdiff_t>(state) * stride(at.lanes)];
    if (wanted == kMinusInfinity) return;
    std::int32_t t = states_[at.first_state + state].first;
    for (;; ++t) {
      const Transition& move = transitions_[t];
      if (checks &&
          passes_required(at, states_[at.first_state + state], move, prices.required_before)) {
        continue;
      }
      const double price = move.arc == kNoArc ? 0.0 : prices.cost[move.arc];
      if (values[static_cast<std::ptrdiff_t>(move.from) * stride(at.lanes)] + score(at, t)[lane] -
              price ==
          wanted) {
        break;
      }
    }
    if (transitions_[t].arc != kNoArc) arcs.push_back(transitions_[t].arc);
    state = transitions_[t].from;
  }
}

// A transition reads the candidates behind its state's position up to the next one's; of the
// marked ones among them it must take the one that there is.
double HeadAutomata::value_of(int side, int lane, std::span<const std::uint8_t> marked,
                              std::vector<double>& scratch) const {
  const Half& at = sides_[side];
  const auto states = static_cast<std::size_t>(at.last_state - at.first_state) + 1;
  const auto candidates = static_cast<std::size_t>(at.candidates);
  scratch.assign(states + candidates + 1, kMinusInfinity);
  double* const read = scratch.data() + states;  // how many are marked up to a position
  read[0] = 0;
  for (std::size_t k = 0; k < candidates; ++k) {
    read[k + 1] = read[k] + (marked[static_cast<std::size_t>(at.first_arc) + k] != 0 ? 1 : 0);
  }
  scratch[0] = 0;
  for (int state = 1; state < static_cast<int>(states); ++state) {
    const int node = at.first_state + state;
    const double here = read[states_[node].position];
    for (std::int32_t t = states_[node].first; t < end_of(node); ++t) {
      const Transition& move = transitions_[t];
      const bool takes = move.arc != kNoArc;
      if (takes && marked[move.arc] == 0) continue;
      if (here - read[states_[at.first_state + move.from].position] != (takes ? 1 : 0)) continue;
      scratch[state] = std::max(scratch[state], scratch[move.from] + score(at, t)[lane]);
    }
  }
  return scratch[states - 1];
}

void HeadAutomata::with_each_arc(int side, const ArcPrices& prices, std::span<const double> chart,
                                 std::span<const double> offset, std::span<double> out,
                                 std::vector<double>& scratch) const {
  const Half& at = sides_[side];
  const bool checks = has_required(at, prices);
  const int lanes = at.lanes;
  const auto states = static_cast<std::size_t>(at.last_state - at.first_state) + 1;
  const double* const values = chart.data() + at.first_cell;
  std::fill_n(out.begin() + at.first_arc, at.candidates, kMinusInfinity);
  // The best that can follow a state, offset included.
  scratch.assign(states * static_cast<std::size_t>(lanes), kMinusInfinity);
  std::copy(offset.begin(), offset.end(), scratch.end() - lanes);
  for (int state = static_cast<int>(states) - 1; state > 0; --state) {
    const double* const after = scratch.data() + static_cast<std::ptrdiff_t>(state) * lanes;
    const int node = at.first_state + state;
    if (values[static_cast<std::ptrdiff_t>(state) * stride(lanes) + lanes] == 0) continue;
    for (std::int32_t t = states_[node].first; t < end_of(node); ++t) {
      const Transition& move = transitions_[t];
      const double price = move.arc == kNoArc ? 0.0 : prices.cost[move.arc];
      const double* const inside = values + static_cast<std::ptrdiff_t>(move.from) * stride(lanes);
      if (inside[lanes] == 0 || price == kInfinity) continue;
      if (checks && passes_required(at, states_[node], move, prices.required_before)) continue;
      const double* const q = score(at, t);
      double* const before = scratch.data() + static_cast<std::ptrdiff_t>(move.from) * lanes;
      double through = kMinusInfinity;
      for (int k = 0; k < lanes; ++k) {
        const double rest = after[k] + q[k] - price;
        before[k] = std::max(before[k], rest);
        through = std::max(through, inside[k] + rest);
      }
      if (move.arc != kNoArc) out[move.arc] = std::max(out[move.arc], through);
    }
  }
}

void best_choice(const PartIndex& index, const HeadAutomata& automata, AutomataChoice& out) {
  const int n = automata.words();
  const std::vector<double> cost(static_cast<std::size_t>(index.arcs()), 0.0);
  std::vector<double> chart(automata.cells());
  out.arcs.assign(2 * (static_cast<std::size_t>(n) + 1), {});
  out.lane.assign(static_cast<std::size_t>(n) + 1, 0);
  out.score = 0;
  for (int h = 0; h <= n; ++h) {
    for (const int side : {2 * h, 2 * h + 1}) automata.solve(side, {cost}, chart);
    const auto left = automata.best(2 * h, chart);
    const auto right = automata.best(2 * h + 1, chart);
    int best = 0;
    for (int k = 1; k < automata.lanes(h); ++k) {
      if (left[k] + right[k] > left[best] + right[best]) best = k;
    }
    out.lane[h] = best;
    out.score += left[best] + right[best];
    for (const int side : {2 * h, 2 * h + 1}) {
      automata.trace(side, best, {cost}, chart, out.arcs[side]);
    }
  }
}

}  // namespace copse
