#include "copse/constituency/history/tree_scores.h"

#include <cmath>
#include <string>
#include <utility>

#include "copse/base/error.h"

namespace copse::history {

std::optional<DecisionSteps> history_of(const HistoryParser& parser, const PhraseTree& tree) {
  std::vector<std::string> tags, words;
  for (int i = 0; i < tree.words(); ++i) {
    tags.emplace_back(tree.tag(i));
    words.emplace_back(tree.word_at(i));
  }
  try {
    const auto actions = actions_of(tree, parser.parts().vocabulary->labels());
    const auto symbols = parser.steps().symbols(tags, words, parser.clusters());
    return parser.steps().history(actions, symbols);
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::vector<std::optional<double>> log_probabilities(const HistoryParser& parser,
                                                     std::span<const PhraseTree* const> trees,
                                                     DecisionPass<float>& pass) {
  std::vector<std::optional<double>> out(trees.size());
  std::vector<DecisionSteps> histories;
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < trees.size(); ++i) {
    auto history = history_of(parser, *trees[i]);
    if (!history) continue;
    histories.push_back(std::move(*history));
    numbers.push_back(i);
  }
  std::vector<const DecisionSteps*> pointers;
  pointers.reserve(histories.size());
  for (const DecisionSteps& each : histories) pointers.push_back(&each);
  const Networks& networks = parser.parts().networks;
  std::vector<std::vector<double>> probabilities(histories.size());
  for (const auto& network : networks) {
    pass.run(*network, pointers);
    for (std::size_t b = 0; b < histories.size(); ++b) {
      const std::span<const double> losses = pass.decision_losses(b);
      probabilities[b].resize(losses.size(), 0.0);
      for (std::size_t d = 0; d < losses.size(); ++d) probabilities[b][d] += std::exp(-losses[d]);
    }
  }
  for (std::size_t b = 0; b < histories.size(); ++b) {
    double sum = 0;
    for (const double p : probabilities[b])
      sum += std::log(p / static_cast<double>(networks.size()));
    if (std::isfinite(sum)) out[numbers[b]] = sum;
  }
  return out;
}

}  // namespace copse::history
