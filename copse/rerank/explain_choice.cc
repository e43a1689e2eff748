#include "copse/rerank/explain_choice.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "copse/base/error.h"
#include "copse/rerank/fragment_features.h"

namespace copse {
namespace {

void sort_reasons(std::vector<ReasonPair>& reasons) {
  std::stable_sort(reasons.begin(), reasons.end(), [](const ReasonPair& a, const ReasonPair& b) {
    return std::abs(a.difference()) > std::abs(b.difference());
  });
}

}  // namespace

std::optional<ChoiceExplanation> explain_choice(const Reranker& reranker, const Candidates& list,
                                                std::optional<std::size_t> other) {
  if (list.items.size() < 2) return std::nullopt;
  if (other && *other >= list.items.size()) {
    throw usage_error(
        fmt::format("there is no candidate {}; the list has {}", *other + 1, list.items.size()));
  }
  const std::vector<double> scores = reranker.scores(list);
  const std::vector<std::size_t> order = ranking(list, scores);
  ChoiceExplanation result;
  result.chosen = order[0];
  if (other) {
    result.other = *other;
  } else {
    const auto probable = std::max_element(list.items.begin(), list.items.end(),
                                           [](const Candidate& a, const Candidate& b) {
                                             return a.log_probability < b.log_probability;
                                           });
    result.other = static_cast<std::size_t>(probable - list.items.begin());
    if (result.other == result.chosen) result.other = order[1];
  }
  result.chosen_score = scores[result.chosen];
  result.other_score = scores[result.other];
  constexpr std::size_t kFragments = 200;
  if (auto pairs = fragment_reasons(reranker, list, result.chosen, result.other, kFragments)) {
    result.reasons = std::move(*pairs);
    sort_reasons(result.reasons);
    return result;
  }
  std::map<std::string, ReasonPair> by_name;
  for (const Reason& reason : reranker.reasons(list, result.chosen)) {
    by_name[reason.name].chosen += reason.share;
  }
  for (const Reason& reason : reranker.reasons(list, result.other)) {
    by_name[reason.name].other += reason.share;
  }
  for (auto& [name, pair] : by_name) {
    if (pair.difference() == 0) continue;
    pair.name = name;
    result.reasons.push_back(pair);
  }
  sort_reasons(result.reasons);
  return result;
}

}  // namespace copse
