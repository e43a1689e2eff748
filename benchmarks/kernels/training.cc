// The merged model against the plain sum of kernels: bench_kernel_training LISTS GOLD [COUNT [LAMBDA]].
//
// One pass of the dual perceptron over the first COUNT lists, 27 candidates each, with every mistake
// kept as a kernel with its two trees, and with all of them as one table of sub-trees. Both must make
// the same mistakes. Times are of the processor; reading apart.
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>

#include "copse/learning/dual_perceptron.h"
#include "copse/rerank/graded_lists.h"
#include "copse/rerank/tree_kernel.h"
#include "copse/rerank/tree_kernel_kind.h"

namespace {

using namespace copse;

constexpr std::size_t kCandidates = 27;

double seconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

struct Data {
  std::vector<TreeForest> lists;
  std::vector<std::vector<double>> quality, base;
  std::vector<RankedList> ranked;
};

Data read(const std::string& lists, const std::string& gold, std::size_t count) {
  Data data;
  GradedLists reader(
      {.lists = lists, .gold = gold, .role = "train", .max_candidates = kCandidates});
  TreeVocabulary vocabulary;
  while (data.lists.size() < count) {
    auto item = reader.next();
    if (!item) break;
    const Candidates list = reader.graded(std::move(*item));
    data.lists.push_back(TreeKernelKind::make(list, vocabulary));
    auto& quality = data.quality.emplace_back();
    auto& base = data.base.emplace_back();
    for (const Candidate& candidate : list.items) {
      quality.push_back(*candidate.score);
      base.push_back(candidate.log_probability);
    }
  }
  for (std::size_t i = 0; i < data.lists.size(); ++i) {
    data.ranked.push_back({data.quality[i], data.base[i]});
  }
  return data;
}

class Merged : public RankingExpansion {
 public:
  Merged(const Data& data, double lambda) : data_(data), trees_(lambda) {}
  void scores(std::size_t list, std::span<double> out) override {
    trees_.score(data_.lists[list], out, scratch_);
  }
  void add(std::size_t list, std::span<const RankingCoefficient> coefficients) override {
    trees_.add(data_.lists[list], coefficients);
  }
  double squared_norm(std::size_t, std::span<const RankingCoefficient>) override { return 0; }

 private:
  const Data& data_;
  MergedTrees trees_;
  MergedTrees::Scratch scratch_;
};

RankingRun timed(const char* name, const Data& data, RankingExpansion& expansion, double& used) {
  const double start = seconds();
  RankingRun run = train_dual_perceptron(data.ranked, 0, data.lists.size(), expansion, {});
  used = seconds() - start;
  fmt::print("{:<24} {:>10.2f} s, {} mistakes\n", name, used, run.updates.size());
  return run;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: bench_kernel_training LISTS GOLD [COUNT [LAMBDA]]\n");
    return 2;
  }
  const auto count = static_cast<std::size_t>(argc > 3 ? std::atol(argv[3]) : 1000);
  const double lambda = argc > 4 ? std::atof(argv[4]) : 0.3;
  const Data data = read(argv[1], argv[2], count);
  std::vector<std::vector<KernelTree>> trees;
  for (const TreeForest& list : data.lists) {
    auto& candidates = trees.emplace_back();
    for (std::size_t j = 0; j < list.size(); ++j) candidates.emplace_back(list, j);
  }
  fmt::print("{} lists, {} candidates at most, lambda {}\n", data.lists.size(), kCandidates,
             lambda);
  TreeKernelScratch scratch;
  const auto kernel = [&](std::size_t i, std::size_t j, std::size_t k, std::size_t l) {
    return tree_kernel(trees[i][j], trees[k][l], lambda, scratch);
  };
  double merged_time = 0, plain_time = 0;
  Merged merged(data, lambda);
  const RankingRun fast = timed("one table of sub-trees", data, merged, merged_time);
  SumOfKernels plain(kernel);
  const RankingRun slow = timed("plain sum of kernels", data, plain, plain_time);
  if (!std::ranges::equal(fast.coefficients, slow.coefficients)) {
    fmt::print(stderr, "the two made other mistakes\n");
    return 1;
  }
  fmt::print("the same mistakes; {:.1f} times as fast\n", plain_time / merged_time);
  return 0;
}
