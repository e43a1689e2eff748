// Matrix-Tree: log Z and all marginals, by each route, next to the yardstick: one inverse of a
// matrix of the same size with Eigen's LU in double.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <vector>

#include <Eigen/LU>

#include "copse/base/random.h"
#include "copse/inference/matrix_tree.h"

namespace copse {
namespace {

// The least of the repetitions: what the code takes when nothing else runs on the machine.
double least(const std::vector<double>& times) {
  return *std::min_element(times.begin(), times.end());
}

ArcScores random_scores(int words, int labels, double spread) {
  Random random(42);
  ArcScores scores(words, labels);
  for (double& score : scores.values()) score = spread * random.normal();
  return scores;
}

void report(benchmark::State& state, int words) {
  state.SetComplexityN(words);
}

// The Laplacian of the same scores, inverted: what the fast route cannot do without.
void EigenInverse(benchmark::State& state) {
  const int words = static_cast<int>(state.range(0));
  const auto scores = random_scores(words, 1, 1);
  Eigen::MatrixXd matrix(words, words);
  for (int m = 1; m <= words; ++m) {
    double sum = 0;
    for (int h = 0; h <= words; ++h) sum += h == m ? 0 : std::exp(scores(h, m));
    for (int h = 1; h <= words; ++h) matrix(h - 1, m - 1) = h == m ? sum : -std::exp(scores(h, m));
  }
  Eigen::MatrixXd inverse(words, words);
  for (auto _ : state) {
    inverse = matrix.inverse();
    benchmark::DoNotOptimize(inverse.data());
    benchmark::ClobberMemory();
  }
  report(state, words);
}
BENCHMARK(EigenInverse)
    ->ComputeStatistics("min", least)
    ->Arg(10)
    ->Arg(25)
    ->Arg(50)
    ->Arg(100)
    ->Arg(150)
    ->Arg(250)
    ->Complexity();

void run(benchmark::State& state, const ArcScores& scores, const MatrixTreeOptions& options) {
  const ArcMask mask(scores.words());
  MatrixTree matrix_tree;
  MatrixTreeRoute route = MatrixTreeRoute::lu;
  for (auto _ : state) {
    const auto result = matrix_tree.run(scores, mask, options);
    route = result.route;
    benchmark::DoNotOptimize(result.log_z);
  }
  state.counters["route"] = static_cast<double>(route);
  report(state, scores.words());
}

void MatrixTreeSingleRoot(benchmark::State& state) {
  run(state, random_scores(static_cast<int>(state.range(0)), 1, 1), {});
}
BENCHMARK(MatrixTreeSingleRoot)
    ->ComputeStatistics("min", least)
    ->Arg(10)
    ->Arg(25)
    ->Arg(50)
    ->Arg(100)
    ->Arg(150)
    ->Arg(250)
    ->Complexity();

void MatrixTreeMultiRoot(benchmark::State& state) {
  run(state, random_scores(static_cast<int>(state.range(0)), 1, 1), {.root = RootRule::multi});
}
BENCHMARK(MatrixTreeMultiRoot)->ComputeStatistics("min", least)->Arg(50)->Arg(100);

void MatrixTreeFortyLabels(benchmark::State& state) {
  run(state, random_scores(static_cast<int>(state.range(0)), 40, 1), {});
}
BENCHMARK(MatrixTreeFortyLabels)->ComputeStatistics("min", least)->Arg(25)->Arg(50);

void MatrixTreeElimination(benchmark::State& state) {
  run(state, random_scores(static_cast<int>(state.range(0)), 1, 1),
      {.only = MatrixTreeRoute::elimination});
}
BENCHMARK(MatrixTreeElimination)
    ->ComputeStatistics("min", least)
    ->Arg(10)
    ->Arg(25)
    ->Arg(50)
    ->Arg(100)
    ->Arg(150)
    ->Arg(250)
    ->Complexity();

void MatrixTreeLogZAlone(benchmark::State& state) {
  run(state, random_scores(static_cast<int>(state.range(0)), 1, 1), {.marginals = false});
}
BENCHMARK(MatrixTreeLogZAlone)->ComputeStatistics("min", least)->Arg(50)->Arg(100);

// Deviation 1000: whatever route it takes by itself.
void MatrixTreePeaked(benchmark::State& state) {
  run(state, random_scores(static_cast<int>(state.range(0)), 1, 1000), {});
}
BENCHMARK(MatrixTreePeaked)->ComputeStatistics("min", least)->Arg(25)->Arg(50)->Arg(100)->Arg(250);

void MatrixTreeWideElimination(benchmark::State& state) {
  run(state, random_scores(static_cast<int>(state.range(0)), 1, 1),
      {.only = MatrixTreeRoute::wide_elimination});
}
BENCHMARK(MatrixTreeWideElimination)->ComputeStatistics("min", least)->Arg(25)->Arg(50)->Arg(100);

}  // namespace
}  // namespace copse
