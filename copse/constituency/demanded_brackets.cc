#include "copse/constituency/demanded_brackets.h"

#include <algorithm>

#include "copse/base/error.h"
#include "copse/treebank/label.h"

namespace copse {
namespace {

constexpr int kShortestList = 16, kLongestList = 4096, kGrowth = 16;

bool meets(const PhraseTree& tree, std::span<const SpanDemand> demands) {
  return std::ranges::all_of(demands, [&](const SpanDemand& demand) {
    return has_bracket(tree, demand) != demand.forbidden;
  });
}

}  // namespace

bool has_bracket(const PhraseTree& tree, const SpanDemand& span) {
  for (int node = 0; node < tree.size(); ++node) {
    if (tree.is_leaf(node)) continue;
    if (tree.begin(node) + 1 != span.first || tree.end(node) != span.last) continue;
    if (span.label.empty() || base_label(tree.label(node)) == span.label) return true;
  }
  return false;
}

PhraseAnswer parse_with_brackets(const PhraseParser& parser, const WordsToParse& words,
                                 const PhraseQuestion& question,
                                 std::span<const SpanDemand> demands) {
  PhraseQuestion asked = question;
  if (parser.takes_spans()) {
    asked.spans.assign(demands.begin(), demands.end());
    return parser.parse(words, asked);
  }
  for (asked.k = std::max(kShortestList, question.k);; asked.k *= kGrowth) {
    asked.k = std::min(asked.k, std::max(kLongestList, question.k));
    PhraseAnswer answer = parser.parse(words, asked);
    const bool all = static_cast<int>(answer.trees.size()) < asked.k;
    std::erase_if(answer.trees, [&](const ScoredTree& each) { return !meets(each.tree, demands); });
    const bool last = all || asked.k >= kLongestList;
    if (static_cast<int>(answer.trees.size()) >= question.k || (last && !answer.trees.empty())) {
      answer.trees.resize(std::min(answer.trees.size(), static_cast<std::size_t>(question.k)));
      return answer;
    }
    if (last) {
      throw data_error(no_tree_with(demands));
    }
  }
}

}  // namespace copse
