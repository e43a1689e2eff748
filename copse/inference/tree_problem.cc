#include "copse/inference/tree_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace copse {

void TreeProblem::start(const PartIndex& index, Crossing crossing) {
  index_ = &index;
  crossing_ = crossing;
  const int n = index.words();
  const auto side = static_cast<std::size_t>(n) + 1;
  into_.clear();
  into_first_.assign(1, 0);
  into_first_.push_back(0);
  for (int m = 1; m <= n; ++m) {
    for (int h = 0; h <= n; ++h) {
      const int a = h == m ? PartIndex::kNone : index.find_arc(h, m);
      if (a != PartIndex::kNone) into_.push_back(a);
    }
    into_first_.push_back(static_cast<int>(into_.size()));
  }
  best_.assign(side, PartIndex::kNone);
  arc_.assign(side, PartIndex::kNone);
  is_changed_.assign(side, 0);
  changed_.clear();
  for (int m = 1; m <= n; ++m) change(m);
  value_ = 0;
  chart_index_.reset();
  if (crossing == Crossing::allowed) return;
  ArcMask mask = ArcMask::none(n);
  for (int a = 0; a < index.arcs(); ++a) mask.allow(index.arc(a).h, index.arc(a).m);
  chart_index_.emplace(mask, Factorisation::first, index.rule());
}

void TreeProblem::change(int m) {
  if (is_changed_[m] != 0) return;
  is_changed_[m] = 1;
  changed_.push_back(m);
}

bool TreeProblem::solve(std::span<const double> weight) {
  if (changed_.empty()) return true;
  for (const int m : changed_) {
    is_changed_[m] = 0;
    best_[m] = best_arc(m, weight);
    if (best_[m] == PartIndex::kNone) return false;
  }
  changed_.clear();
  if (crossing_ == Crossing::never) return run_chart(weight);
  if (is_tree()) {
    route_ = Route::greedy;
    arc_ = best_;
  } else if (!contract(weight)) {
    return false;
  }
  value_ = 0;
  for (int m = 1; m <= index_->words(); ++m) value_ += weight[arc_[m]];
  return true;
}

int TreeProblem::best_arc(int m, std::span<const double> weight) const {
  int best = PartIndex::kNone;
  double highest = kMinusInfinity;
  for (const int a : arcs_into(m)) {
    if (weight[a] <= highest) continue;
    highest = weight[a];
    best = a;
  }
  return best;
}

// Whether the best arcs of all words are a tree of the class.
bool TreeProblem::is_tree() {
  const int n = index_->words();
  int roots = 0;
  seen_by_.assign(static_cast<std::size_t>(n) + 1, 0);
  for (int m = 1; m <= n; ++m) {
    if (index_->arc(best_[m]).h == 0 && ++roots > 1 && index_->rule() == RootRule::single) {
      return false;
    }
    int at = m;
    while (at != 0 && seen_by_[at] == 0) {
      seen_by_[at] = m;
      at = index_->arc(best_[at]).h;
    }
    if (at != 0 && seen_by_[at] == m) return false;
  }
  return true;
}

bool TreeProblem::contract(std::span<const double> weight) {
  const int n = index_->words();
  route_ = Route::contraction;
  arborescence_.start(n);
  for (int m = 1; m <= n; ++m) {
    const auto row = arborescence_.row(m);
    std::ranges::fill(row, kMinusInfinity);
    for (const int a : arcs_into(m)) row[static_cast<std::size_t>(index_->arc(a).h)] = weight[a];
  }
  if (!arborescence_.solve(index_->rule())) return false;
  for (int m = 1; m <= n; ++m) arc_[m] = index_->find_arc(arborescence_.head(m), m);
  return true;
}

bool TreeProblem::run_chart(std::span<const double> weight) {
  route_ = Route::chart;
  chart_scores_.reset(*chart_index_);
  double largest = 0;
  for (int a = 0; a < index_->arcs(); ++a) {
    chart_scores_[a] = static_cast<float>(weight[a]);
    if (weight[a] > kMinusInfinity) largest = std::max(largest, std::abs(weight[a]));
  }
  const auto best = ProjectiveSearch(*chart_index_).best(chart_scores_, workspace_);
  if (best.status != SearchStatus::ok) return false;
  value_ = 0;
  const int n = index_->words();
  for (int m = 1; m <= n; ++m) {
    arc_[m] = index_->find_arc(best.tree.heads[static_cast<std::size_t>(m)], m);
    value_ += weight[arc_[m]];
  }
  // Each weight and each of the sums of a tree is rounded once.
  value_ += 3.0 * n * n * std::numeric_limits<float>::epsilon() * largest;
  return true;
}

void TreeProblem::fill_losses(std::span<const double> weight, std::span<double> loss) {
  const int n = index_->words();
  std::ranges::fill(loss, 0.0);
  if (route_ == Route::chart) return;
  if (route_ == Route::greedy) {
    for (int m = 1; m <= n; ++m) {
      for (const int a : arcs_into(m)) loss[a] = weight[arc_[m]] - weight[a];
    }
    return;
  }
  const auto side = static_cast<std::size_t>(n) + 1;
  losses_.assign(side, 0.0);
  rows_.resize(side);
  arborescence_.losses_of_change(
      [&](int m) -> std::span<const double> {
        std::ranges::fill(rows_, kMinusInfinity);
        for (const int a : arcs_into(m)) {
          rows_[static_cast<std::size_t>(index_->arc(a).h)] = weight[a];
        }
        return rows_;
      },
      losses_);
  for (int m = 1; m <= n; ++m) {
    for (const int a : arcs_into(m)) loss[a] = a == arc_[m] ? 0.0 : losses_[m];
  }
}

}  // namespace copse
