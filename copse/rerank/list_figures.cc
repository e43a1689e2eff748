#include "copse/rerank/list_figures.h"

#include <fmt/core.h>

namespace copse {

std::string ListFigures::str(std::string_view name) const {
  const double mean = lists == 0 ? 0 : static_cast<double>(candidates) / static_cast<double>(lists);
  std::string text = fmt::format("{}: {} lists of {:.1f} candidates; ", name, lists, mean);
  if (counted) {
    return text +
           fmt::format("F1 {:.2f} of the most probable, {:.2f} chosen ({:+.2f}), {:.2f} best",
                       f1_baseline, f1, f1 - f1_baseline, f1_oracle);
  }
  return text + fmt::format("score {:.4f} of the most probable, {:.4f} chosen, {:.4f} best",
                            score_baseline, score, score_oracle);
}

void ChoiceSums::add(const RankingData& data, std::size_t candidate, int sign) {
  score += sign * data.lists.score(candidate);
  if (data.counts.empty()) return;
  counts.correct += sign * data.counts[candidate].correct;
  counts.gold += sign * data.counts[candidate].gold;
  counts.system += sign * data.counts[candidate].system;
}

ListFigures figures_of(const RankingData& data) {
  ListFigures figures;
  figures.lists = data.lists.size();
  figures.candidates = data.lists.candidates();
  figures.without_best = data.without_best;
  figures.counted = !data.counts.empty();
  ChoiceSums baseline, oracle;
  for (std::size_t i = 0; i < data.lists.size(); ++i) {
    if (data.lists.begin(i) == data.lists.end(i)) continue;
    baseline.add(data, data.lists.most_probable(i));
    oracle.add(data, data.lists.best(i));
  }
  figures.score_baseline = baseline.score;
  figures.score_oracle = oracle.score;
  figures.f1_baseline = f1_of(baseline.counts);
  figures.f1_oracle = f1_of(oracle.counts);
  return figures;
}

ListFigures measure(const RankingData& data, double log_probability_weight,
                    std::span<const double> weights) {
  const RankingLists& lists = data.lists;
  ChoiceSums chosen;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    if (lists.begin(i) == lists.end(i)) continue;
    std::size_t winner = lists.begin(i);
    double top = 0;
    for (std::size_t c = lists.begin(i); c < lists.end(i); ++c) {
      double value = log_probability_weight * lists.log_probability(c);
      for (const RankingLists::Feature k : lists.features(c)) value += weights[k];
      if (c == lists.begin(i) || value > top ||
          (value == top && lists.log_probability(c) > lists.log_probability(winner))) {
        winner = c;
        top = value;
      }
    }
    chosen.add(data, winner);
  }
  ListFigures figures = figures_of(data);
  figures.score = chosen.score;
  figures.f1 = f1_of(chosen.counts);
  return figures;
}

}  // namespace copse
