// The figures of a boosted model after every round, in one pass: a round changes the scores of the
// candidates that have its feature, and only the lists that have one may get another winner.
#pragma once

#include <array>
#include <vector>

#include "copse/learning/boosting.h"
#include "copse/rerank/list_figures.h"

namespace copse {

// An index from features to the candidates that have them.
class CurveIndex {
 public:
  explicit CurveIndex(const RankingData& data);

  const RankingData& data() const { return *data_; }
  // Candidates by rising number; none for features the lists do not have.
  std::span<const std::uint32_t> candidates_with(std::uint32_t feature) const;
  std::uint32_t list_of(std::uint32_t candidate) const { return list_of_[candidate]; }

 private:
  const RankingData* data_;
  std::vector<std::size_t> rows_;
  std::vector<std::uint32_t> candidates_, list_of_;
};

struct CurvePoint {
  // Sum of the scores of the winners (equation 21), over each of kListParts.
  std::array<double, kListParts.size()> score = {};
  double f1 = 0;  // parses only; of all lists
};

// Point n is after n rounds; point 0 is the log probability alone.
std::vector<CurvePoint> dev_curve(const CurveIndex& index, const BoostingRun& run);

// The number of rounds with the highest score over one of kListParts; ties: the smallest.
std::size_t best_round(std::span<const CurvePoint> curve, std::size_t part = kAllLists);

}  // namespace copse
