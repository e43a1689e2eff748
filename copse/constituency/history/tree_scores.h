// What the history parser says of trees that are given, its own or another parser's.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "copse/constituency/history/parser.h"
#include "copse/learning/decision_pass.h"

namespace copse::history {

// The decisions of a tree; nothing for labels or tags that the model has never seen, and for trees
// that it cannot derive.
std::optional<DecisionSteps> history_of(const HistoryParser& parser, const PhraseTree& tree);

// ln P of each, as the search has it: of several networks the mean of their probabilities at each
// decision. Trees of one sentence are best scored together.
std::vector<std::optional<double>> log_probabilities(const HistoryParser& parser,
                                                     std::span<const PhraseTree* const> trees,
                                                     DecisionPass<float>& pass);

}  // namespace copse::history
