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

namespace {

// The most probable and the best candidates of a part of the lists; `score` and `f1` are left 0.
ListFigures bounds_of(const RankingData& data, const ListPart& part) {
  ListFigures figures;
  figures.without_best = data.without_best;
  figures.counted = !data.counts.empty();
  ChoiceSums baseline, oracle;
  for (std::size_t i = part.first; i < data.lists.size(); i += part.step) {
    ++figures.lists;
    figures.candidates += data.lists.end(i) - data.lists.begin(i);
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

}  // namespace

ListFigures figures_of(const RankingData& data) {
  return bounds_of(data, {});
}

std::vector<std::size_t> winners(const RankingData& data, double log_probability_weight,
                                 std::span<const double> weights) {
  const RankingLists& lists = data.lists;
  std::vector<std::size_t> chosen;
  chosen.reserve(lists.size());
  for (std::size_t i = 0; i < lists.size(); ++i) {
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
    chosen.push_back(winner);
  }
  return chosen;
}

ListFigures figures_of_choice(const RankingData& data, std::span<const std::size_t> chosen,
                              const ListPart& part) {
  ListFigures figures = bounds_of(data, part);
  ChoiceSums sums;
  for (std::size_t i = part.first; i < chosen.size(); i += part.step) {
    if (data.lists.begin(i) != data.lists.end(i)) sums.add(data, chosen[i]);
  }
  figures.score = sums.score;
  figures.f1 = f1_of(sums.counts);
  return figures;
}

ListFigures measure(const RankingData& data, double log_probability_weight,
                    std::span<const double> weights) {
  return figures_of_choice(data, winners(data, log_probability_weight, weights));
}

CrossFigures crossed_figures(const RankingData& data, std::span<const std::size_t> chosen) {
  CrossFigures figures;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (data.lists.begin(i) == data.lists.end(i)) continue;
    const std::size_t first = data.lists.most_probable(i);
    figures.add(data.lists.score(first), data.lists.score(chosen[i]));
    if (!data.counts.empty()) figures.add({data.counts[first], data.counts[chosen[i]]});
  }
  return figures;
}

}  // namespace copse
