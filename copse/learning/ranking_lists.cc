#include "copse/learning/ranking_lists.h"

#include <algorithm>

namespace copse {

void RankingLists::add_candidate(double log_probability, double score,
                                 std::span<const Feature> features) {
  const auto old = static_cast<std::ptrdiff_t>(features_.size());
  features_.insert(features_.end(), features.begin(), features.end());
  std::sort(features_.begin() + old, features_.end());
  if (!features.empty()) dimension_ = std::max<std::size_t>(dimension_, features_.back() + 1ULL);
  rows_.push_back(features_.size());
  log_probabilities_.push_back(log_probability);
  scores_.push_back(score);
}

void RankingLists::renumber(std::span<const Feature> number, std::size_t dimension) {
  std::size_t kept = 0, from = 0;
  for (std::size_t row = 1; row < rows_.size(); ++row) {
    const std::size_t begin = kept;
    for (; from < rows_[row]; ++from) {
      const Feature id = number[features_[from]];
      if (id != kDropped) features_[kept++] = id;
    }
    rows_[row] = kept;
    std::sort(features_.begin() + static_cast<std::ptrdiff_t>(begin),
              features_.begin() + static_cast<std::ptrdiff_t>(kept));
  }
  features_.resize(kept);
  features_.shrink_to_fit();
  dimension_ = dimension;
}

std::size_t RankingLists::best(std::size_t list) const {
  std::size_t best = begin(list);
  for (std::size_t c = best + 1; c < end(list); ++c) {
    if (score(c) > score(best) ||
        (score(c) == score(best) && log_probability(c) > log_probability(best))) {
      best = c;
    }
  }
  return best;
}

std::size_t RankingLists::most_probable(std::size_t list) const {
  std::size_t best = begin(list);
  for (std::size_t c = best + 1; c < end(list); ++c) {
    if (log_probability(c) > log_probability(best)) best = c;
  }
  return best;
}

}  // namespace copse
