#include "copse/inference/tree_elimination.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace copse {
namespace {

using ConstArray = Eigen::Map<const Eigen::ArrayXd>;
using Array = Eigen::Map<Eigen::ArrayXd>;

// Weights below this count as this in quotients, which could overflow. Its log is -690.8.
constexpr double kSmallestDivisor = 1e-300;

// The arithmetic of the two kinds of number. `n` is the length of the rows.

double logarithm(double x) {
  return std::log(x);
}
double plain(double x) {
  return x;
}
bool is_zero(double x) {
  return x == 0;
}
double largest(const double* row, int n) {
  return n == 0 ? 0 : ConstArray(row, n).maxCoeff();
}
double sum(const double* row, int n) {
  return ConstArray(row, n).sum();
}
// to = from + factor * pivot_row
void add_multiple(const double* from, double factor, const double* pivot_row, double* to, int n) {
  Array(to, n) = ConstArray(from, n) + factor * ConstArray(pivot_row, n);
}
// via = mu * (factor * pivot_row) / after;  mu *= before / after
void divide_flow(const double* before, double factor, const double* pivot_row, const double* after,
                 double* mu, double* via, int n) {
  Array flow(mu, n), share(via, n);
  share = flow / ConstArray(after, n).max(kSmallestDivisor);
  flow = share * ConstArray(before, n);
  share *= factor * ConstArray(pivot_row, n);
}

double logarithm(WideWeight x) {
  return x.log();
}
double plain(WideWeight x) {
  return x.plain();
}
bool is_zero(WideWeight x) {
  return x.is_zero();
}
WideWeight largest(const WideWeight* row, int n) {
  return n == 0 ? WideWeight() : *std::max_element(row, row + n);
}
WideWeight sum(const WideWeight* row, int n) {
  return std::accumulate(row, row + n, WideWeight());
}
void add_multiple(const WideWeight* from, WideWeight factor, const WideWeight* pivot_row,
                  WideWeight* to, int n) {
  for (int h = 0; h < n; ++h) to[h] = from[h] + factor * pivot_row[h];
}
void divide_flow(const WideWeight* before, WideWeight factor, const WideWeight* pivot_row,
                 const WideWeight* after, double* mu, double* via, int n) {
  for (int h = 0; h < n; ++h) {
    via[h] = 0;
    if (mu[h] == 0 || after[h].is_zero()) continue;
    via[h] = mu[h] * (factor * pivot_row[h] / after[h]).plain();
    mu[h] *= (before[h] / after[h]).plain();
  }
}

}  // namespace

template <class Number>
void TreeElimination<Number>::start(int words, RootRule root) {
  words_ = words;
  root_ = root;
  matrix_.assign(side() * side(), Number{});
  pivot_.assign(side(), Number{});
  order_.resize(side());
  for (int p = 0; p <= words; ++p) order_[p] = p;
}

template <class Number>
bool TreeElimination<Number>::eliminate() {
  start_.live = words_;
  start_.cells = matrix_;
  log_z_ = 0;
  largest_root_weight_ = 1;
  const bool single = root_ == RootRule::single;
  for (int live = words_; live >= first_pivot_place(); --live) {
    swap_places(choose_pivot(live), live);
    const Number* pivot_row = matrix_.data() + at(live, 0);
    const Number d = pivot_[live] = pivot_sum(pivot_row, live);
    if (is_zero(d)) return false;
    log_z_ += logarithm(d);
    if (single) largest_root_weight_ = std::max(largest_root_weight_, plain(pivot_row[0]));
    for (int m = 1; m < live; ++m) {
      Number* row = matrix_.data() + at(m, 0);
      if (is_zero(row[live])) continue;
      add_multiple(row, row[live] / d, pivot_row, row, live);
      row[m] = Number{};
    }
  }
  if (single && words_ > 0) {
    if (is_zero(matrix_[at(1, 0)])) return false;
    log_z_ += logarithm(matrix_[at(1, 0)]);
  }
  put_start_in_place();
  return std::isfinite(log_z_);
}

// The live place with the heaviest arc into it, the first on ties.
template <class Number>
int TreeElimination<Number>::choose_pivot(int live) const {
  const int first_head = root_ == RootRule::single ? 1 : 0;
  int best = 1;
  Number heaviest{};
  for (int m = 1; m <= live; ++m) {
    const Number weight = largest(matrix_.data() + at(m, first_head), live + 1 - first_head);
    if (heaviest < weight) {
      heaviest = weight;
      best = m;
    }
  }
  return best;
}

template <class Number>
void TreeElimination<Number>::swap_places(int a, int b) {
  if (a == b) return;
  std::swap(order_[a], order_[b]);
  std::swap_ranges(matrix_.begin() + static_cast<std::ptrdiff_t>(at(a, 0)),
                   matrix_.begin() + static_cast<std::ptrdiff_t>(at(a, 0) + side()),
                   matrix_.begin() + static_cast<std::ptrdiff_t>(at(b, 0)));
  for (int m = 1; m <= words_; ++m) std::swap(matrix_[at(m, a)], matrix_[at(m, b)]);
}

// d_k over the places below `live`; the root is a head like others only if it may have several.
template <class Number>
Number TreeElimination<Number>::pivot_sum(const Number* row, int live) const {
  return root_ == RootRule::single ? sum(row + 1, live - 1) : sum(row, live);
}

// The matrix as it was filled, from the order of the words to that of the places.
template <class Number>
void TreeElimination<Number>::put_start_in_place() {
  spare_.live = words_;
  spare_.cells.resize(start_.cells.size());
  for (int m = 1; m <= words_; ++m)
    for (int h = 0; h <= words_; ++h) spare_.row(m)[h] = start_.row(order_[m])[order_[h]];
  std::swap(start_, spare_);
}

// One word summed out; bit for bit what eliminate() did.
template <class Number>
void TreeElimination<Number>::step_forward(const State& from, State& to) const {
  const int live = from.live;
  to.live = live - 1;
  to.cells.resize(static_cast<std::size_t>(live) * live);
  const Number* pivot_row = from.row(live);
  for (int m = 1; m < live; ++m) {
    const Number* row = from.row(m);
    add_multiple(row, row[live] / pivot_[live], pivot_row, to.row(m), live);
    to.row(m)[m] = Number{};
  }
}

template <class Number>
void TreeElimination<Number>::run_forward(const State& from, int live, State& to) {
  step_forward(from, to);
  while (to.live > live) {
    step_forward(to, spare_);
    std::swap(to, spare_);
  }
}

// Takes mu_ from the words 1..live_at_end to the words of `from`.
template <class Number>
void TreeElimination<Number>::way_back(const State& from, int live_at_end, std::size_t budget,
                                       std::size_t depth) {
  const auto steps = static_cast<std::size_t>(from.live - live_at_end);
  if (steps <= 2 || from.cells.size() * sizeof(Number) * steps <= budget) {
    way_back_stored(from, live_at_end);
    return;
  }
  const int middle = from.live - static_cast<int>(steps / 2);
  if (checkpoints_.size() <= depth) checkpoints_.resize(depth + 1);
  run_forward(from, middle, checkpoints_[depth]);
  way_back(checkpoints_[depth], live_at_end, budget, depth + 1);
  way_back(from, middle, budget, depth + 1);
}

template <class Number>
void TreeElimination<Number>::way_back_stored(const State& from, int live_at_end) {
  const int steps = from.live - live_at_end;
  if (static_cast<int>(after_.size()) < steps) after_.resize(static_cast<std::size_t>(steps));
  for (int i = 0; i < steps; ++i) step_forward(i == 0 ? from : after_[i - 1], after_[i]);
  for (int i = steps; i-- > 0;) step_back(i == 0 ? from : after_[i - 1], after_[i]);
}

template <class Number>
void TreeElimination<Number>::step_back(const State& before, const State& after) {
  const int k = before.live;
  const Number d = pivot_[k];
  const Number* pivot_row = before.row(k);
  std::fill_n(from_head_.begin(), k, 0.0);
  double total = 0;
  for (int m = 1; m < k; ++m) {
    double* mu = mu_.data() + at(m, 0);
    divide_flow(before.row(m), before.row(m)[k] / d, pivot_row, after.row(m), mu, via_.data(), k);
    Array(from_head_.data(), k) += Array(via_.data(), k);
    mu[k] = sum(via_.data(), k);
    total += mu[k];
  }
  double* mu = mu_.data() + at(k, 0);
  const int first_head = root_ == RootRule::single ? 1 : 0;
  if (first_head == 1) mu[0] = from_head_[0];
  for (int h = first_head; h < k; ++h) {
    const double leaf = plain(pivot_row[h] / d);
    mu[h] = std::max(0.0, from_head_[h] + leaf * (1 - total));
  }
}

template <class Number>
void TreeElimination<Number>::marginals(ArcMarginals& out, std::size_t budget) {
  mu_.assign(side() * side(), 0.0);
  from_head_.resize(side());
  via_.resize(side());
  const int live_at_end = first_pivot_place() - 1;
  if (live_at_end == 1 && words_ > 0) mu_[at(1, 0)] = 1;
  if (words_ > live_at_end) way_back(start_, live_at_end, budget, 0);
  for (int m = 1; m <= words_; ++m)
    for (int h = 0; h <= words_; ++h) out(order_[h], order_[m]) = std::min(1.0, mu_[at(m, h)]);
}

template class TreeElimination<double>;
template class TreeElimination<WideWeight>;

}  // namespace copse
