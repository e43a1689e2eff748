#include "copse/learning/resumable_lbfgs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "copse/base/error.h"

namespace copse {
namespace {

constexpr double kDescent = 1e-4;  // share of the slope that a step must gain
constexpr double kFlatter = 0.9;   // how much of the slope may be left
constexpr int kMostTrials = 40;    // points along one direction
constexpr double kFlat = 1e-9;     // |g| / |w| that ends it

template <class A, class B>
double dot(const A& a, const B& b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += double{a[j]} * double{b[j]};
  return sum;
}

template <class From>
void add(std::vector<double>& to, double factor, const From& from) {
  for (std::size_t j = 0; j < to.size(); ++j) to[j] += factor * double{from[j]};
}

bool all_finite(const auto& values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

void check(const LbfgsState& state) {
  bool good = all_finite(state.w) && all_finite(state.values) && state.iterations >= 0;
  for (const LbfgsState::Pair& pair : state.pairs) {
    good = good && pair.step.size() == state.w.size() && pair.slope.size() == state.w.size() &&
           all_finite(pair.step) && all_finite(pair.slope) && dot(pair.step, pair.slope) > 0;
  }
  if (!good) throw data_error("the memory of L-BFGS is damaged");
}

}  // namespace

ResumableLbfgs::ResumableLbfgs(ValueAndGradient objective, const LbfgsOptions& options,
                               LbfgsState state)
    : objective_(std::move(objective)), options_(options), state_(std::move(state)) {
  check(state_);
  gradient_.resize(state_.w.size());
  value_ = evaluate(state_.w, gradient_);
  if (state_.values.empty()) state_.values.push_back(value_);
}

double ResumableLbfgs::evaluate(std::span<const double> w, std::vector<double>& gradient) {
  double value = w.empty() ? 0 : objective_(w, gradient);
  if (std::isfinite(options_.variance)) {
    add(gradient, 1 / options_.variance, w);
    value += dot(w, w) / (2 * options_.variance);
  }
  return value;
}

bool ResumableLbfgs::end(bool converged, std::string reason) {
  converged_ = converged;
  reason_ = std::move(reason);
  return false;
}

bool ResumableLbfgs::is_done() {
  const auto done = [this](bool converged, std::string why) {
    return !end(converged, std::move(why));
  };
  if (!std::isfinite(value_)) return done(false, "the objective is not a finite number");
  const double length = std::sqrt(dot(state_.w, state_.w));
  if (std::sqrt(dot(gradient_, gradient_)) <= kFlat * std::max(1.0, length)) {
    return done(true, "converged");
  }
  const auto patience = static_cast<std::size_t>(std::max(0, options_.patience));
  if (patience > 0 && state_.values.size() > patience) {
    const double before = state_.values[state_.values.size() - 1 - patience];
    if (before - value_ < options_.tolerance * std::abs(value_)) return done(true, "converged");
  }
  if (state_.iterations >= options_.max_iterations) {
    return done(false, "the iterations allowed are used up");
  }
  return false;
}

bool ResumableLbfgs::iterate() {
  if (state_.w.empty()) return end(true, "there is nothing to choose");
  if (is_done()) return false;
  if (!move(direction())) {
    if (state_.pairs.empty()) return end(false, "no better point along the line");
    state_.pairs.clear();  // what it remembers leads nowhere: once more, straight down
    if (!move(direction())) return end(false, "no better point along the line");
  }
  ++state_.iterations;
  state_.values.push_back(value_);
  const auto kept = static_cast<std::size_t>(std::max(0, options_.patience)) + 1;
  if (state_.values.size() > kept) state_.values.erase(state_.values.begin());
  return true;
}

std::vector<double> ResumableLbfgs::direction() const {
  std::vector<double> d(gradient_.size());
  for (std::size_t j = 0; j < d.size(); ++j) d[j] = -gradient_[j];
  if (state_.pairs.empty()) {
    const double length = std::sqrt(dot(d, d));
    for (double& each : d) each /= length;
    return d;
  }
  std::vector<double> alpha(state_.pairs.size());
  for (std::size_t k = state_.pairs.size(); k-- > 0;) {
    const auto& [step, slope] = state_.pairs[k];
    alpha[k] = dot(step, d) / dot(step, slope);
    add(d, -alpha[k], slope);
  }
  const auto& [step, slope] = state_.pairs.back();
  const double scale = dot(step, slope) / dot(slope, slope);
  for (double& each : d) each *= scale;
  for (std::size_t k = 0; k < state_.pairs.size(); ++k) {
    const auto& pair = state_.pairs[k];
    add(d, alpha[k] - dot(pair.slope, d) / dot(pair.step, pair.slope), pair.step);
  }
  return d;
}

bool ResumableLbfgs::move(const std::vector<double>& direction) {
  const double slope = dot(gradient_, direction);
  if (!(slope < 0)) return false;
  double low = 0, high = std::numeric_limits<double>::infinity();
  double low_value = value_, low_slope = slope;
  double t = 1;
  std::vector<double> w, gradient(gradient_.size());
  for (int trial = 0; trial < kMostTrials; ++trial) {
    w = state_.w;
    add(w, t, direction);
    const double value = evaluate(w, gradient);
    const bool lower = value <= value_ + kDescent * t * slope;  // false for what is no number
    const double here = lower ? dot(gradient, direction) : 0;
    if (lower && here >= kFlatter * slope) {
      remember(w, gradient);
      state_.w = std::move(w);
      gradient_ = std::move(gradient);
      value_ = value;
      return true;
    }
    if (lower) {
      low = t;
      low_value = value;
      low_slope = here;
      t = std::isinf(high) ? 2 * t : (low + high) / 2;
      continue;
    }
    high = t;
    // The lowest point of the parabola through both ends, if it is well between them.
    const double width = high - low;
    const double bend = value - low_value - low_slope * width;
    const double share = std::isfinite(value) && bend > 0 ? -low_slope * width / (2 * bend) : 0.5;
    t = low + width * std::clamp(share, 0.1, 0.9);
  }
  return false;
}

void ResumableLbfgs::remember(const std::vector<double>& w, const std::vector<double>& gradient) {
  LbfgsState::Pair pair;
  if (static_cast<int>(state_.pairs.size()) >= options_.memory && !state_.pairs.empty()) {
    pair = std::move(state_.pairs.front());  // its memory is used again
    state_.pairs.pop_front();
  }
  pair.step.resize(w.size());
  pair.slope.resize(w.size());
  for (std::size_t j = 0; j < w.size(); ++j) {
    pair.step[j] = static_cast<float>(w[j] - state_.w[j]);
    pair.slope[j] = static_cast<float>(gradient[j] - gradient_[j]);
  }
  // Rounding may have eaten what little there was.
  if (options_.memory > 0 && dot(pair.step, pair.slope) > 0)
    state_.pairs.push_back(std::move(pair));
}

}  // namespace copse
