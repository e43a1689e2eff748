// Lists of candidates as a learner of rankings sees them: for each candidate a log probability of
// the model that made the list, a score (its quality, larger is better) and the features it has,
// each 0 or 1. Nothing here knows what a candidate is.
//
//   list i        candidates [begin(i), end(i))
//   candidate c   features(c), ids by rising number
//
// Flat: 4 bytes per feature of a candidate, 28 bytes per candidate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace copse {

class RankingLists {
 public:
  using Feature = std::uint32_t;

  std::size_t size() const { return lists_.size() - 1; }
  std::size_t candidates() const { return scores_.size(); }
  std::size_t begin(std::size_t list) const { return lists_[list]; }
  std::size_t end(std::size_t list) const { return lists_[list + 1]; }
  double log_probability(std::size_t candidate) const { return log_probabilities_[candidate]; }
  double score(std::size_t candidate) const { return scores_[candidate]; }
  std::span<const Feature> features(std::size_t candidate) const {
    return std::span(features_).subspan(rows_[candidate], rows_[candidate + 1] - rows_[candidate]);
  }
  // One more than the largest id there may be.
  std::size_t dimension() const { return dimension_; }
  std::size_t entries() const { return features_.size(); }

  // Candidates of the list that is being made, then its end. The ids are sorted here.
  void add_candidate(double log_probability, double score, std::span<const Feature> features);
  void end_list() { lists_.push_back(scores_.size()); }
  // Feature f becomes number[f]; those with kDropped vanish. The numbers are below `dimension`.
  static constexpr Feature kDropped = UINT32_MAX;
  void renumber(std::span<const Feature> number, std::size_t dimension);

  // The candidate that should win: the highest score; ties: the higher log probability, then the
  // first. The list must have a candidate.
  std::size_t best(std::size_t list) const;
  // The candidate that the log probability alone chooses; ties: the first.
  std::size_t most_probable(std::size_t list) const;

 private:
  std::vector<std::size_t> lists_ = {0};
  std::vector<std::size_t> rows_ = {0};
  std::vector<double> log_probabilities_, scores_;
  std::vector<Feature> features_;
  std::size_t dimension_ = 0;
};

}  // namespace copse
