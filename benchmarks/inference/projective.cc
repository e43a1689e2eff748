// Projective charts. Every figure stands beside a yardstick timed in the same run: BM_Yardstick is
// a loop of the same shape as a chart's innermost one (out = max(out, a + s)), over memory that
// fits in the first-level cache, so that machines can be compared.
//
//   ns_per_edge   time per hyperedge: per (span, split) or (item, split) combination
//   MB            scratch memory held after the run
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "copse/base/random.h"
#include "copse/inference/lane_kernels.h"
#include "copse/inference/projective_search.h"

namespace copse {
namespace {

constexpr auto kLongest = static_cast<int>(250);

void randomise(PartScores& scores, Random& random) {
  for (float& score : scores.values()) score = static_cast<float>(random.uniform() * 2 - 1);
  const int labels = scores.labels();
  if (labels == 0) return;
  const int arcs = static_cast<int>(scores.label_values().size()) / labels;
  for (int a = 0; a < arcs; ++a)
    for (float& score : scores.label_row(a)) score = static_cast<float>(random.uniform() * 2 - 1);
}

// `heads` surviving heads per word, among them those of a projective tree: the nearest ones and
// some anywhere, as a pruner leaves them. 0: no pruning.
ArcMask pruned_mask(int words, int heads, Random& random) {
  if (heads == 0) return ArcMask(words);
  ArcMask mask = ArcMask::none(words);
  for (int m = 1; m <= words; ++m) {
    mask.allow(m - 1, m);  // a chain from the root: one projective tree at least
    int kept = 1;
    while (kept < std::min(heads, words)) {
      const int h = random.chance(0.7) ? m + (random.chance(0.5) ? 1 : -1) * random.between(1, 6)
                                       : random.between(0, words);
      if (h < 0 || h > words || h == m || mask.allowed(h, m)) continue;
      mask.allow(h, m);
      ++kept;
    }
  }
  return mask;
}

struct Setup {
  Setup(int words, int heads, Factorisation factorisation, int labels = 0)
      : random(static_cast<std::uint64_t>(words)),
        index(pruned_mask(words, heads, random), factorisation, RootRule::multi),
        search(index),
        scores(index, labels) {
    randomise(scores, random);
  }
  Random random;
  PartIndex index;
  ProjectiveSearch search;
  PartScores scores;
  Workspace workspace;
};

void report(benchmark::State& state, const Setup& setup) {
  const auto edges = static_cast<double>(setup.search.edges());
  state.counters["edges"] = edges;
  state.counters["ns_per_edge"] = benchmark::Counter(
      edges * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["MB"] = static_cast<double>(setup.workspace.bytes()) / 1e6;
  state.counters["parts"] = static_cast<double>(setup.index.size());
}

Factorisation factorisation(const benchmark::State& state) {
  return static_cast<Factorisation>(state.range(2));
}

void BM_Best(benchmark::State& state) {
  Setup setup(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)),
              factorisation(state));
  for (auto _ : state) benchmark::DoNotOptimize(setup.search.best(setup.scores, setup.workspace));
  report(state, setup);
  state.SetLabel(name(factorisation(state)));
}

void BM_Marginals(benchmark::State& state) {
  Setup setup(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)),
              factorisation(state));
  SumDomain domain = SumDomain::linear;
  for (auto _ : state) {
    const Marginals answer = setup.search.marginals(setup.scores, setup.workspace);
    domain = answer.domain;
    benchmark::DoNotOptimize(answer.log_z);
  }
  report(state, setup);
  state.SetLabel(std::string(name(factorisation(state))) +
                 (domain == SumDomain::linear ? " linear" : " log"));
}

void BM_KBest(benchmark::State& state) {
  Setup setup(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)),
              factorisation(state));
  for (auto _ : state)
    benchmark::DoNotOptimize(setup.search.k_best(setup.scores, 50, setup.workspace));
  report(state, setup);
  state.SetLabel(std::string(name(factorisation(state))) + " k=50");
}

// Numbering the parts and laying out the chart: once per sentence.
void BM_Layout(benchmark::State& state) {
  Random random(1);
  const ArcMask mask =
      pruned_mask(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)), random);
  for (auto _ : state) {
    const PartIndex index(mask, factorisation(state), RootRule::multi);
    const ProjectiveSearch search(index);
    benchmark::DoNotOptimize(search.items());
  }
  state.SetLabel(name(factorisation(state)));
}

void BM_Yardstick(benchmark::State& state) {
  const auto length = static_cast<int>(state.range(0));
  std::vector<float> out(static_cast<std::size_t>(length), 0.0F);
  const std::vector<float> a(static_cast<std::size_t>(length), 1.0F);
  const LaneKernels& kernels = lane_kernels();
  const LaneKernels::Term term{a.data(), nullptr, 0.5F};
  for (auto _ : state) {
    kernels.max_terms(out.data(), length, &term, 1);
    benchmark::ClobberMemory();
  }
  state.counters["ns_per_edge"] = benchmark::Counter(
      length * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.SetLabel(kernels.name);
}
BENCHMARK(BM_Yardstick)->Arg(13)->Arg(40)->Arg(1024);

constexpr int kAll = 6;

void dense(benchmark::internal::Benchmark* b) {
  for (const int words : {40, 100})
    for (int f = 0; f < kAll; ++f) b->Args({words, 0, f});
}
void pruned(benchmark::internal::Benchmark* b) {
  for (int f = 0; f < kAll; ++f) b->Args({40, 4, f});
  for (int f = 0; f < kAll; ++f) b->Args({kLongest, 6, f});
}
void growth(benchmark::internal::Benchmark* b) {
  for (int f = 0; f < kAll; ++f)
    for (const int words : {10, 20, 40, 60, 80, 100, 150, 200, kLongest}) {
      const bool cubic = f < 2;
      if (cubic || words <= 100) b->Args({words, 0, f});
      b->Args({words, 6, f});
    }
}

BENCHMARK(BM_Best)->Apply(dense)->Apply(pruned)->ArgNames({"n", "heads", "order"});
BENCHMARK(BM_Marginals)->Apply(dense)->Apply(pruned)->ArgNames({"n", "heads", "order"});
BENCHMARK(BM_KBest)
    ->Apply(pruned)
    ->Args({40, 0, 0})
    ->Args({40, 0, 4})
    ->ArgNames({"n", "heads", "order"});
BENCHMARK(BM_Layout)->Apply(dense)->Apply(pruned)->ArgNames({"n", "heads", "order"});
BENCHMARK(BM_Best)->Name("BM_Growth")->Apply(growth)->ArgNames({"n", "heads", "order"});

}  // namespace
}  // namespace copse
