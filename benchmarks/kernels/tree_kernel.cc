// Kernel evaluations per second on one core: bench_tree_kernel TREES [LAMBDA].
//
// An evaluation is K(x, y) of two trees, as the "kernel evaluations" of SVM-light-TK count it: a
// row of the kernel matrix of n trees is n of them. Three ways, the same values: the double loop of
// the definition, a pair at a time by sorted productions (what SVM-light-TK does), and a row at a
// time with shared sub-trees. Times are of the processor, not of the clock on the wall.
#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <ctime>

#include "copse/rerank/kernel_rows.h"
#include "copse/rerank/tree_kernel.h"
#include "copse/treebank/clean.h"
#include "copse/treebank/treebank.h"

namespace {

using namespace copse;

double seconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// The definition: every node with every node.
double naive(const TreeForest& x, const TreeForest& y, double lambda, std::vector<double>& common) {
  common.assign(x.nodes() * y.nodes(), 0.0);
  std::vector<double> count_x(x.nodes(), 0.0), count_y(y.nodes(), 0.0);
  for (const auto node : x.nodes_of(0)) ++count_x[node];
  for (const auto node : y.nodes_of(0)) ++count_y[node];
  double sum = 0;
  for (std::size_t a = 0; a < x.nodes(); ++a) {
    for (std::size_t b = 0; b < y.nodes(); ++b) {
      if (x.production[a] != y.production[b]) continue;
      double value = lambda;
      for (std::size_t c = 0; c < x.children(a).size(); ++c) {
        value *= 1 + common[x.children(a)[c] * y.nodes() + y.children(b)[c]];
      }
      common[a * y.nodes() + b] = value;
      sum += count_x[a] * count_y[b] * value;
    }
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: bench_tree_kernel TREES [LAMBDA]\n");
    return 2;
  }
  const double lambda = argc > 2 ? std::atof(argv[2]) : 0.3;
  Productions productions;
  std::vector<TreeForest> lists;
  std::vector<KernelTree> trees;
  std::size_t nodes = 0;
  for (const Entry& entry : read_treebank(argv[1], Format::ptb)) {
    const PhraseTree tree = clean(entry.tree).tree;
    if (tree.empty()) continue;
    TreeListBuilder builder(productions);
    builder.add(tree);
    lists.push_back(builder.finish());
    trees.emplace_back(lists.back(), 0);
    nodes += static_cast<std::size_t>(tree.size());
  }
  const auto n = lists.size();
  fmt::print("{} trees, {:.1f} nodes each, lambda {}\n", n,
             static_cast<double>(nodes) / static_cast<double>(n), lambda);

  double start = seconds();
  const KernelRows rows(lists, lambda);
  fmt::print("index of the rows: {:.2f} s\n", seconds() - start);

  KernelRows::Scratch scratch;
  TreeKernelScratch pair;
  std::vector<double> row(n), common;
  // The same values first.
  double worst = 0;
  for (std::size_t i = 0; i < n; i += n / 7 + 1) {
    rows.row(lists[i], 0, row, scratch);
    for (std::size_t j = 0; j < n; ++j) {
      const double expected = tree_kernel(trees[i], trees[j], lambda, pair);
      worst = std::max(worst, std::abs(row[j] - expected) / expected);
      if (j % 97 == 0) {
        worst = std::max(worst,
                         std::abs(naive(lists[i], lists[j], lambda, common) - expected) / expected);
      }
    }
  }
  fmt::print("largest relative difference of the three: {:.1e}\n", worst);

  const auto report = [&](const char* name, std::size_t some, double used, double sum) {
    fmt::print("{:<44} {:>8.3f} million/s   (checksum {:.6e})\n", name,
               static_cast<double>(some * n) / used / 1e6, sum);
  };
  double sum = 0;
  start = seconds();
  const std::size_t few = std::max<std::size_t>(1, n / 100),
                    some = std::max<std::size_t>(1, n / 10);
  for (std::size_t i = 0; i < few; ++i) {
    for (std::size_t j = 0; j < n; ++j) sum += naive(lists[i], lists[j], lambda, common);
  }
  report("all pairs of nodes", few, seconds() - start, sum);
  sum = 0;
  start = seconds();
  for (std::size_t i = 0; i < some; ++i) {
    for (std::size_t j = 0; j < n; ++j) sum += tree_kernel(trees[i], trees[j], lambda, pair);
  }
  report("a pair at a time, by sorted productions", some, seconds() - start, sum);
  sum = 0;
  start = seconds();
  for (std::size_t i = 0; i < n; ++i) {
    rows.row(lists[i], 0, row, scratch);
    for (const double value : row) sum += value;
  }
  report("a row at a time, sub-trees shared", n, seconds() - start, sum);
  return 0;
}
