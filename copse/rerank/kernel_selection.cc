#include "copse/rerank/kernel_selection.h"

#include <fmt/core.h>

#include <cmath>
#include <numeric>

#include "copse/learning/dual_perceptron.h"

namespace copse {
namespace {

// Sums of one system over lists.
struct Sums {
  double score = 0;
  StratumCounts counts;

  void add(const GradedNumbers& lists, std::size_t list, std::size_t candidate) {
    score += lists.quality[list][candidate];
    if (lists.counts[list].empty()) return;
    const StratumCounts& more = lists.counts[list][candidate];
    counts.correct += more.correct;
    counts.gold += more.gold;
    counts.system += more.system;
  }
};

}  // namespace

double spread(const ListScores& scores) {
  double sum = 0;
  std::size_t lists = 0;
  for (const std::vector<double>& list : scores) {
    if (list.size() < 2) continue;
    const auto size = static_cast<double>(list.size());
    const double mean = std::accumulate(list.begin(), list.end(), 0.0) / size;
    double squares = 0;
    for (const double score : list) squares += (score - mean) * (score - mean);
    sum += squares / size;
    ++lists;
  }
  return lists == 0 ? 0 : std::sqrt(sum / static_cast<double>(lists));
}

ChosenCandidates choose(const GradedNumbers& lists, const ListScores& scores, double weight) {
  ChosenCandidates chosen(scores.size(), 0);
  std::vector<double> sums;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (scores[i].empty()) continue;
    sums = scores[i];
    for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += weight * lists.base[i][j];
    chosen[i] = best_candidate(sums, lists.base[i]);
  }
  return chosen;
}

std::string ChoiceFigures::str(std::string_view name) const {
  return fmt::format(
      "{}: {} lists; {} {:.2f} of the most probable, {:.2f} chosen ({:+.2f}), {:.2f} of the best",
      name, lists, counted ? "F1" : "score", base, chosen, chosen - base, best);
}

ChoiceFigures choice_figures(const GradedNumbers& lists, const ChosenCandidates& chosen,
                             const ListPart& part) {
  Sums base, ours, best;
  ChoiceFigures figures;
  for (std::size_t i = part.first; i < lists.base.size(); i += part.step) {
    if (lists.base[i].empty()) continue;
    ++figures.lists;
    figures.counted = figures.counted || !lists.counts[i].empty();
    base.add(lists, i, best_candidate(lists.base[i], lists.base[i]));
    best.add(lists, i, best_candidate(lists.quality[i], lists.base[i]));
    ours.add(lists, i, chosen[i]);
  }
  const auto figure = [&](const Sums& sums) {
    return figures.counted ? f1_of(sums.counts) : sums.score;
  };
  figures.base = figure(base);
  figures.chosen = figure(ours);
  figures.best = figure(best);
  return figures;
}

bool KernelSelection::offer(const ChosenCandidates& chosen) {
  bool best = false;
  for (std::size_t part = 0; part < kListParts.size(); ++part) {
    const double figure = choice_figures(lists_, chosen, kListParts[part]).chosen;
    if (!kept_[part].chosen.empty() && figure <= kept_[part].figure) continue;
    kept_[part] = {figure, chosen};
    best = best || part == kAllLists;
  }
  return best;
}

CrossFigures KernelSelection::crossed() const {
  return crossed_choice(lists_, kept_[kEvenLists].chosen, kept_[kOddLists].chosen);
}

CrossFigures crossed_choice(const GradedNumbers& lists, const ChosenCandidates& odd,
                            const ChosenCandidates& even) {
  CrossFigures figures;
  for (std::size_t i = 0; i < lists.base.size(); ++i) {
    if (lists.base[i].empty()) continue;
    const std::size_t first = best_candidate(lists.base[i], lists.base[i]);
    const std::size_t chosen = (i % 2 == 0 ? odd : even)[i];
    figures.add(lists.quality[i][first], lists.quality[i][chosen]);
    const auto& counts = lists.counts[i];
    if (!counts.empty()) figures.add({counts[first], counts[chosen]});
  }
  return figures;
}

}  // namespace copse
