// Why a reranker chose a candidate and not another: what each feature adds to the two scores.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "copse/rerank/reranker.h"

namespace copse {

struct ReasonPair {
  std::string name;
  double chosen = 0, other = 0;  // what it adds to the score of each

  double difference() const { return chosen - other; }
};

struct ChoiceExplanation {
  std::size_t chosen = 0, other = 0;  // numbers in the list
  double chosen_score = 0, other_score = 0;
  std::vector<ReasonPair> reasons;  // that differ, by falling magnitude of the difference

  double difference() const { return chosen_score - other_score; }
};

// The winner against `other`; if that is not given, against the most probable candidate, or against
// the second best when the winner is the most probable. Nothing for a list of fewer than two.
// Throws usage_error when `other` is not in the list.
std::optional<ChoiceExplanation> explain_choice(const Reranker& reranker, const Candidates& list,
                                                std::optional<std::size_t> other = {});

}  // namespace copse
