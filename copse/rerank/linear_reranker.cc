#include "copse/rerank/linear_reranker.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "copse/base/error.h"

namespace copse {
namespace {

constexpr std::array<std::string_view, 4> kMethods = {"boost", "logboost", "loglinear",
                                                      "perceptron"};

double finite_number(const ModelFile& file, const char* name) {
  const auto at = file.config().find(name);
  if (at == file.config().end() || !at->is_number() || !std::isfinite(at->get<double>())) {
    throw file.damaged("config", fmt::format("has no number \"{}\"", name));
  }
  return at->get<double>();
}

std::string text(const ModelFile& file, const char* name) {
  const auto at = file.config().find(name);
  if (at == file.config().end() || !at->is_string()) {
    throw file.damaged("config", fmt::format("has no text \"{}\"", name));
  }
  return at->get<std::string>();
}

template <class T>
std::vector<T> column(const std::vector<WeightedFeature>& features, T WeightedFeature::*field) {
  std::vector<T> values;
  values.reserve(features.size());
  for (const WeightedFeature& feature : features) values.push_back(feature.*field);
  return values;
}

}  // namespace

bool LinearReranker::knows(std::string_view method) {
  return std::find(kMethods.begin(), kMethods.end(), method) != kMethods.end();
}

LinearReranker::LinearReranker(std::string method, double log_probability_weight,
                               std::vector<WeightedFeature> features,
                               std::shared_ptr<const FeatureSource> source)
    : method_(std::move(method)),
      log_probability_weight_(log_probability_weight),
      features_(std::move(features)),
      by_key_(features_.size()),
      source_(std::move(source)) {
  std::stable_sort(features_.begin(), features_.end(),
                   [](const WeightedFeature& a, const WeightedFeature& b) {
                     return std::abs(a.weight) > std::abs(b.weight);
                   });
  std::iota(by_key_.begin(), by_key_.end(), 0U);
  const auto place = [&](std::uint32_t i) {
    return std::pair(features_[i].key, features_[i].times);
  };
  std::sort(by_key_.begin(), by_key_.end(),
            [&](std::uint32_t a, std::uint32_t b) { return place(a) < place(b); });
  for (std::uint32_t i = 0; i < by_key_.size(); ++i) {
    const WeightedFeature& feature = features_[by_key_[i]];
    if (!std::isfinite(feature.weight) || feature.times == 0 ||
        (i > 0 && place(by_key_[i - 1]) == place(by_key_[i]))) {
      throw data_error(
          fmt::format("the feature \"{}\" has no finite weight, or two", feature.name));
    }
    const auto [at, first] = ranges_.emplace(feature.key, Range{i, i});
    at.value().end = i + 1;
  }
}

LinearReranker LinearReranker::load(const ModelFile& file) {
  const auto names = file.strings("names");
  const auto keys = file.array<FeatureKey>("keys");
  const auto times = file.array<std::uint32_t>("times");
  const auto weights = file.array<double>("weights");
  if (keys.size() != names.size() || times.size() != names.size() ||
      weights.size() != names.size()) {
    throw file.damaged("names", "has another number of features than the weights");
  }
  std::vector<WeightedFeature> features;
  features.reserve(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    features.push_back({names[i], keys[i], times[i], weights[i]});
  }
  try {
    return {text(file, "method"), finite_number(file, "log_probability_weight"),
            std::move(features), load_feature_source(file, text(file, "features"))};
  } catch (const Error& error) {
    if (!error.place().file.empty()) throw;
    throw file.damaged("weights", "cannot be used: " + error.message());
  }
}

ModelWriter LinearReranker::save(nlohmann::json config) const {
  config["method"] = method_;
  config["features"] = source_->name();
  config["log_probability_weight"] = log_probability_weight_;
  ModelWriter writer(kRerankerKind, config);
  writer.add_strings("names", column(features_, &WeightedFeature::name));
  writer.add_array<FeatureKey>("keys", column(features_, &WeightedFeature::key));
  writer.add_array<std::uint32_t>("times", column(features_, &WeightedFeature::times));
  writer.add_array<double>("weights", column(features_, &WeightedFeature::weight));
  source_->save(writer);
  return writer;
}

std::span<const std::uint32_t> LinearReranker::entries(FeatureKey key) const {
  const auto at = ranges_.find(key);
  if (at == ranges_.end()) return {};
  return std::span(by_key_).subspan(at->second.begin, at->second.end - at->second.begin);
}

ListFeatures LinearReranker::extract(const Candidates& list) const {
  return source_->features(list, [this](FeatureKey key) { return ranges_.count(key) > 0; });
}

std::vector<double> LinearReranker::scores(const Candidates& list) const {
  const ListFeatures features = extract(list);
  std::vector<std::span<const std::uint32_t>> weights;  // by feature of the list
  weights.reserve(features.keys.size());
  for (const FeatureKey key : features.keys) weights.push_back(entries(key));
  std::vector<double> scores;
  scores.reserve(list.items.size());
  for (std::size_t c = 0; c < list.items.size(); ++c) {
    double score = log_probability_weight_ * list.items[c].log_probability;
    for (const ListFeatures::Count& count : features.of(c)) {
      for (const std::uint32_t i : weights[count.feature]) {
        if (features_[i].times > count.times) break;
        score += features_[i].weight;
      }
    }
    scores.push_back(score);
  }
  return scores;
}

std::vector<Reason> LinearReranker::reasons(const Candidates& list, std::size_t candidate) const {
  const ListFeatures features = extract(list);
  const double log_probability = list.items[candidate].log_probability;
  std::vector<Reason> reasons = {{std::string(kLogProbabilityReason), log_probability,
                                  log_probability_weight_ * log_probability}};
  for (const ListFeatures::Count& count : features.of(candidate)) {
    for (const std::uint32_t i : entries(features.keys[count.feature])) {
      const WeightedFeature& feature = features_[i];
      if (feature.times > count.times) break;
      reasons.push_back({name_of_times(feature.name, feature.times), 1, feature.weight});
    }
  }
  return reasons;
}

}  // namespace copse
