#include "copse/rerank/hidden/hidden_reranker.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "copse/base/error.h"
#include "copse/model/settings.h"
#include "copse/rerank/hidden/objective.h"

namespace copse::hidden {
namespace {

constexpr float kLargestWeight = 1e6F;

// Features of whole candidates lie in a model of their own.
constexpr std::string_view kWhole = "whole";

std::shared_ptr<const FeatureSource> load_whole(const ModelFile& file) {
  if (!file.has(kWhole)) return nullptr;
  const ModelFile inner = file.nested(kWhole);
  return load_feature_source(inner, Settings(inner, "config", inner.config()).text("features"));
}

void save_whole(const FeatureSource& whole, ModelWriter& writer) {
  ModelWriter inner(kRerankerKind, {{"features", whole.name()}});
  whole.save(inner);
  writer.add(kWhole, inner.bytes());
}

std::shared_ptr<const Setting> load_setting(const ModelFile& file) {
  const Settings settings(file, "config", file.config());
  DomainOptions domain;
  try {
    domain.kind = domain_kind(settings.text("domain"));
    domain.values = settings.whole("values", 0, kLargestFamily);
    domain.min_count = settings.whole("min_count", 1, 1'000'000'000);
    domain.prefix = settings.whole("prefix", 0, 1'000);
    return std::make_shared<const Setting>(Domains(domain, Domains::load(file, domain.kind)),
                                           std::string(file.text("templates")), file.name(),
                                           HeadRules::parse(file.text("heads"), file.name()),
                                           graph_kind(settings.text("graph")), load_whole(file));
  } catch (const Error& error) {
    if (!error.place().file.empty()) throw;
    throw file.damaged("config", "cannot be used: " + error.message());
  }
}

std::shared_ptr<const Blocks> load_blocks(const ModelFile& file) {
  const auto keys = file.array<FeatureKey>("keys");
  const auto rows = file.array<std::uint8_t>("rows");
  const auto columns = file.array<std::uint8_t>("columns");
  if (rows.size() != keys.size() || columns.size() != keys.size()) {
    throw file.damaged("keys", "has another number of features than their sizes");
  }
  auto blocks = std::make_shared<Blocks>();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (rows[i] == 0 || columns[i] == 0 || rows[i] > kLargestFamily ||
        columns[i] > kLargestFamily) {
      throw file.damaged("rows", "has a feature without values, or with too many");
    }
    if (!blocks->add(keys[i], rows[i], columns[i])) {
      throw file.damaged("keys", "has a feature twice");
    }
  }
  return blocks;
}

}  // namespace

Setting::Setting(Domains given_domains, std::string given_table, const std::string& table_name,
                 HeadRules given_heads, GraphKind given_graph,
                 std::shared_ptr<const FeatureSource> given_whole)
    : domains(std::move(given_domains)),
      table(std::move(given_table)),
      templates(parse_hidden_templates(table, table_name)),
      heads(std::move(given_heads)),
      graph(given_graph),
      whole(std::move(given_whole)) {}

HiddenReranker::HiddenReranker(std::shared_ptr<const Setting> setting,
                               std::shared_ptr<const Blocks> blocks, std::vector<float> weights,
                               double base_weight)
    : setting_(std::move(setting)),
      blocks_(std::move(blocks)),
      weights_(std::move(weights)),
      base_weight_(base_weight) {
  if (weights_.size() != blocks_->weights()) {
    throw data_error(
        fmt::format("{} weights for features that have {}", weights_.size(), blocks_->weights()));
  }
}

std::unique_ptr<HiddenReranker> HiddenReranker::load(const ModelFile& file) {
  auto setting = load_setting(file);
  auto blocks = load_blocks(file);
  const auto weights = file.array<float>("weights");
  if (!std::all_of(weights.begin(), weights.end(),
                   [](float w) { return std::abs(w) <= kLargestWeight; })) {
    throw file.damaged("weights", "has a weight that is no number, or too large");
  }
  const double base = Settings(file, "config", file.config()).number("base_weight", -1e9, 1e9);
  if (weights.size() != blocks->weights()) {
    throw file.damaged("weights", "has another number of weights than the features");
  }
  return std::make_unique<HiddenReranker>(std::move(setting), std::move(blocks),
                                          std::vector<float>(weights.begin(), weights.end()), base);
}

ModelWriter HiddenReranker::save(nlohmann::json config) const {
  const DomainOptions& domain = setting_->domains.options();
  config["method"] = kMethod;
  config["domain"] = name_of(domain.kind);
  config["values"] = domain.values;
  config["min_count"] = domain.min_count;
  config["prefix"] = domain.prefix;
  config["graph"] = name_of(setting_->graph);
  config["base_weight"] = base_weight_;
  ModelWriter writer(kRerankerKind, config);
  writer.add("templates", setting_->table);
  writer.add("heads", setting_->heads.str());
  setting_->domains.save(writer);
  if (setting_->whole) save_whole(*setting_->whole, writer);
  writer.add_array<FeatureKey>("keys", blocks_->keys());
  writer.add_array<std::uint8_t>("rows", blocks_->rows());
  writer.add_array<std::uint8_t>("columns", blocks_->columns());
  writer.add_array<float>("weights", weights_);
  return writer;
}

std::vector<double> HiddenReranker::log_sums(const Candidates& list) const {
  ListWork work;
  sum_candidates(make_hidden_list(setting_->extraction(), list, blocks_->finder()),
                 std::span<const float>(weights_), 1.0, work);
  return work.log_sums;
}

std::vector<double> HiddenReranker::scores(const Candidates& list) const {
  std::vector<double> base;
  for (const Candidate& candidate : list.items) base.push_back(candidate.log_probability);
  return log_probabilities(log_sums(list), base, base_weight_);
}

std::vector<Reason> HiddenReranker::reasons(const Candidates& list, std::size_t candidate) const {
  const double log_probability = list.items[candidate].log_probability;
  const std::vector<double> all = scores(list);
  std::vector<Reason> reasons = {
      {std::string(kLogProbabilityReason), log_probability, base_weight_ * log_probability}};
  const NamedCandidate named =
      name_candidate(setting_->extraction(), list, candidate, blocks_->finder());
  ListWork work;
  sum_candidates(named.list, std::span<const float>(weights_), 1.0, work);
  const double one[1] = {1};
  work.propagation.down(one, work.slopes);
  std::map<std::string, Reason> by_name;
  double expected = 0;
  std::size_t number = 0;
  named.list.for_each_segment([&](std::uint32_t t, const HiddenList::Segment& segment,
                                  std::span<const std::uint32_t> blocks) {
    const Potentials::Shape& shape = work.potentials.shape(t);
    for (const std::uint32_t block : blocks) {
      double share = 0, count = 0;
      for (std::size_t r = 0; r < segment.rows; ++r) {
        for (std::size_t c = 0; c < segment.columns; ++c) {
          const double p =
              work.slopes[shape.begin + (segment.row + r) * shape.columns + segment.column + c];
          share += p * double{weights_[block + r * segment.columns + c]};
          count += p;
        }
      }
      Reason& reason = by_name[named.blocks[number++].name];
      reason.value = (reason.name.empty() ? 0 : reason.value) + count;
      reason.name = "hidden";
      reason.share += share;
      expected += share;
    }
  });
  for (auto& [name, reason] : by_name) {
    reason.name = name;
    reasons.push_back(reason);
  }
  // log Z = expected score + entropy.
  reasons.push_back({"entropy of the hidden values", 1, work.log_sums[0] - expected});
  reasons.push_back(
      {"sum over the list", 1, all[candidate] - work.log_sums[0] - base_weight_ * log_probability});
  return reasons;
}

std::vector<WordValue> HiddenReranker::values(const Candidates& list, std::size_t candidate) const {
  const NamedCandidate named =
      name_candidate(setting_->extraction(), list, candidate, blocks_->finder());
  ListWork work;
  sum_candidates(named.list, std::span<const float>(weights_), 1.0, work);
  const double one[1] = {1};
  work.propagation.down(one, work.slopes);
  const auto best = BeliefPropagation::best(named.list.graph, work.potentials, 0);
  Contexts contexts(setting_->heads, setting_->graph);
  contexts.set(list, list.items[candidate]);
  std::vector<WordValue> result(contexts.words());
  for (const auto& [node, value] : best.values) {
    const std::uint32_t w = named.word_of[node];
    if (w == NamedCandidate::kNoWord) continue;
    const std::uint32_t table = named.list.graph.nodes[node].single;
    result[w] = {std::string(contexts.word(w).form), std::string(contexts.word(w).tag),
                 named.values[w][value], work.slopes[work.potentials.shape(table).begin + value]};
  }
  return result;
}

}  // namespace copse::hidden
