// Spanning trees: time per (head, modifier) pair and growth with the length of the sentence.
// Yardstick: one pass over the same score table that finds every word's best head, which no
// searcher can do without.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <vector>

#include "copse/base/random.h"
#include "copse/inference/k_best_spanning_trees.h"
#include "copse/inference/spanning_tree.h"

namespace copse {
namespace {

// The least of the repetitions: what the code takes when nothing else runs on the machine.
double least(const std::vector<double>& times) {
  return *std::min_element(times.begin(), times.end());
}

template <class Real>
ArcTable<Real> random_scores(int words, int labels = 1) {
  Random random(42);
  ArcTable<Real> scores(words, labels);
  for (Real& score : scores.values()) score = static_cast<Real>(random.normal());
  return scores;
}

// Every step contracts a cycle of two: n - 1 levels deep.
ArcTable<double> nested_cycles(int words) {
  ArcTable<double> scores(words, 1, -1000.0 * words);
  for (int k = 2; k <= words; ++k) {
    scores(k, 1) = -k;
    scores(k - 1, k) = 0;
  }
  scores(0, words) = -10.0 * words;
  return scores;
}

void report(benchmark::State& state, int words) {
  state.counters["pairs/s"] = benchmark::Counter(static_cast<double>(words) * words,
                                                 benchmark::Counter::kIsIterationInvariantRate);
  // Seconds per (head, modifier) pair.
  state.counters["per_pair"] = benchmark::Counter(
      static_cast<double>(words) * words,
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.SetComplexityN(words);
}

template <class Real>
void best_tree(benchmark::State& state, const ArcTable<Real>& scores, RootRule root) {
  const ArcMask mask(scores.words());
  SpanningTreeSearch search;
  for (auto _ : state) benchmark::DoNotOptimize(search.best(scores, mask, root));
  report(state, scores.words());
}

void BestHeads(benchmark::State& state) {
  const int words = static_cast<int>(state.range(0));
  const auto scores = random_scores<double>(words);
  std::vector<int> heads(words + 1);
  for (auto _ : state) {
    for (int m = 1; m <= words; ++m) {
      const auto row = scores.heads(m);
      int best = m == 1 ? 2 : 1;
      for (int h = 0; h <= words; ++h)
        if (h != m && row[h] > row[best]) best = h;
      heads[m] = best;
    }
    benchmark::DoNotOptimize(heads.data());
    benchmark::ClobberMemory();
  }
  report(state, words);
}
BENCHMARK(BestHeads)->ComputeStatistics("min", least)->Arg(100);

void SpanningTreeSingleRoot(benchmark::State& state) {
  best_tree(state, random_scores<double>(static_cast<int>(state.range(0))), RootRule::single);
}
BENCHMARK(SpanningTreeSingleRoot)
    ->ComputeStatistics("min", least)
    ->Arg(10)
    ->Arg(25)
    ->Arg(50)
    ->Arg(100)
    ->Arg(150)
    ->Arg(250)
    ->Complexity();

void SpanningTreeMultiRoot(benchmark::State& state) {
  best_tree(state, random_scores<double>(static_cast<int>(state.range(0))), RootRule::multi);
}
BENCHMARK(SpanningTreeMultiRoot)->ComputeStatistics("min", least)->Arg(100);

void SpanningTreeFloatScores(benchmark::State& state) {
  best_tree(state, random_scores<float>(static_cast<int>(state.range(0))), RootRule::single);
}
BENCHMARK(SpanningTreeFloatScores)->ComputeStatistics("min", least)->Arg(100);

void SpanningTreeFortyLabels(benchmark::State& state) {
  best_tree(state, random_scores<float>(static_cast<int>(state.range(0)), 40), RootRule::single);
}
BENCHMARK(SpanningTreeFortyLabels)->ComputeStatistics("min", least)->Arg(25)->Arg(100);

void SpanningTreeNestedCycles(benchmark::State& state) {
  best_tree(state, nested_cycles(static_cast<int>(state.range(0))), RootRule::single);
}
BENCHMARK(SpanningTreeNestedCycles)
    ->ComputeStatistics("min", least)
    ->RangeMultiplier(2)
    ->Range(25, 400)
    ->Complexity();

void TenBestSpanningTrees(benchmark::State& state) {
  const int words = static_cast<int>(state.range(0));
  const auto scores = random_scores<double>(words);
  const ArcMask mask(words);
  for (auto _ : state)
    benchmark::DoNotOptimize(k_best_spanning_trees(scores, mask, RootRule::single, 10));
  report(state, words);
}
BENCHMARK(TenBestSpanningTrees)
    ->ComputeStatistics("min", least)
    ->Arg(10)
    ->Arg(25)
    ->Arg(50)
    ->Arg(100)
    ->Complexity();

}  // namespace
}  // namespace copse
