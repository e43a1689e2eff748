// A problem of parts (copse/learning/part_problem.h) small enough to list every structure: one
// choice in each of a few slots, a part for each choice, and a part for each pair of choices in
// neighbouring slots. Features are random and sparse, and shared by all examples. Everything is
// answered by going through all structures.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "copse/base/random.h"
#include "copse/learning/part_problem.h"

namespace copse {

struct ToyOptions {
  int examples = 8;
  int slots = 2;
  int choices = 3;
  int features = 20;
  int features_of_a_part = 3;
  bool separable = true;  // the gold structures are the best for some weights; else random ones
  std::uint64_t seed = 1;
};

class ToyParts {
 public:
  explicit ToyParts(const ToyOptions& options) : options_(options) {
    list_structures();
    Random random(options.seed);
    std::vector<float> hidden(dimension());
    for (float& weight : hidden) weight = static_cast<float>(random.normal());
    for (int i = 0; i < options.examples; ++i) add_example(random, hidden);
  }

  std::size_t size() const { return examples_.size(); }
  std::size_t dimension() const { return static_cast<std::size_t>(options_.features); }
  std::size_t parts(std::size_t) const { return slot_of_.size(); }
  std::span<const float> gold(std::size_t i) const { return examples_[i].gold; }

  // Choices cost 1, pairs nothing.
  void cost(std::size_t i, std::span<float> out) const {
    for (std::size_t a = 0; a < out.size(); ++a) {
      out[a] = slot_of_[a] >= 0 ? 1 - examples_[i].gold[a] : 0;
    }
  }

  void score(std::size_t i, std::span<const float> w, std::span<float> out) const {
    for (std::size_t a = 0; a < out.size(); ++a) {
      double sum = 0;
      for (const auto& [feature, value] : examples_[i].features[a]) {
        sum += double{w[feature]} * value;
      }
      out[a] = static_cast<float>(sum);
    }
  }

  template <class Visit>
  void for_each_feature(std::size_t i, std::span<const float> c, Visit&& visit) const {
    for (std::size_t a = 0; a < c.size(); ++a) {
      if (c[a] == 0) continue;
      for (const auto& [feature, value] : examples_[i].features[a]) visit(feature, c[a] * value);
    }
  }

  void best(std::size_t, std::span<const float> scores, std::span<float> out) const {
    const std::vector<double> totals = totals_of(scores);
    const auto at = static_cast<std::size_t>(std::ranges::max_element(totals) - totals.begin());
    std::ranges::fill(out, 0.0F);
    for (const std::size_t a : structures_[at]) out[a] = 1;
  }

  double marginals(std::size_t, std::span<const float> scores, std::span<float> out) const {
    const std::vector<double> totals = totals_of(scores);
    const double top = *std::ranges::max_element(totals);
    double z = 0;
    for (const double total : totals) z += std::exp(total - top);
    std::vector<double> sums(out.size());
    for (std::size_t y = 0; y < totals.size(); ++y) {
      for (const std::size_t a : structures_[y]) sums[a] += std::exp(totals[y] - top) / z;
    }
    std::ranges::copy(sums, out.begin());
    return top + std::log(z);
  }

  // For tests that look at whole structures: their parts, and sum_a c[a] f(i, a), densely.
  const std::vector<std::vector<std::size_t>>& structures() const { return structures_; }
  std::vector<double> vector_of(std::size_t i, std::span<const float> c) const {
    std::vector<double> sum(dimension());
    for (std::size_t a = 0; a < c.size(); ++a) {
      for (const auto& [feature, value] : examples_[i].features[a]) {
        sum[feature] += double{c[a]} * value;
      }
    }
    return sum;
  }
  // The slot that a part fills, or -1 for a pair.
  int slot_of(std::size_t part) const { return slot_of_[part]; }

 private:
  struct Example {
    std::vector<float> gold;
    std::vector<std::vector<FeatureValue>> features;  // by part
  };

  // Parts: choice c of slot s at s * choices + c, then the pairs of slots (0,1), (1,2), ...
  void list_structures() {
    const auto slots = static_cast<std::size_t>(options_.slots);
    const auto choices = static_cast<std::size_t>(options_.choices);
    for (std::size_t s = 0; s < slots; ++s) slot_of_.insert(slot_of_.end(), choices, int(s));
    slot_of_.insert(slot_of_.end(), (slots - 1) * choices * choices, -1);
    std::vector<std::size_t> chosen(slots, 0);
    for (bool more = true; more;) {
      std::vector<std::size_t> parts;
      for (std::size_t s = 0; s < slots; ++s) parts.push_back(s * choices + chosen[s]);
      for (std::size_t s = 0; s + 1 < slots; ++s) {
        const std::size_t pair = chosen[s] * choices + chosen[s + 1];
        parts.push_back(slots * choices + s * choices * choices + pair);
      }
      structures_.push_back(std::move(parts));
      more = false;
      for (std::size_t s = 0; s < slots && !more; ++s) {
        chosen[s] = (chosen[s] + 1) % choices;
        more = chosen[s] != 0;
      }
    }
  }

  void add_example(Random& random, std::span<const float> hidden) {
    examples_.emplace_back();
    Example& example = examples_.back();
    example.features.resize(slot_of_.size());
    for (auto& features : example.features) {
      for (int k = 0; k < options_.features_of_a_part; ++k) {
        features.push_back({static_cast<FeatureId>(random.below(dimension())),
                            static_cast<float>(random.between(1, 4)) / 4});
      }
    }
    std::vector<float> scores(slot_of_.size());
    example.gold.resize(slot_of_.size());
    if (options_.separable) {
      score(examples_.size() - 1, hidden, scores);
      best(examples_.size() - 1, scores, example.gold);
    } else {
      for (const std::size_t a : structures_[random.below(structures_.size())]) example.gold[a] = 1;
    }
  }

  std::vector<double> totals_of(std::span<const float> scores) const {
    std::vector<double> totals;
    for (const auto& parts : structures_) {
      double total = 0;
      for (const std::size_t a : parts) total += double{scores[a]};
      totals.push_back(total);
    }
    return totals;
  }

  ToyOptions options_;
  std::vector<int> slot_of_;
  std::vector<std::vector<std::size_t>> structures_;
  std::vector<Example> examples_;
};

static_assert(PartProblem<ToyParts> && !Recentring<ToyParts>);

// sum_i ( log Z_i - score of gold ) + |w|^2 / (2 variance), by going through all structures.
inline double log_linear_objective(const ToyParts& problem, std::span<const float> w,
                                   double variance) {
  double value = 0;
  std::vector<float> scores(problem.parts(0));
  std::vector<float> unused(problem.parts(0));
  for (std::size_t i = 0; i < problem.size(); ++i) {
    problem.score(i, w, scores);
    value += problem.marginals(i, scores, unused);
    for (std::size_t a = 0; a < scores.size(); ++a) value -= double{problem.gold(i)[a]} * scores[a];
  }
  for (const float weight : w) value += double{weight} * weight / (2 * variance);
  return value;
}

}  // namespace copse
