// The linear kernel, the inner product of the features that stand in a list, for kernel_training.h
// and kernel_reranker.h. Its sum is one weight per feature: the primal form of the perceptron.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "copse/base/symbols.h"
#include "copse/learning/dual_perceptron.h"
#include "copse/model/model_file.h"
#include "copse/rerank/kernel_options.h"
#include "copse/treebank/candidates.h"

namespace copse {

struct LinearKernelKind {
  static constexpr std::string_view kMethod = "linear-kernel";

  struct List {
    std::vector<SparseEntry> entries;  // names are of the vocabulary
    std::vector<std::size_t> begin = {0};

    std::size_t size() const { return begin.size() - 1; }
    std::span<const SparseEntry> of(std::size_t candidate) const {
      return std::span(entries).subspan(begin[candidate], begin[candidate + 1] - begin[candidate]);
    }
  };
  using Vocabulary = Symbols;

  class Sum {
   public:
    struct Scratch {};

    Sum(const KernelOptions& /*options*/, bool updates) : keeps_(updates) {}

    void add(const List& list, std::span<const RankingCoefficient> coefficients,
             std::span<const double> scales);
    void score(const List& list, std::span<double> out, Scratch& scratch) const;
    std::vector<double> score_updates(const List& list, Scratch& scratch) const;
    std::size_t updates() const { return ends_.size(); }
    void scale_weights(double factor) {
      for (double& weight : weights_) weight *= factor;
    }
    void keep_within(double budget);
    std::size_t size() const;
    double weight(std::uint32_t feature) const {
      return feature < weights_.size() ? weights_[feature] : 0.0;
    }

    void save(ModelWriter& writer) const;
    static Sum load(const ModelFile& file, const KernelOptions& options, bool updates,
                    const Vocabulary& vocabulary);

   private:
    std::vector<double> weights_;
    bool keeps_;
    std::vector<SparseEntry> changes_;
    std::vector<std::uint64_t> ends_;
  };

  static Vocabulary vocabulary(const KernelOptions& /*options*/) { return {}; }
  static List make(const Candidates& list, Vocabulary& vocabulary);
  static List make(const Candidates& list, const Vocabulary& vocabulary);
  static std::vector<double> self(const List& list, const KernelOptions& options);
  static double squared_norm(const List& list, std::span<const RankingCoefficient> coefficients,
                             std::span<const double> scales, const KernelOptions& options);

  static void save(const Vocabulary& vocabulary, ModelWriter& writer);
  static Vocabulary load_vocabulary(const ModelFile& file);
};

}  // namespace copse
