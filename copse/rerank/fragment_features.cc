#include "copse/rerank/fragment_features.h"

#include <algorithm>
#include <map>

#include "copse/base/error.h"
#include "copse/rerank/kernel_reranker.h"
#include "copse/rerank/tree_kernel_kind.h"

namespace copse {
namespace {

// The model behind a reranker whose score is a sum over fragments; nothing for others.
const KernelModel<TreeKernelKind>* fragment_model(const Reranker& reranker) {
  const auto* trees = dynamic_cast<const KernelReranker<TreeKernelKind>*>(&reranker);
  return trees && !trees->model().voted ? &trees->model() : nullptr;
}

const KernelModel<TreeKernelKind>& require_fragments(const Reranker& reranker) {
  const auto* model = fragment_model(reranker);
  if (!model) throw usage_error("only an averaged reranker by the tree kernel has fragments");
  return *model;
}

}  // namespace

std::optional<std::vector<ReasonPair>> fragment_reasons(const Reranker& reranker,
                                                        const Candidates& list, std::size_t chosen,
                                                        std::size_t other, std::size_t count) {
  const auto* model = fragment_model(reranker);
  // With the normalised kernel each tree's fragments have another divisor.
  if (!model || model->options.normalised) return std::nullopt;
  const TreeForest trees = TreeKernelKind::make(list, model->vocabulary);
  const FragmentMatcher matcher(
      moving_fragments(model->sum.trees(), model->vocabulary, trees, chosen, other, count));
  const auto found = matcher.find(trees);
  const auto occurrences = [&](std::size_t candidate, std::uint32_t fragment) {
    return static_cast<double>(std::ranges::count(found[candidate], fragment));
  };
  std::vector<ReasonPair> result;
  for (std::uint32_t f = 0; f < matcher.fragments().size(); ++f) {
    const Fragment& fragment = matcher.fragments()[f];
    result.push_back({fragment_text(fragment, model->vocabulary),
                      fragment.weight * occurrences(chosen, f),
                      fragment.weight * occurrences(other, f)});
  }
  const auto base = [&](std::size_t candidate) {
    return model->beta * model->base_weight * list.items[candidate].log_probability;
  };
  result.push_back({std::string(kLogProbabilityReason), base(chosen), base(other)});
  const std::vector<double> scores = reranker.scores(list);
  ReasonPair rest{"all other fragments", scores[chosen], scores[other]};
  for (const ReasonPair& pair : result) {
    rest.chosen -= pair.chosen;
    rest.other -= pair.other;
  }
  result.push_back(rest);
  return result;
}

std::vector<Fragment> fragments_of_model(const Reranker& reranker, std::size_t count) {
  const auto& model = require_fragments(reranker);
  return heaviest_fragments(model.sum.trees(), model.vocabulary, count);
}

std::vector<Reason> heaviest_reasons(const Reranker& reranker, std::size_t count) {
  const auto& model = require_fragments(reranker);
  std::vector<Reason> result;
  for (const Fragment& fragment : fragments_of_model(reranker, count)) {
    result.push_back({fragment_text(fragment, model.vocabulary), 1, fragment.weight});
  }
  return result;
}

FragmentFeatures::FragmentFeatures(const Reranker& reranker, std::size_t count)
    : productions_(&require_fragments(reranker).vocabulary),
      matcher_(fragments_of_model(reranker, count)) {
  for (const Fragment& fragment : matcher_.fragments()) {
    std::string name = fragment_text(fragment, *productions_);
    std::ranges::replace(name, ' ', '_');
    names_.push_back(std::move(name));
  }
}

Candidates FragmentFeatures::with_features(Candidates&& list) const {
  const auto found = matcher_.find(TreeKernelKind::make(list, *productions_));
  Candidates result = std::move(list);
  result.names.clear();
  std::map<std::uint32_t, std::uint32_t> numbers;
  for (std::size_t j = 0; j < result.items.size(); ++j) {
    std::map<std::uint32_t, double> counts;
    for (const std::uint32_t fragment : found[j]) {
      const auto [at, added] =
          numbers.try_emplace(fragment, static_cast<std::uint32_t>(result.names.size()));
      if (added) result.names.push_back(names_[fragment]);
      ++counts[at->second];
    }
    result.items[j].features.clear();
    for (const auto& [name, count] : counts) result.items[j].features.push_back({name, count});
  }
  return result;
}

}  // namespace copse
