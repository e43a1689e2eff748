#include "copse/rerank/dev_curve.h"

#include <algorithm>
#include <numeric>

namespace copse {
namespace {

class Curve {
 public:
  Curve(const CurveIndex& index, const BoostingRun& run)
      : index_(index),
        lists_(index.data().lists),
        run_(run),
        scores_(lists_.candidates()),
        winners_(lists_.size()) {
    for (std::size_t c = 0; c < scores_.size(); ++c) {
      scores_[c] = run.log_probability_weight * lists_.log_probability(c);
    }
    for (std::size_t i = 0; i < lists_.size(); ++i) {
      if (lists_.begin(i) == lists_.end(i)) continue;
      winners_[i] = winner(i);
      sums_[i % 2].add(index.data(), winners_[i]);
    }
  }

  std::vector<CurvePoint> points() {
    std::vector<CurvePoint> points = {point()};
    for (const BoostingRound& round : run_.rounds) {
      take(round);
      if (round.feature == BoostingRound::kLogProbability) {
        points.back() = point();
      } else {
        points.push_back(point());
      }
    }
    return points;
  }

 private:
  CurvePoint point() const {
    const auto& [odd, even] = sums_;
    CurvePoint result;
    result.score[kAllLists] = odd.score + even.score;
    result.score[kOddLists] = odd.score;
    result.score[kEvenLists] = even.score;
    result.f1 = f1_of({odd.counts.correct + even.counts.correct, odd.counts.gold + even.counts.gold,
                       odd.counts.system + even.counts.system});
    return result;
  }

  void take(const BoostingRound& round) {
    if (round.feature == BoostingRound::kLogProbability) {
      for (std::size_t c = 0; c < scores_.size(); ++c) {
        scores_[c] += round.step * lists_.log_probability(c);
      }
      for (std::size_t i = 0; i < lists_.size(); ++i) update(i);
      return;
    }
    const auto touched = index_.candidates_with(round.feature);
    for (const std::uint32_t c : touched) scores_[c] += round.step;
    for (std::size_t at = 0; at < touched.size(); ++at) {
      const std::uint32_t list = index_.list_of(touched[at]);
      if (at == 0 || index_.list_of(touched[at - 1]) != list) update(list);
    }
  }

  void update(std::size_t list) {
    if (lists_.begin(list) == lists_.end(list)) return;
    const std::size_t now = winner(list);
    if (now == winners_[list]) return;
    sums_[list % 2].add(index_.data(), winners_[list], -1);
    sums_[list % 2].add(index_.data(), now);
    winners_[list] = now;
  }

  std::size_t winner(std::size_t list) const {
    std::size_t best = lists_.begin(list);
    for (std::size_t c = best + 1; c < lists_.end(list); ++c) {
      if (scores_[c] > scores_[best] ||
          (scores_[c] == scores_[best] &&
           lists_.log_probability(c) > lists_.log_probability(best))) {
        best = c;
      }
    }
    return best;
  }

  const CurveIndex& index_;
  const RankingLists& lists_;
  const BoostingRun& run_;
  std::vector<double> scores_;
  std::vector<std::size_t> winners_;
  std::array<ChoiceSums, 2> sums_;  // lists 1, 3, 5, ...; lists 2, 4, 6, ...
};

}  // namespace

CurveIndex::CurveIndex(const RankingData& data)
    : data_(&data), rows_(data.lists.dimension() + 1, 0), list_of_(data.lists.candidates()) {
  const RankingLists& lists = data.lists;
  for (std::size_t c = 0; c < lists.candidates(); ++c) {
    for (const auto k : lists.features(c)) ++rows_[k + 1];
  }
  std::partial_sum(rows_.begin(), rows_.end(), rows_.begin());
  candidates_.resize(rows_.back());
  std::vector<std::size_t> at(rows_.begin(), rows_.end() - 1);
  for (std::size_t i = 0; i < lists.size(); ++i) {
    for (std::size_t c = lists.begin(i); c < lists.end(i); ++c) {
      list_of_[c] = static_cast<std::uint32_t>(i);
      for (const auto k : lists.features(c)) candidates_[at[k]++] = static_cast<std::uint32_t>(c);
    }
  }
}

std::span<const std::uint32_t> CurveIndex::candidates_with(std::uint32_t feature) const {
  if (feature + std::size_t{1} >= rows_.size()) return {};
  return std::span(candidates_).subspan(rows_[feature], rows_[feature + 1] - rows_[feature]);
}

std::vector<CurvePoint> dev_curve(const CurveIndex& index, const BoostingRun& run) {
  return Curve(index, run).points();
}

std::size_t best_round(std::span<const CurvePoint> curve, std::size_t part) {
  const auto best = std::max_element(
      curve.begin(), curve.end(),
      [part](const CurvePoint& a, const CurvePoint& b) { return a.score[part] < b.score[part]; });
  return static_cast<std::size_t>(best - curve.begin());
}

}  // namespace copse
