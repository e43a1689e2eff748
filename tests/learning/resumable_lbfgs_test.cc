// L-BFGS with a memory that can be saved: the minimum is that of libLBFGS, and a run that was broken
// off anywhere ends with the same bits.
#include "copse/learning/resumable_lbfgs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "copse/base/error.h"

namespace copse {
namespace {

// sum over j of log cosh(a_j . w - t_j): smooth, convex and no parabola.
struct Valley {
  std::vector<std::vector<double>> a;
  std::vector<double> t;

  Valley(std::uint64_t seed, std::size_t dimension) {
    Random random(seed);
    for (std::size_t i = 0; i < 3 * dimension; ++i) {
      a.emplace_back();
      for (std::size_t j = 0; j < dimension; ++j) {
        a.back().push_back(random.normal() * (j % 3 == 0 ? 10 : 1));
      }
      t.push_back(random.normal());
    }
  }
  double operator()(std::span<const double> w, std::span<double> gradient) const {
    std::fill(gradient.begin(), gradient.end(), 0.0);
    double value = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      double x = -t[i];
      for (std::size_t j = 0; j < w.size(); ++j) x += a[i][j] * w[j];
      value += std::abs(x) + std::log1p(std::exp(-2 * std::abs(x)));
      for (std::size_t j = 0; j < w.size(); ++j) gradient[j] += std::tanh(x) * a[i][j];
    }
    return value;
  }
};

LbfgsOptions exact() {
  LbfgsOptions options;
  options.tolerance = 1e-12;
  options.max_iterations = 500;
  return options;
}

LbfgsState start(std::size_t dimension) {
  LbfgsState state;
  state.w.assign(dimension, 0.0);
  return state;
}

TEST(ResumableLbfgs, ComesToTheMinimumOfLibLbfgs) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    for (const double variance : {0.5, 100.0, std::numeric_limits<double>::infinity()}) {
      SCOPED_TRACE(seed);
      const Valley valley(seed, 12);
      LbfgsOptions options = exact();
      options.variance = variance;
      std::vector<double> w(12);
      const Minimum expected = run_lbfgs(valley, w, options);
      ResumableLbfgs run(valley, options, start(12));
      int iterations = 0;
      double before = run.value();
      while (run.iterate()) {
        EXPECT_LE(run.value(), before);
        before = run.value();
        ++iterations;
      }
      EXPECT_TRUE(run.converged()) << run.reason();
      EXPECT_EQ(run.state().iterations, iterations);
      EXPECT_NEAR(run.value(), expected.value, 1e-7 * expected.value);
      for (std::size_t j = 0; j < w.size(); ++j) EXPECT_NEAR(run.state().w[j], w[j], 1e-3);
      EXPECT_LE(iterations, 3 * expected.iterations + 10);
    }
  }
}

TEST(ResumableLbfgs, BrokenOffAnywhereItEndsTheSame) {
  const Valley valley(4, 9);
  ResumableLbfgs whole(valley, exact(), start(9));
  while (whole.iterate()) {
  }
  ASSERT_GT(whole.state().iterations, 15);  // more than it remembers
  LbfgsState state = start(9);
  for (bool more = true; more;) {
    ResumableLbfgs run(valley, exact(), state);
    more = run.iterate();
    state = run.state();
    if (!more) {
      EXPECT_EQ(run.reason(), whole.reason());
    }
  }
  EXPECT_EQ(state.w, whole.state().w);
  EXPECT_EQ(state.values, whole.state().values);
  EXPECT_EQ(state.iterations, whole.state().iterations);
}

TEST(ResumableLbfgs, SaysWhyItEnds) {
  const Valley valley(5, 6);
  LbfgsOptions options = exact();
  options.max_iterations = 2;
  ResumableLbfgs short_run(valley, options, start(6));
  EXPECT_TRUE(short_run.iterate());
  EXPECT_TRUE(short_run.iterate());
  EXPECT_FALSE(short_run.iterate());
  EXPECT_EQ(short_run.reason(), "the iterations allowed are used up");
  EXPECT_FALSE(short_run.converged());

  ResumableLbfgs nothing([](auto, auto) { return 0.0; }, options, {});
  EXPECT_FALSE(nothing.iterate());
  EXPECT_EQ(nothing.reason(), "there is nothing to choose");

  ResumableLbfgs broken([](auto, auto) { return std::nan(""); }, options, start(2));
  EXPECT_FALSE(broken.iterate());
  EXPECT_EQ(broken.reason(), "the objective is not a finite number");

  // A slope that lies: nothing along it is lower.
  const auto lying = [](std::span<const double> w, std::span<double> gradient) {
    gradient[0] = -1;
    return std::abs(w[0]);
  };
  options.variance = std::numeric_limits<double>::infinity();
  ResumableLbfgs lied(lying, options, start(1));
  EXPECT_FALSE(lied.iterate());
  EXPECT_EQ(lied.reason(), "no better point along the line");
}

TEST(ResumableLbfgs, RefusesAMemoryThatDoesNotFit) {
  const Valley valley(6, 3);
  LbfgsState good = start(3);
  {
    ResumableLbfgs run(valley, exact(), good);
    run.iterate();
    run.iterate();
    good = run.state();
  }
  ASSERT_FALSE(good.pairs.empty());
  const auto refused = [&](auto change) {
    LbfgsState state = good;
    change(state);
    EXPECT_THROW(ResumableLbfgs(valley, exact(), state), Error);
  };
  refused([](LbfgsState& state) { state.w[1] = std::nan(""); });
  refused([](LbfgsState& state) { state.values.back() = INFINITY; });
  refused([](LbfgsState& state) { state.iterations = -1; });
  refused([](LbfgsState& state) { state.pairs[0].step.pop_back(); });
  refused([](LbfgsState& state) { state.pairs[0].slope.clear(); });
  refused([](LbfgsState& state) { state.pairs[0].step[2] = NAN; });
  refused([](LbfgsState& state) { state.pairs[0].slope.assign(3, 0.0F); });
}

}  // namespace
}  // namespace copse
