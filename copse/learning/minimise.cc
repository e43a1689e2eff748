#include "copse/learning/minimise.h"

#include <lbfgs.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <exception>
#include <memory>

#include "copse/base/error.h"

namespace copse {
namespace {

// What the C callbacks see.
struct Run {
  const ValueAndGradient& objective;
  const LbfgsOptions& options;
  int iterations = 0;
  double value = 0;  // at the last point that was accepted
  bool started = false;
  bool stopped = false;  // on request
  std::exception_ptr failure = nullptr;
};

// The regularised objective. An exception must not travel through the C library: it is kept, the
// objective is not asked again, and the next progress report ends the run.
lbfgsfloatval_t evaluate(void* instance, const lbfgsfloatval_t* w, lbfgsfloatval_t* gradient, int n,
                         lbfgsfloatval_t) {
  Run& run = *static_cast<Run*>(instance);
  const auto size = static_cast<std::size_t>(n);
  double value = 0;
  try {
    if (!run.failure) value = run.objective({w, size}, {gradient, size});
  } catch (...) {
    run.failure = std::current_exception();
  }
  if (run.failure) {
    std::fill_n(gradient, size, 0.0);
    return 0;
  }
  if (std::isfinite(run.options.variance)) {
    double squares = 0;
    for (std::size_t j = 0; j < size; ++j) {
      squares += w[j] * w[j];
      gradient[j] += w[j] / run.options.variance;
    }
    value += squares / (2 * run.options.variance);
  }
  if (!run.started) run.value = value;
  run.started = true;
  return value;
}

int report(void* instance, const lbfgsfloatval_t* w, const lbfgsfloatval_t*, lbfgsfloatval_t value,
           lbfgsfloatval_t, lbfgsfloatval_t, lbfgsfloatval_t, int n, int k, int) {
  Run& run = *static_cast<Run*>(instance);
  if (run.failure) return 1;
  run.iterations = k;
  run.value = value;
  try {
    if (run.options.progress) run.options.progress(k, value);
    const std::span<const double> weights(w, static_cast<std::size_t>(n));
    if (run.options.go_on) run.stopped = !run.options.go_on(k, value, weights);
  } catch (...) {
    run.failure = std::current_exception();
  }
  return run.failure || run.stopped ? 1 : 0;
}

struct FreeVector {
  void operator()(lbfgsfloatval_t* values) const { lbfgs_free(values); }
};

}  // namespace

Minimum run_lbfgs(const ValueAndGradient& objective, std::vector<double>& w,
                  const LbfgsOptions& options) {
  if (w.empty()) return {0, 0, true, "there is nothing to choose"};
  if (w.size() > INT_MAX - 16) throw machine_error("too many weights for L-BFGS (2 * 10^9)");
  const int n = static_cast<int>(w.size());
  // libLBFGS wants its own alignment and, with SSE2, a multiple of 16 numbers: lbfgs_malloc rounds.
  std::unique_ptr<lbfgsfloatval_t, FreeVector> values(lbfgs_malloc(n));
  if (!values) throw machine_error("not enough memory for L-BFGS");
  std::ranges::copy(w, values.get());
  lbfgs_parameter_t parameters;
  lbfgs_parameter_init(&parameters);
  parameters.m = options.memory;
  parameters.max_iterations = options.max_iterations;
  parameters.past = options.patience;
  parameters.delta = options.tolerance;
  parameters.epsilon = 1e-9;
  Run run{objective, options};
  const int status = lbfgs(n, values.get(), nullptr, evaluate, report, &run, &parameters);
  if (run.failure) std::rethrow_exception(run.failure);
  std::copy_n(values.get(), w.size(), w.begin());
  Minimum result;
  result.value = run.value;  // lbfgs() itself may give the value of a point that it went back from
  result.iterations = run.iterations;
  result.converged = status == LBFGS_SUCCESS || status == LBFGS_STOP ||
                     status == LBFGS_ALREADY_MINIMIZED || status == LBFGSERR_ROUNDING_ERROR;
  if (!std::isfinite(result.value)) {
    result.converged = false;
    result.reason = "the objective is not a finite number";
    return result;
  }
  if (run.stopped) {
    result.converged = false;
    result.reason = "asked to stop";
    return result;
  }
  result.reason = result.converged                       ? "converged"
                  : status == LBFGSERR_MAXIMUMITERATION  ? "the iterations allowed are used up"
                  : status == LBFGSERR_MAXIMUMLINESEARCH ? "no better point along the line"
                                                         : "the line search failed";
  return result;
}

}  // namespace copse
