#include "copse/constituency/generative/root_model.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <string_view>

#include "copse/base/utf8.h"
#include "copse/learning/minimise.h"

namespace copse::generative {
namespace {

constexpr int kLeastCount = 3;     // of a feature
constexpr double kVariance = 0.5;  // of the prior

// The log-likelihood of the roots, negative.
class RootProblem {
 public:
  RootProblem(std::size_t features, std::size_t roots) : features_(features), roots_(roots) {}

  void add(std::vector<std::uint32_t> features, std::size_t root) {
    examples_.push_back({std::move(features), root});
  }
  std::size_t dimension() const { return features_ * roots_; }
  std::size_t size() const { return examples_.size(); }

  template <class Add>
  double loss(std::size_t example, std::span<const double> w, Add&& add) const {
    const auto& [features, gold] = examples_[example];
    std::vector<double> score(roots_);
    for (const std::uint32_t f : features) {
      for (std::size_t x = 0; x < roots_; ++x) score[x] += w[f * roots_ + x];
    }
    const double top = *std::max_element(score.begin(), score.end());
    double sum = 0;
    for (double& s : score) sum += s = std::exp(s - top);
    for (std::size_t x = 0; x < roots_; ++x) {
      const double slope = score[x] / sum - (x == gold ? 1 : 0);
      for (const std::uint32_t f : features) add(f * roots_ + x, slope);
    }
    return std::log(sum) - std::log(score[gold]);
  }

 private:
  struct Example {
    std::vector<std::uint32_t> features;
    std::size_t root;
  };
  std::size_t features_, roots_;
  std::vector<Example> examples_;
};

}  // namespace

std::vector<std::string> root_features(const std::vector<std::string>& words) {
  std::set<std::string> features{"bias"};
  if (words.empty()) return {features.begin(), features.end()};
  features.insert("first=" + words.front());
  features.insert("last=" + words.back());
  if (words.size() > 1) {
    features.insert("two=" + words[0] + ' ' + words[1]);
    features.insert("penult=" + words[words.size() - 2]);
  }
  const auto length = static_cast<int>(std::min<std::size_t>(words.size(), 60));
  features.insert("length=" + std::to_string(length < 8 ? length : 8 + (length - 8) / 8));
  for (const std::string& word : words) features.insert("w=" + lower_utf8(word));
  return {features.begin(), features.end()};
}

RootModel::RootModel(const std::vector<PreparedTree>& trees, const LabelSet& labels) {
  std::map<std::uint16_t, double> counts;
  std::map<std::string, int> seen;
  const auto root_of = [&](const PreparedTree& tree) {
    return static_cast<std::uint16_t>(labels.phrase_index(labels.phrase(tree.tree.label(0))));
  };
  double all = 0;
  for (const PreparedTree& tree : trees) {
    if (tree.tree.is_leaf(0)) continue;
    counts[root_of(tree)] += 1;
    all += 1;
    for (const std::string& feature : root_features(tree.words)) ++seen[feature];
  }
  std::map<std::uint16_t, std::size_t> number;
  for (const auto& [root, count] : counts) {
    number[root] = roots_.size();
    roots_.push_back(root);
    log_share_.push_back(std::log(count / all));
  }
  for (const auto& [feature, count] : seen) {
    if (count >= kLeastCount) {
      features_.emplace(feature, static_cast<std::uint32_t>(features_.size()));
    }
  }
  RootProblem problem(features_.size(), roots_.size());
  for (const PreparedTree& tree : trees) {
    if (tree.tree.is_leaf(0)) continue;
    std::vector<std::uint32_t> features;
    for (const std::string& feature : root_features(tree.words)) {
      if (const auto known = features_.find(feature); known != features_.end()) {
        features.push_back(known->second);
      }
    }
    problem.add(std::move(features), number[root_of(tree)]);
  }
  LbfgsOptions options;
  options.variance = kVariance;
  options.max_iterations = 60;
  if (roots_.size() > 1) minimise_by_lbfgs(problem, weights_, options);
}

std::vector<double> RootModel::bonus(const std::vector<std::string>& words, int phrases) const {
  std::vector<double> result(static_cast<std::size_t>(phrases), 0);
  if (weights_.empty()) return result;
  std::vector<double> score(roots_.size());
  for (const std::string& feature : root_features(words)) {
    const auto known = features_.find(feature);
    if (known == features_.end()) continue;
    for (std::size_t x = 0; x < score.size(); ++x) {
      score[x] += weights_[known->second * score.size() + x];
    }
  }
  const double top = *std::max_element(score.begin(), score.end());
  double sum = 0;
  for (const double s : score) sum += std::exp(s - top);
  for (std::size_t x = 0; x < score.size(); ++x) {
    result[roots_[x]] = score[x] - top - std::log(sum) - log_share_[x];
  }
  return result;
}

}  // namespace copse::generative
