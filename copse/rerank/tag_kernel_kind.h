// The tagging kernel for kernel_training.h and kernel_reranker.h.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "copse/model/model_file.h"
#include "copse/rerank/tagging_kernel.h"

namespace copse {

struct TagKernelKind {
  static constexpr std::string_view kMethod = "tag-kernel";

  using List = TagList;
  using Vocabulary = TagVocabulary;

  class Sum {
   public:
    using Scratch = MergedTags::Scratch;

    Sum(const KernelOptions& options, bool /*updates*/) : tags_(options.lambda, options.tags) {}

    void add(const List& list, std::span<const RankingCoefficient> coefficients,
             std::span<const double> scales) {
      tags_.add(list, coefficients, scales);
    }
    void score(const List& list, std::span<double> out, Scratch& scratch) const {
      tags_.score(list, out, scratch);
    }
    std::vector<double> score_updates(const List& list, Scratch& scratch) const {
      return tags_.score_updates(list, scratch);
    }
    std::size_t updates() const { return tags_.updates(); }
    void scale_weights(double factor) { tags_.scale_weights(factor); }
    void keep_within(double budget) { tags_.keep_within(budget); }
    std::size_t size() const { return tags_.size(); }
    const MergedTags& tags() const { return tags_; }

    void save(ModelWriter& writer) const;
    static Sum load(const ModelFile& file, const KernelOptions& options, bool updates,
                    const Vocabulary& vocabulary);

   private:
    MergedTags tags_;
  };

  static Vocabulary vocabulary(const KernelOptions& /*options*/) { return {}; }
  static List make(const Candidates& list, Vocabulary& vocabulary) {
    return make_tag_list(list, vocabulary);
  }
  static List make(const Candidates& list, const Vocabulary& vocabulary) {
    return make_tag_list(list, vocabulary);
  }
  static std::vector<double> self(const List& list, const KernelOptions& options);
  static double squared_norm(const List& list, std::span<const RankingCoefficient> coefficients,
                             std::span<const double> scales, const KernelOptions& options);

  static void save(const Vocabulary& vocabulary, ModelWriter& writer);
  static Vocabulary load_vocabulary(const ModelFile& file);
};

}  // namespace copse
