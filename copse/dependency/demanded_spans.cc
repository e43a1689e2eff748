// The best tree in which given words make phrases (and others none), by branch and bound.
//
// Without the rule that one word alone of a phrase hangs on a word outside the mask of arcs says all:
// the best tree of that looser problem scores at least as much as the one sought. If it breaks the
// rule for a phrase, every word of the phrase is tried as the only one; whichever looser problem has
// the best tree is looked at next, until one breaks no rule. That is the best tree of all, as far as
// the pruner left it.
//
// Words that must not be a phrase: the trees of a problem are listed from the best on, and the first
// in which they are none is taken.
#include <algorithm>
#include <optional>
#include <queue>

#include "copse/base/error.h"
#include "copse/dependency/parser.h"
#include "copse/dependency/parser_demands.h"

namespace copse {
namespace {

constexpr int kMostProblems = 2000;  // looked at for a sentence
constexpr int kLongestList = 4096;   // of trees with a phrase that must not be

struct Problem {
  ArcMask mask;
  Parse parse;  // its best tree that has none of the forbidden phrases
  int number = 0;

  double score() const { return parse.trees.front().score; }
  // std::priority_queue: the best first, of equals the older.
  bool operator<(const Problem& other) const {
    return score() != other.score() ? score() < other.score() : number > other.number;
  }
};

ArcMask with_top(const ArcMask& mask, const SpanDemand& span, int top) {
  ArcMask out = mask;
  for (int m = span.first; m <= span.last; ++m) {
    if (m == top) continue;
    for (int h = 0; h <= mask.words(); ++h) {
      if (h != m && (h < span.first || h > span.last)) out.forbid(h, m);
    }
  }
  return out;
}

bool has_forbidden_phrase(const std::vector<SpanDemand>& spans, std::span<const int> heads) {
  return std::any_of(spans.begin(), spans.end(), [&](const SpanDemand& span) {
    return span.forbidden && is_phrase(span, heads);
  });
}

// The first phrase that has several tops.
const SpanDemand* broken(const std::vector<SpanDemand>& spans, std::span<const int> heads) {
  for (const SpanDemand& span : spans) {
    if (!span.forbidden && tops_of(span, heads).size() != 1) return &span;
  }
  return nullptr;
}

}  // namespace

// The best tree of a problem without forbidden phrases; nothing if there is none.
std::optional<Parse> DependencyParser::solve(const ParserDemands& demands, const ArcMask& mask,
                                             const DependencyParseOptions& options,
                                             Scratch& scratch) const {
  DependencyParseOptions asked = options;
  const bool forbidding = has_forbidden_phrases(demands.spans());
  for (asked.k = 1; asked.k <= kLongestList; asked.k *= 8) {
    Parse parse;
    try {
      parse = parse_under(&demands, &mask, asked, scratch);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::data) throw;
      return std::nullopt;
    }
    for (ParsedTree& tree : parse.trees) {
      if (forbidding && has_forbidden_phrase(demands.spans(), tree.heads)) continue;
      parse.trees = {std::move(tree)};
      return parse;
    }
    if (static_cast<int>(parse.trees.size()) < asked.k) return std::nullopt;  // that was all
  }
  return std::nullopt;
}

bool DependencyParser::has_forbidden_phrases(const std::vector<SpanDemand>& spans) {
  return std::any_of(spans.begin(), spans.end(),
                     [](const SpanDemand& span) { return span.forbidden; });
}

Parse DependencyParser::parse_with_spans(const ParserDemands& demands,
                                         const DependencyParseOptions& options,
                                         Scratch& scratch) const {
  if (options.k > 1 || options.marginals || options.mbr) {
    throw usage_error(
        "phrases can be demanded of the best tree only, not of lists or probabilities");
  }
  std::priority_queue<Problem> problems;
  int made = 0;
  const auto add = [&](const ArcMask& mask) {
    if (auto parse = solve(demands, mask, options, scratch)) {
      problems.push({mask, std::move(*parse), made});
    }
    ++made;
  };
  const int words = static_cast<int>(scratch.words.words().size());
  add(demands.mask() == nullptr ? ArcMask(words) : *demands.mask());
  while (!problems.empty() && made < kMostProblems) {
    Problem best = problems.top();
    problems.pop();
    const SpanDemand* span = broken(demands.spans(), best.parse.trees.front().heads);
    if (span == nullptr) return std::move(best.parse);
    for (int top = span->first; top <= span->last; ++top) add(with_top(best.mask, *span, top));
  }
  throw data_error(no_tree_with(demands.spans()));
}

}  // namespace copse
