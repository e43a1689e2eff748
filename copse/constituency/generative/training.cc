#include "copse/constituency/generative/training.h"

#include <iterator>
#include <utility>
#include <vector>

#include "copse/base/error.h"
#include "copse/treebank/head_guess.h"

namespace copse::generative {

Trained train(std::span<const std::span<const Entry>> trees, const TrainingOptions& options) {
  const HeadRules heads =
      options.heads == kGuessedHeads ? guess_heads(trees) : HeadRules::load(options.heads);
  PreparationReport report;
  std::vector<PreparedTree> prepared;
  for (const std::span<const Entry> run : trees) {
    auto more = prepare_treebank(run, heads, options.model.preparation, report);
    prepared.insert(prepared.end(), std::make_move_iterator(more.begin()),
                    std::make_move_iterator(more.end()));
  }
  if (prepared.empty()) throw data_error("there is no tree to learn from");
  return {GenerativeParser::train(prepared, options.model), std::move(report), heads.provenance()};
}

}  // namespace copse::generative
