#include "copse/constituency/history/parser.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "copse/base/error.h"
#include "copse/constituency/tagged_trees.h"

namespace copse::history {
namespace {

constexpr double kFlatLogProbability = -1e6;  // of a tree that was not derived

void check(const PhraseQuestion& question) {
  if (question.brackets || question.expected_brackets) {
    throw usage_error("the history parser has no probabilities of brackets",
                      "probabilities of brackets need a generative model");
  }
}

PhraseAnswer give_up(std::span<const std::string> tags, std::span<const std::string> words,
                     std::string why) {
  PhraseAnswer answer;
  answer.trees.push_back({kFlatLogProbability, flat_tree(tags, words)});
  answer.fallback = true;
  answer.note = std::move(why);
  return answer;
}

}  // namespace

PhraseAnswer HistoryParser::parse(const WordsToParse& sentence, const PhraseQuestion& question,
                                  const SearchOptions& options, Workspace& workspace) const {
  check(question);
  if (sentence.words.empty()) return {};
  const std::vector<std::string> tags = tags_to_parse(parts_.tagger, sentence, workspace.tags);
  if (sentence.words.size() > static_cast<std::size_t>(kLongest)) {
    return give_up(tags, sentence.words, fmt::format("longer than {} words", kLongest));
  }
  const SentenceSymbols symbols = steps_.symbols(tags, sentence.words, clusters());
  Search& search = workspace.search;
  search.start(steps_, parts_.networks, symbols, options);
  const auto found = search.run(std::max(question.k, 1), question.stop);
  if (found.empty()) return give_up(tags, sentence.words, "no derivation was found");
  PhraseAnswer answer;
  for (const Derivation* each : found) {
    if (question.within > 1 &&
        each->log_probability < found[0]->log_probability - std::log(question.within)) {
      break;
    }
    answer.trees.push_back(
        {each->log_probability,
         tree_of(actions_of(*each), parts_.vocabulary->labels(), tags, sentence.words)});
  }
  if (search.limited() > 0) {
    answer.note = fmt::format("at {} words the search was cut short", search.limited());
  }
  return answer;
}

}  // namespace copse::history
