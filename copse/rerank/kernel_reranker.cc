#include "copse/rerank/kernel_reranker.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "copse/base/error.h"
#include "copse/rerank/kernel_reasons.h"
#include "copse/rerank/tree_kernel.h"

namespace copse {
namespace {

std::vector<double> base_of(const Candidates& list) {
  std::vector<double> base;
  for (const Candidate& candidate : list.items) base.push_back(candidate.log_probability);
  return base;
}

template <class Kind>
std::vector<double> votes(const KernelModel<Kind>& model, const typename Kind::List& list,
                          std::span<const double> base, std::span<const double> scales,
                          typename Kind::Sum::Scratch& scratch) {
  std::vector<double> changes = model.sum.score_updates(list, scratch);
  Voter voter(base, model.beta);
  voter.begin_chunk(model.silent_steps);
  for (std::size_t m = 0; m < model.voters.size(); ++m) {
    const VotedUpdate& update = model.voters[m];
    if (update.chunk > 0) voter.begin_chunk(update.chunk - 1);
    const auto change = std::span(changes).subspan(m * list.size(), list.size());
    for (std::size_t j = 0; j < scales.size(); ++j) change[j] *= scales[j];
    voter.update(change, update.base_weight, update.survival);
  }
  return {voter.votes().begin(), voter.votes().end()};
}

double number(const ModelFile& file, const char* name, double least, double most) {
  const auto at = file.config().find(name);
  if (at == file.config().end() || !at->is_number()) {
    throw file.damaged("config", fmt::format("has no number \"{}\"", name));
  }
  const auto value = at->get<double>();
  if (!(value >= least && value <= most)) {
    throw file.damaged("config", fmt::format("has a \"{}\" of {}", name, value));
  }
  return value;
}

bool flag(const ModelFile& file, const char* name) {
  const auto at = file.config().find(name);
  if (at == file.config().end() || !at->is_boolean()) {
    throw file.damaged("config", fmt::format("does not say \"{}\"", name));
  }
  return at->get<bool>();
}

}  // namespace

template <class Kind>
std::vector<double> kernel_scores(const KernelModel<Kind>& model, const typename Kind::List& list,
                                  std::span<const double> base,
                                  typename Kind::Sum::Scratch& scratch) {
  const std::vector<double> scales = kernel_scales<Kind>(list, model.options);
  if (model.voted) return votes(model, list, base, scales, scratch);
  std::vector<double> scores(list.size(), 0.0);
  model.sum.score(list, scores, scratch);
  for (std::size_t j = 0; j < scores.size(); ++j) {
    if (!scales.empty()) scores[j] *= scales[j];
    scores[j] += model.beta * model.base_weight * base[j];
    if (!std::isfinite(scores[j])) {
      throw data_error("the sum of kernels is larger than a double can hold", {},
                       "choose a smaller lambda, or the normalised kernel");
    }
  }
  return scores;
}

template <class Kind>
std::vector<double> KernelReranker<Kind>::scores(const Candidates& list) const {
  const auto scratch = scratch_.take();
  return kernel_scores<Kind>(model_, Kind::make(list, model_.vocabulary), base_of(list), *scratch);
}

template <class Kind>
std::vector<Reason> KernelReranker<Kind>::reasons(const Candidates& list,
                                                  std::size_t candidate) const {
  if (model_.voted) return {{"votes", 1, scores(list)[candidate]}};
  const auto converted = Kind::make(list, model_.vocabulary);
  std::vector<Reason> reasons =
      kernel_reasons(model_.sum, converted, model_.vocabulary, list, candidate);
  const std::vector<double> scales = kernel_scales<Kind>(converted, model_.options);
  if (!scales.empty()) {
    for (Reason& reason : reasons) reason.share *= scales[candidate];
  }
  const double base = list.items[candidate].log_probability;
  reasons.insert(reasons.begin(), {std::string(kLogProbabilityReason), base,
                                   model_.beta * model_.base_weight * base});
  return reasons;
}

template <class Kind>
ModelWriter KernelReranker<Kind>::save(nlohmann::json config) const {
  config["method"] = Kind::kMethod;
  config["lambda"] = model_.options.lambda;
  config["normalised"] = model_.options.normalised;
  config["word_similarity"] = model_.options.tags.word;
  config["shape_similarity"] = model_.options.tags.shape;
  config["run_weight"] = "lambda^(length-1)";
  config["beta"] = model_.beta;
  config["base_weight"] = model_.base_weight;
  config["voted"] = model_.voted;
  config["silent_steps"] = model_.silent_steps;
  ModelWriter writer(kRerankerKind, config);
  Kind::save(model_.vocabulary, writer);
  model_.sum.save(writer);
  if (model_.voted) {
    std::vector<double> base;
    std::vector<std::uint64_t> survival, chunk;
    for (const VotedUpdate& update : model_.voters) {
      base.push_back(update.base_weight);
      survival.push_back(update.survival);
      chunk.push_back(update.chunk);
    }
    writer.add_array<double>("voter-base", base);
    writer.add_array<std::uint64_t>("voter-survival", survival);
    writer.add_array<std::uint64_t>("voter-chunk", chunk);
  }
  return writer;
}

template <class Kind>
std::unique_ptr<Reranker> KernelReranker<Kind>::load(const ModelFile& file) {
  constexpr double kMost = 1e300;
  KernelOptions options;
  options.lambda = number(file, "lambda", 0, 1);
  options.normalised = flag(file, "normalised");
  options.tags.word = number(file, "word_similarity", 0, kMost);
  options.tags.shape = number(file, "shape_similarity", 0, kMost);
  const bool voted = flag(file, "voted");
  typename Kind::Vocabulary vocabulary = Kind::load_vocabulary(file);
  typename Kind::Sum sum = Kind::Sum::load(file, options, voted, vocabulary);
  KernelModel<Kind> model{options,
                          number(file, "beta", 0, kMost),
                          std::move(vocabulary),
                          std::move(sum),
                          number(file, "base_weight", -kMost, kMost),
                          voted,
                          {},
                          0};
  if (voted) {
    constexpr double kSteps = 9e15;
    model.silent_steps = static_cast<std::uint64_t>(number(file, "silent_steps", 0, kSteps));
    const auto base = file.array<double>("voter-base");
    const auto survival = file.array<std::uint64_t>("voter-survival");
    const auto chunk = file.array<std::uint64_t>("voter-chunk");
    if (base.size() != model.sum.updates() || survival.size() != base.size() ||
        chunk.size() != base.size()) {
      throw file.damaged("voter-base", "does not fit the updates");
    }
    for (std::size_t m = 0; m < base.size(); ++m) {
      if (!std::isfinite(base[m])) throw file.damaged("voter-base", "has a weight that is none");
      model.voters.push_back({base[m], survival[m], chunk[m]});
    }
  }
  return std::make_unique<KernelReranker>(std::move(model));
}

template class KernelReranker<TreeKernelKind>;
template class KernelReranker<TagKernelKind>;
template class KernelReranker<LinearKernelKind>;
template std::vector<double> kernel_scores(const KernelModel<TreeKernelKind>&, const TreeForest&,
                                           std::span<const double>, MergedTrees::Scratch&);
template std::vector<double> kernel_scores(const KernelModel<TagKernelKind>&, const TagList&,
                                           std::span<const double>, MergedTags::Scratch&);
template std::vector<double> kernel_scores(const KernelModel<LinearKernelKind>&,
                                           const LinearKernelKind::List&, std::span<const double>,
                                           LinearKernelKind::Sum::Scratch&);

std::unique_ptr<Reranker> load_kernel_reranker(const ModelFile& file, std::string_view method) {
  if (method == TreeKernelKind::kMethod) return KernelReranker<TreeKernelKind>::load(file);
  if (method == TagKernelKind::kMethod) return KernelReranker<TagKernelKind>::load(file);
  if (method == LinearKernelKind::kMethod) return KernelReranker<LinearKernelKind>::load(file);
  return nullptr;
}

}  // namespace copse
