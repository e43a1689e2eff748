// How good a choice from lists is, beside the most probable candidates and the best ones.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/rerank/cross_figures.h"
#include "copse/rerank/ranking_data.h"

namespace copse {

struct ListFigures {
  std::size_t lists = 0, candidates = 0;
  std::size_t without_best = 0;  // parses: lists in which no candidate equals gold
  double score_baseline = 0;     // sum of the scores of the most probable candidates
  double score_oracle = 0;       // of the best ones
  double score = 0;              // of the chosen ones
  bool counted = false;          // parses: F1 in percent
  double f1_baseline = 0, f1_oracle = 0, f1 = 0;

  // "dev: 434 lists of 27.1 candidates; F1 86.10 of the most probable, 86.90 chosen (+0.80), ..."
  std::string str(std::string_view name) const;
};

// Every `step`-th list from `first` on.
struct ListPart {
  std::size_t first = 0, step = 1;
};
// All lists; lists 1, 3, 5, ...; lists 2, 4, 6, ...
inline constexpr std::array<ListPart, 3> kListParts = {{{0, 1}, {0, 2}, {1, 2}}};
inline constexpr std::size_t kAllLists = 0, kOddLists = 1, kEvenLists = 2;

// Sums that a choice is made of.
struct ChoiceSums {
  double score = 0;
  StratumCounts counts;

  void add(const RankingData& data, std::size_t candidate, int sign = 1);
};

// The figures of the most probable and of the best candidates; `score` and `f1` are left 0.
ListFigures figures_of(const RankingData& data);
// The candidate of each list with the highest a0 L + w.h; ties: the higher log probability, then
// the first. For a list without candidates its beginning.
std::vector<std::size_t> winners(const RankingData& data, double log_probability_weight,
                                 std::span<const double> weights);
// The figures of a choice, over a part of the lists.
ListFigures figures_of_choice(const RankingData& data, std::span<const std::size_t> chosen,
                              const ListPart& part = {});
// The figures of choosing by a0 L + w.h.
ListFigures measure(const RankingData& data, double log_probability_weight,
                    std::span<const double> weights);
// Two systems side by side, list by list: the most probable candidates and the chosen ones.
CrossFigures crossed_figures(const RankingData& data, std::span<const std::size_t> chosen);

}  // namespace copse
