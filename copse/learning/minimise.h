// Minimising a regularised sum of losses,
//
//   L(w) = sum over examples i of loss_i(w)  +  |w|^2 / (2 variance)
//
// by L-BFGS over all examples at once (libLBFGS) or by AdaGrad, one example at a time.
//
// A problem is anything that can say
//   dimension()                  the length of w
//   size()                       the number of examples
//   loss(i, w, add)              loss_i(w); calls add(index, slope) for its gradient, as often as
//                                it likes for an index. Called by many threads at once for
//                                different i.
// The result does not depend on the number of threads: the sum is cut into the same pieces always.
// Exceptions thrown by a loss or a progress report come out as they are, `w` unchanged by L-BFGS.
// `w` holds the start and receives the result; where it is shorter than dimension(), it starts at
// 0.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <exception>
#include <functional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "copse/base/random.h"
#include "copse/base/stream.h"

namespace copse {

struct LbfgsOptions {
  double variance = 1;  // of the Gaussian prior; infinity for none
  int max_iterations = 150;
  int memory = 10;
  double tolerance = 1e-5;  // relative gain ...
  int patience = 3;         // ... over that many iterations ends it
  int threads = 1;
  std::function<void(int iteration, double value)> progress;
  // Asked after each iteration, with the weights it came to: shall it go on?
  std::function<bool(int iteration, double value, std::span<const double> w)> go_on;
};

struct Minimum {
  double value = 0;
  int iterations = 0;
  bool converged = false;
  std::string reason;  // why it ended
};

using ValueAndGradient =
    std::function<double(std::span<const double> w, std::span<double> gradient)>;

// The bare routine: `w` holds the start and receives the result. The objective writes all of the
// gradient; the prior is added here.
Minimum run_lbfgs(const ValueAndGradient& objective, std::vector<double>& w,
                  const LbfgsOptions& options);

namespace detail {

// Every piece has a gradient of its own: more of them cost memory, fewer leave cores idle.
inline constexpr std::size_t kPieces = 4;

// The sum of a piece of the examples, its gradient in a buffer of its own.
template <class Problem>
double add_piece(const Problem& problem, std::size_t piece, std::span<const double> w,
                 std::span<double> gradient) {
  const std::size_t begin = problem.size() * piece / kPieces;
  const std::size_t end = problem.size() * (piece + 1) / kPieces;
  double sum = 0;
  for (std::size_t i = begin; i < end; ++i) {
    sum += problem.loss(i, w, [&](std::size_t at, double slope) { gradient[at] += slope; });
  }
  return sum;
}

}  // namespace detail

template <class Problem>
Minimum minimise_by_lbfgs(const Problem& problem, std::vector<double>& w,
                          const LbfgsOptions& options) {
  using detail::kPieces;
  w.resize(problem.dimension());
  std::array<std::vector<double>, kPieces> buffers;
  for (auto& buffer : buffers) buffer.resize(problem.dimension());
  const int threads = std::min<int>(resolve_threads(options.threads), kPieces);
  const auto objective = [&](std::span<const double> at, std::span<double> gradient) {
    std::array<double, kPieces> sums{};
    std::array<std::exception_ptr, kPieces> failures;
    const auto work = [&](std::size_t first) {
      for (std::size_t piece = first; piece < kPieces; piece += static_cast<std::size_t>(threads)) {
        try {
          std::ranges::fill(buffers[piece], 0.0);
          sums[piece] = detail::add_piece(problem, piece, at, buffers[piece]);
        } catch (...) {
          failures[piece] = std::current_exception();
        }
      }
    };
    {
      std::vector<std::jthread> helpers;
      for (int t = 1; t < threads; ++t) {
        helpers.emplace_back([&work, t] { work(static_cast<std::size_t>(t)); });
      }
      work(0);
    }
    for (const auto& failure : failures) {
      if (failure) std::rethrow_exception(failure);
    }
    double value = 0;
    std::ranges::fill(gradient, 0.0);
    for (std::size_t piece = 0; piece < kPieces; ++piece) {
      value += sums[piece];
      for (std::size_t j = 0; j < gradient.size(); ++j) gradient[j] += buffers[piece][j];
    }
    return value;
  };
  return run_lbfgs(objective, w, options);
}

struct AdaGradOptions {
  double variance = 1;
  int epochs = 10;
  double rate = 0.1;
  std::uint64_t seed = 1;
  std::function<void(int epoch, double loss)> progress;  // the sum of the losses met on the way
};

// AdaGrad (Duchi et al. 2011): the step of a coordinate shrinks with the root of the squared
// slopes it has seen. The prior pulls a coordinate only when it is touched, by what has gathered
// since (lazily), so that an example costs no more than its own features.
template <class Problem>
void minimise_by_adagrad(const Problem& problem, std::vector<double>& w,
                         const AdaGradOptions& options) {
  const std::size_t size = problem.size();
  w.resize(problem.dimension());
  std::vector<double> squares(w.size(), 0.0);
  std::vector<std::uint64_t> touched(w.size(), 0);
  std::vector<std::uint32_t> order(size);
  for (std::size_t i = 0; i < size; ++i) order[i] = static_cast<std::uint32_t>(i);
  Random random(options.seed);
  const double pull = 1 / (options.variance * static_cast<double>(std::max<std::size_t>(size, 1)));
  std::uint64_t step = 0;
  const auto shrink = [&](std::size_t j) {
    if (squares[j] == 0) return;
    const double rate = options.rate / std::sqrt(squares[j]);
    const double gap = static_cast<double>(step - touched[j]);
    w[j] *= std::exp(-rate * pull * gap);  // many small pulls; they never overshoot zero
    touched[j] = step;
  };
  // The gradient of one example: its slopes by coordinate, and the coordinates that have one. A
  // coordinate whose slopes cancelled on the way may be listed twice; the second time it is 0.
  std::vector<double> slopes(w.size(), 0.0);
  std::vector<std::size_t> coordinates;
  const auto add = [&](std::size_t at, double slope) {
    if (slopes[at] == 0) coordinates.push_back(at);
    slopes[at] += slope;
  };
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    random.shuffle(std::span(order));
    double total = 0;
    for (const std::uint32_t example : order) {
      coordinates.clear();
      total += problem.loss(example, std::span<const double>(w), add);
      ++step;
      for (const std::size_t j : coordinates) {
        const double slope = std::exchange(slopes[j], 0.0);
        squares[j] += slope * slope;
        shrink(j);
        if (slope != 0) w[j] -= options.rate / std::sqrt(squares[j]) * slope;
      }
    }
    if (options.progress) options.progress(epoch + 1, total);
  }
  for (std::size_t j = 0; j < w.size(); ++j) shrink(j);
}

}  // namespace copse
