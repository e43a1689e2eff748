// The tree kernel for kernel_training.h and kernel_reranker.h.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "copse/model/model_file.h"
#include "copse/rerank/kernel_options.h"
#include "copse/rerank/merged_trees.h"
#include "copse/rerank/tree_kernel.h"
#include "copse/rerank/tree_list.h"
#include "copse/rerank/tree_views.h"
#include "copse/treebank/candidates.h"

namespace copse {

// Productions of the views of parses.
struct TreeVocabulary : Productions {
  TreeViews views;
};

struct TreeKernelKind {
  static constexpr std::string_view kMethod = "tree-kernel";

  using List = TreeForest;
  using Vocabulary = TreeVocabulary;

  // A sum of kernels; with `updates` each one can be asked for by itself.
  class Sum {
   public:
    using Scratch = MergedTrees::Scratch;

    Sum(const KernelOptions& options, bool updates) : trees_(options.lambda), keeps_(updates) {}

    void add(const List& list, std::span<const RankingCoefficient> coefficients,
             std::span<const double> scales);
    void score(const List& list, std::span<double> out, Scratch& scratch) const {
      trees_.score(list, out, scratch);
    }
    // Row m: what update m adds to each candidate's score.
    std::vector<double> score_updates(const List& list, Scratch& scratch) const;
    std::size_t updates() const { return ends_.size(); }
    void scale_weights(double factor) { trees_.scale_weights(factor); }
    void keep_within(double budget) { trees_ = trees_.within_budget(budget); }
    std::size_t size() const { return trees_.weighted_nodes(); }
    const MergedTrees& trees() const { return trees_; }

    void save(ModelWriter& writer) const;
    static Sum load(const ModelFile& file, const KernelOptions& options, bool updates,
                    const Vocabulary& vocabulary);

   private:
    MergedTrees trees_;
    bool keeps_;
    std::vector<NodeWeight> changes_;
    std::vector<std::uint64_t> ends_;
  };

  // An empty one.
  static Vocabulary vocabulary(const KernelOptions& options);
  // Throws data_error for candidates that are no trees.
  static List make(const Candidates& list, Vocabulary& vocabulary);
  static List make(const Candidates& list, const Vocabulary& vocabulary);
  // K(x_j, x_j) of each candidate.
  static std::vector<double> self(const List& list, const KernelOptions& options) {
    return ListKernels(list, options.lambda).self();
  }
  // |sum_j c_j scale_j h(x_j)|^2
  static double squared_norm(const List& list, std::span<const RankingCoefficient> coefficients,
                             std::span<const double> scales, const KernelOptions& options);

  static void save(const Vocabulary& vocabulary, ModelWriter& writer);
  static Vocabulary load_vocabulary(const ModelFile& file);
};

}  // namespace copse
