// A linear reranker: the weighted log probability of the candidate and the weights of its features,
//
//   F(x) = a0 L(x) + sum over features k of x of a_k
//
// The model of boosting, log-linear and perceptron reranking alike; they differ in how the weights
// are found. Features without a weight are not kept: a model of thousands of features is one that
// can be read.
#pragma once

#include <tsl/robin_map.h>

#include <nlohmann/json_fwd.hpp>

#include "copse/rerank/list_features.h"
#include "copse/rerank/reranker.h"

namespace copse {

struct WeightedFeature {
  std::string name;         // without "xN"
  FeatureKey key = 0;       // of the name
  std::uint32_t times = 1;  // for candidates that have it at least so often
  double weight = 0;
};

class LinearReranker : public Reranker {
 public:
  // Throws data_error unless (key, times) differ and the weights are finite.
  LinearReranker(std::string method, double log_probability_weight,
                 std::vector<WeightedFeature> features,
                 std::shared_ptr<const FeatureSource> source);

  static bool knows(std::string_view method);
  static LinearReranker load(const ModelFile& file);
  // `config` is an object with what else the owner wants to be kept.
  ModelWriter save(nlohmann::json config) const;

  std::string_view method() const override { return method_; }
  std::vector<double> scores(const Candidates& list) const override;
  std::vector<Reason> reasons(const Candidates& list, std::size_t candidate) const override;

  double log_probability_weight() const { return log_probability_weight_; }
  // By falling magnitude of the weight.
  std::span<const WeightedFeature> features() const { return features_; }
  const FeatureSource& source() const { return *source_; }

 private:
  // The weights of one name, by rising times: `begin` to `end` of by_key_.
  struct Range {
    std::uint32_t begin = 0, end = 0;
  };
  std::span<const std::uint32_t> entries(FeatureKey key) const;
  ListFeatures extract(const Candidates& list) const;

  std::string method_;
  double log_probability_weight_;
  std::vector<WeightedFeature> features_;
  std::vector<std::uint32_t> by_key_;  // features_ sorted by key and times
  std::shared_ptr<const FeatureSource> source_;
  tsl::robin_map<FeatureKey, Range> ranges_;
};

}  // namespace copse
