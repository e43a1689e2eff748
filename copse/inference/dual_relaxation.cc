#include "copse/inference/dual_relaxation.h"

#include <algorithm>
#include <limits>

#include "copse/inference/arc_scores.h"

namespace copse {

void DualRelaxation::start(const PartIndex& index, const HeadAutomata& automata,
                           std::span<const double> tree_scores, Crossing crossing, bool lazy) {
  index_ = &index;
  automata_ = &automata;
  lazy_ = lazy;
  has_lanes_ = index.has_lanes();
  solved_ = 0;
  const auto arcs = static_cast<std::size_t>(index.arcs());
  const auto side = static_cast<std::size_t>(index.words()) + 1;
  tree_scores_.assign(tree_scores.begin(), tree_scores.end());
  tree_.start(index, crossing);
  lane_arcs_.clear();
  lane_first_.assign(1, 0);
  for (int h = 0; h <= index.words(); ++h) {
    if (has_lanes_ && h > 0) {
      for (const int k : index.heads(h)) lane_arcs_.push_back(index.find_arc(k, h));
    }
    lane_first_.push_back(static_cast<int>(lane_arcs_.size()));
  }
  chart_.resize(automata.cells());
  taken_.assign(arcs, 0);
  in_tree_.assign(arcs, 0);
  chosen_.resize(2 * side);
  for (auto& each : chosen_) each.clear();
  lane_.assign(side, 0);
  up_.assign(side, PartIndex::kNone);
  value_.assign(side, 0.0);
  tree_arc_.assign(side, PartIndex::kNone);
  tree_value_.assign(side, 0.0);
  is_stale_.assign(side, 0);
  stale_.clear();
  counts_.assign(arcs, 0);
  required_.assign(arcs, 0);
  required_before_.assign(arcs + 1, 0);
  dirty_.assign(side, 0);
  dirty_heads_.clear();
  DualPoint zero;
  zero.u.assign(arcs, 0.0);
  zero.v.assign(arcs, 0.0);
  zero.allowed.assign(arcs, 1);
  for (std::size_t a = 0; a < arcs; ++a) {
    if (tree_scores_[a] == kMinusInfinity) zero.allowed[a] = 0;
  }
  go_to(zero);
}

void DualRelaxation::go_to(const DualPoint& point) {
  point_ = point;
  arcs_changed_ = true;
  const auto arcs = static_cast<std::size_t>(index_->arcs());
  cost_u_.resize(arcs);
  cost_v_.resize(arcs);
  weight_.resize(arcs);
  for (int a = 0; a < index_->arcs(); ++a) price(a);
  for (int h = 0; h <= index_->words(); ++h) {
    mark(h, kAll);
    if (h > 0) tree_.change(h);
    if (is_stale_[h] == 0) stale_.push_back(h);
    is_stale_[h] = 1;
  }
}

// What the two halves see of an arc.
void DualRelaxation::price(int a) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const bool allowed = point_.allowed[a] != 0;
  if (!allowed) {
    cost_u_[a] = cost_v_[a] = kInfinity;
    weight_[a] = -kInfinity;
    return;
  }
  cost_u_[a] = point_.u[a];
  cost_v_[a] = point_.v[a];
  weight_[a] = tree_scores_[a] + point_.u[a] + point_.v[a];
}

void DualRelaxation::mark(int h, std::uint8_t what) {
  if (dirty_[h] == 0) dirty_heads_.push_back(h);
  dirty_[h] |= what;
}

void DualRelaxation::require_last_arcs() {
  if (!arcs_changed_) return;
  arcs_changed_ = false;
  for (int m = 1; m <= index_->words(); ++m) {
    const bool last = arcs_left(m) == 1;
    for (const int a : tree_.arcs_into(m)) {
      const bool required = last && is_allowed(a);
      if (required == (required_[a] != 0)) continue;
      required_[a] = required ? 1 : 0;
      mark(index_->arc(a).h, index_->arc(a).side == Side::right ? kRight : kLeft);
    }
  }
  for (std::size_t a = 0; a < required_.size(); ++a) {
    required_before_[a + 1] = required_before_[a] + required_[a];
  }
}

bool DualRelaxation::solve() {
  require_last_arcs();
  if (!tree_.solve(weight_) || !solve_heads()) return false;
  evaluate_tree();
  // Summed anew in a fixed order, so that lazy decoding changes nothing.
  automata_value_ = 0;
  automata_tree_value_ = 0;
  for (int h = 0; h <= index_->words(); ++h) {
    automata_value_ += value_[h];
    automata_tree_value_ += tree_value_[h];
  }
  dual_ = tree_.value() + automata_value_;
  primal_ = automata_tree_value_;
  for (int m = 1; m <= index_->words(); ++m) primal_ += tree_scores_[tree_.arcs()[m]];
  return true;
}

double DualRelaxation::difference() const {
  double free = automata_value_;  // f(z) without multipliers
  for (const auto& arcs : chosen_) {
    for (const int a : arcs) free += point_.u[a];
  }
  for (int h = 1; has_lanes_ && h <= index_->words(); ++h) free += point_.v[up_[h]];
  return free - automata_tree_value_;
}

bool DualRelaxation::solve_heads() {
  if (!lazy_) {
    for (int h = 0; h <= index_->words(); ++h) mark(h, kAll);
  }
  bool feasible = true;
  for (const int h : dirty_heads_) {
    feasible = solve_head(h, dirty_[h]) && feasible;
    dirty_[h] = 0;
  }
  dirty_heads_.clear();
  return feasible;
}

bool DualRelaxation::solve_head(int h, std::uint8_t what) {
  const int left = 2 * h;
  const int right = 2 * h + 1;
  if ((what & kLeft) != 0) automata_->solve(left, prices(), chart_);
  if ((what & kRight) != 0) automata_->solve(right, prices(), chart_);
  solved_ += (what & (kLeft | kRight)) != 0 ? 1 : 0;
  const auto on_left = automata_->best(left, chart_);
  const auto on_right = automata_->best(right, chart_);
  const int before = lane_[h];
  double best = kMinusInfinity;
  int lane = 0;
  if (has_lanes_ && h > 0) {
    const auto arcs = lane_arcs(h);
    for (std::size_t k = 0; k < arcs.size(); ++k) {
      const double value = on_left[k] + on_right[k] - cost_v_[arcs[k]];
      if (value <= best) continue;
      best = value;
      lane = static_cast<int>(k);
    }
    if (best > kMinusInfinity) up_[h] = arcs[static_cast<std::size_t>(lane)];
  } else {
    best = on_left[0] + on_right[0];
  }
  if (best == kMinusInfinity) return false;
  lane_[h] = lane;
  value_[h] = best;
  if ((what & kLeft) != 0 || lane != before) retrace(left);
  if ((what & kRight) != 0 || lane != before) retrace(right);
  return true;
}

void DualRelaxation::retrace(int side) {
  for (const int a : chosen_[side]) taken_[a] = 0;
  chosen_[side].clear();
  automata_->trace(side, lane_[side / 2], prices(), chart_, chosen_[side]);
  for (const int a : chosen_[side]) taken_[a] = 1;
}

// f_h of the heads whose modifiers, or whose own head, are others than in the last tree.
void DualRelaxation::evaluate_tree() {
  const auto arcs = tree_.arcs();
  const auto touch = [&](int h) {
    if (is_stale_[h] != 0) return;
    is_stale_[h] = 1;
    stale_.push_back(h);
  };
  for (int m = 1; m <= index_->words(); ++m) {
    const int before = tree_arc_[m];
    const int a = arcs[m];
    if (a == before) continue;
    if (before != PartIndex::kNone) {
      in_tree_[before] = 0;
      touch(index_->arc(before).h);
    }
    in_tree_[a] = 1;
    touch(index_->arc(a).h);
    if (has_lanes_) touch(m);
    tree_arc_[m] = a;
  }
  for (const int h : stale_) {
    is_stale_[h] = 0;
    const int lane = has_lanes_ && h > 0 ? index_->lane_of_head(tree_arc_[h]) : 0;
    tree_value_[h] = automata_->value_of(2 * h, lane, in_tree_, scratch_) +
                     automata_->value_of(2 * h + 1, lane, in_tree_, scratch_);
  }
  stale_.clear();
}

int DualRelaxation::disagreements() const {
  int count = 0;
  for_each_disagreement([&](int, int, int) { ++count; });
  return count;
}

void DualRelaxation::shift_u(int a, double by) {
  point_.u[a] += by;
  price(a);
  mark(index_->arc(a).h, index_->arc(a).side == Side::right ? kRight : kLeft);
  tree_.change(index_->arc(a).m);
}

void DualRelaxation::shift_v(int a, double by) {
  point_.v[a] += by;
  price(a);
  mark(index_->arc(a).m, kLane);
  tree_.change(index_->arc(a).m);
}

void DualRelaxation::move(double step) {
  for_each_disagreement([&](int a, int in_u, int in_v) {
    if (in_u != 0) shift_u(a, step * in_u);
    if (in_v != 0) shift_v(a, step * in_v);
    ++counts_[a];
  });
}

void DualRelaxation::forbid(int a) {
  point_.allowed[a] = 0;
  arcs_changed_ = true;
  price(a);
  mark(index_->arc(a).h, index_->arc(a).side == Side::right ? kRight : kLeft);
  if (has_lanes_) mark(index_->arc(a).m, kLane);
  tree_.change(index_->arc(a).m);
}

std::span<const double> DualRelaxation::losses() {
  const auto arcs = static_cast<std::size_t>(index_->arcs());
  loss_.resize(arcs);
  with_arc_.resize(arcs);
  tree_.fill_losses(weight_, loss_);
  for (int h = 0; h <= index_->words(); ++h) {
    const auto into = lane_arcs(h);
    for (const int side : {2 * h, 2 * h + 1}) {
      const auto other = automata_->best(side ^ 1, chart_);
      offset_.assign(other.begin(), other.end());
      for (std::size_t k = 0; k < into.size(); ++k) offset_[k] -= cost_v_[into[k]];
      automata_->with_each_arc(side, prices(), chart_, offset_, with_arc_, scratch_);
    }
    const auto on_left = automata_->best(2 * h, chart_);
    const auto on_right = automata_->best(2 * h + 1, chart_);
    for (std::size_t k = 0; k < into.size(); ++k) {
      loss_[into[k]] += value_[h] - (on_left[k] + on_right[k] - cost_v_[into[k]]);
    }
  }
  for (std::size_t a = 0; a < arcs; ++a) {
    loss_[a] += value_[index_->arc(static_cast<int>(a)).h] - with_arc_[a];
  }
  return loss_;
}

int DualRelaxation::reduce(double best) {
  int count = 0;
  const auto loss = losses();
  for (int a = 0; a < index_->arcs(); ++a) {
    if (!is_allowed(a) || dual_ - loss[a] > best) continue;
    forbid(a);
    ++count;
  }
  return count;
}

int DualRelaxation::arcs_left(int m) const {
  int count = 0;
  for (const int a : tree_.arcs_into(m)) count += is_allowed(a) ? 1 : 0;
  return count;
}

}  // namespace copse
