#include "copse/inference/tree_elimination.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace copse {
namespace {

using ConstArray = Eigen::Map<const Eigen::ArrayXd>;
using Array = Eigen::Map<Eigen::ArrayXd>;

// Quotients by weights below this are not formed; they would overflow. log of it: -690.8.
constexpr double kSmallestDivisor = 1e-300;

// The arithmetic of the two kinds of number. `n` is the length of the rows.

double logarithm(double x) {
  return std::log(x);
}
double quotient(double a, double b) {
  return a / b;
}
double plain(double x) {
  return x;
}
double largest(const double* row, int n) {
  return n == 0 ? 0 : ConstArray(row, n).maxCoeff();
}
double sum(const double* row, int n) {
  return ConstArray(row, n).sum();
}
bool is_zero(double x) {
  return x == 0;
}
// to = from + factor * pivot_row
void add_multiple(const double* from, double factor, const double* pivot_row, double* to, int n) {
  Array(to, n) = ConstArray(from, n) + factor * ConstArray(pivot_row, n);
}
// via = mu * (factor * pivot_row) / after;  mu *= before / after
void divide_flow(const double* before, double factor, const double* pivot_row, const double* after,
                 double* mu, double* via, int n) {
  for (int h = 0; h < n; ++h) {
    const double share = after[h] > kSmallestDivisor ? mu[h] / after[h] : 0;
    via[h] = share * (factor * pivot_row[h]);
    mu[h] = share * before[h];
  }
}

double logarithm(LogWeight x) {
  return x.log;
}
double plain(LogWeight x) {
  return std::exp(x.log);
}
LogWeight quotient(LogWeight a, LogWeight b) {
  return {a.log - b.log};
}
bool is_zero(LogWeight x) {
  return x.log == kMinusInfinity;
}
double largest(const LogWeight* row, int n) {
  double most = kMinusInfinity;
  for (int h = 0; h < n; ++h) most = std::max(most, row[h].log);
  return most;
}
LogWeight sum(const LogWeight* row, int n) {
  const double most = largest(row, n);
  if (most == kMinusInfinity) return {};
  double total = 0;
  for (int h = 0; h < n; ++h) total += std::exp(row[h].log - most);
  return {most + std::log(total)};
}
LogWeight add(LogWeight a, LogWeight b) {
  if (a.log < b.log) std::swap(a, b);
  const double gap = b.log - a.log;  // NaN if both are zero
  if (!(gap > -40)) return a;        // e^-40 is below half a unit in the last place
  return {a.log + std::log1p(std::exp(gap))};
}
void add_multiple(const LogWeight* from, LogWeight factor, const LogWeight* pivot_row,
                  LogWeight* to, int n) {
  for (int h = 0; h < n; ++h) to[h] = add(from[h], {factor.log + pivot_row[h].log});
}
void divide_flow(const LogWeight* before, LogWeight factor, const LogWeight* pivot_row,
                 const LogWeight* after, double* mu, double* via, int n) {
  for (int h = 0; h < n; ++h) {
    const double whole = after[h].log;
    const double amount = mu[h];
    if (whole == kMinusInfinity || amount == 0) {
      via[h] = mu[h] = 0;
      continue;
    }
    via[h] = amount * std::exp(factor.log + pivot_row[h].log - whole);
    mu[h] = amount * std::exp(before[h].log - whole);
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
  start_ = matrix_;
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
      add_multiple(row, quotient(row[live], d), pivot_row, row, live);
      row[m] = Number{};
    }
  }
  if (single && words_ > 0) {
    if (is_zero(matrix_[at(1, 0)])) return false;
    log_z_ += logarithm(matrix_[at(1, 0)]);
  }
  restore_start();
  return std::isfinite(log_z_);
}

// The live place with the heaviest arc into it, the first on ties.
template <class Number>
int TreeElimination<Number>::choose_pivot(int live) const {
  const int first_head = root_ == RootRule::single ? 1 : 0;
  int best = 1;
  double heaviest = kMinusInfinity;
  for (int m = 1; m <= live; ++m) {
    const double weight = largest(matrix_.data() + at(m, first_head), live + 1 - first_head);
    if (weight > heaviest) {
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

// Brings the matrix before the first step into the order of the places.
template <class Number>
void TreeElimination<Number>::restore_start() {
  std::vector<Number> by_word = start_;
  for (int m = 1; m <= words_; ++m)
    for (int h = 0; h <= words_; ++h) start_[at(m, h)] = by_word[at(order_[m], order_[h])];
}

// One word summed out; bit for bit what eliminate() did.
template <class Number>
void TreeElimination<Number>::step_forward(const State& from, State& to) const {
  const int live = from.live;
  to.live = live - 1;
  to.cells.assign(static_cast<std::size_t>(live) * live, Number{});
  const Number* pivot_row = from.row(live);
  for (int m = 1; m < live; ++m) {
    const Number* row = from.row(m);
    add_multiple(row, quotient(row[live], pivot_[live]), pivot_row, to.row(m), live);
    to.row(m)[m] = Number{};
  }
}

template <class Number>
typename TreeElimination<Number>::State TreeElimination<Number>::run_forward(const State& from,
                                                                             int live) const {
  State here;
  step_forward(from, here);
  State next;
  while (here.live > live) {
    step_forward(here, next);
    std::swap(here, next);
  }
  return here;
}

// Takes mu_ from the words 1..live_at_end to the words of `from`.
template <class Number>
void TreeElimination<Number>::way_back(const State& from, int live_at_end, std::size_t budget) {
  const auto steps = static_cast<std::size_t>(from.live - live_at_end);
  if (steps == 0) return;
  if (steps <= 2 || from.cells.size() * sizeof(Number) * steps <= budget) {
    way_back_stored(from, live_at_end);
    return;
  }
  const int middle = from.live - static_cast<int>(steps / 2);
  {
    const State checkpoint = run_forward(from, middle);
    way_back(checkpoint, live_at_end, budget);
  }
  way_back(from, middle, budget);
}

template <class Number>
void TreeElimination<Number>::way_back_stored(const State& from, int live_at_end) {
  std::vector<State> after(static_cast<std::size_t>(from.live - live_at_end));
  for (std::size_t i = 0; i < after.size(); ++i)
    step_forward(i == 0 ? from : after[i - 1], after[i]);
  for (std::size_t i = after.size(); i-- > 0;) step_back(i == 0 ? from : after[i - 1], after[i]);
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
    divide_flow(before.row(m), quotient(before.row(m)[k], d), pivot_row, after.row(m), mu,
                via_.data(), k);
    Array(from_head_.data(), k) += Array(via_.data(), k);
    mu[k] = sum(via_.data(), k);
    total += mu[k];
  }
  double* mu = mu_.data() + at(k, 0);
  const int first_head = root_ == RootRule::single ? 1 : 0;
  if (first_head == 1) mu[0] = from_head_[0];
  for (int h = first_head; h < k; ++h) {
    const double leaf = plain(quotient(pivot_row[h], d));
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
  if (words_ > live_at_end) {
    const State whole{words_, start_};
    way_back(whole, live_at_end, budget);
  }
  for (int m = 1; m <= words_; ++m)
    for (int h = 0; h <= words_; ++h) out(order_[h], order_[m]) = std::min(1.0, mu_[at(m, h)]);
}

template class TreeElimination<double>;
template class TreeElimination<LogWeight>;

}  // namespace copse
