// Sentences for which no search fits the limits, such as tables and lists without a full stop. They
// are cut into pieces, each of which is parsed like a sentence; the tops of all pieces but the first
// then hang on that of the first, or on the root where there may be several. Linear in the words.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "copse/dependency/parser.h"

namespace copse {
namespace {

constexpr int kMostWords = 120;  // of a piece
constexpr int kFewestWords = 60;

bool ends_something(const ParserWord& word) {
  constexpr std::array<std::string_view, 7> kEnds = {".", "!", "?", ";", ":", ",", "..."};
  return std::find(kEnds.begin(), kEnds.end(), word.form) != kEnds.end();
}

// As many words as a piece may have, but no more than up to the last mark among its last ones.
std::size_t first_piece(std::span<const ParserWord> words) {
  if (words.size() <= kMostWords) return words.size();
  for (std::size_t end = kMostWords; end > kFewestWords; --end) {
    if (ends_something(words[end - 1])) return end;
  }
  return kMostWords;
}

}  // namespace

bool DependencyParser::needs_pieces(int words, const SearchLimits& limits) const {
  constexpr int kSurelyShort = 500, kSurelyLong = 4000;
  if (words <= kSurelyShort || words > kSurelyLong) return words > kSurelyLong;
  return !fits(ArcMask(words), Factorisation::first, parts_.kind.root, limits);
}

Parse DependencyParser::parse_in_pieces(const DependencyParseOptions& options,
                                        Scratch& scratch) const {
  DependencyParseOptions alone = options;
  alone.k = 1;
  const std::span<const ParserWord> words = scratch.words.words();
  ParsedTree tree{{-1}, {}, 0, 1, {0}, {0}};
  if (!labels().empty()) tree.labels.push_back(-1);
  int top = 0;  // the word that later pieces hang on
  int pieces = 0;
  std::vector<ArcProbability> arcs;
  for (std::size_t begin = 0; begin < words.size(); ++pieces) {
    options.stop.check();
    const std::size_t size = first_piece(words.subspan(begin));
    const SearchSpace space =
        space_of(words.subspan(begin, size), nullptr, options.limits, scratch);
    score(space.index, scratch, scratch.scores);
    Parse parse;
    if (!alone.mbr) add_trees(space, scratch, alone, parse);
    if (alone.marginals || alone.mbr) add_probabilities(space, scratch, alone, parse);
    join_piece(std::move(parse.trees.front()), static_cast<int>(begin), top, tree);
    // Arcs to the root of a piece are no arcs of the sentence, but in the first.
    for (const ArcProbability& arc : parse.arcs) {
      const int shift = static_cast<int>(begin);
      const int head = arc.head > 0 ? arc.head + shift : (begin > 0 ? top : 0);
      arcs.push_back({head, arc.word + shift, arc.probability});
    }
    if (top == 0 && parts_.kind.root == RootRule::single) {
      const auto first = std::find(tree.heads.begin() + 1, tree.heads.end(), 0);
      top = static_cast<int>(first - tree.heads.begin());
    }
    begin += size;
  }
  Parse out;
  out.trees.push_back(std::move(tree));
  out.arcs = std::move(arcs);
  out.degraded = fmt::format("{} words parsed in {} pieces", words.size(), pieces);
  return out;
}

void DependencyParser::join_piece(ParsedTree piece, int begin, int top, ParsedTree& out) const {
  const auto joining = std::find(labels().begin(), labels().end(), "parataxis");
  for (std::size_t m = 1; m < piece.heads.size(); ++m) {
    const bool joins = piece.heads[m] == 0 && begin > 0;
    out.heads.push_back(piece.heads[m] == 0 ? (joins ? top : 0) : piece.heads[m] + begin);
    if (!piece.labels.empty()) {
      const bool rename = joins && top > 0 && joining != labels().end();
      out.labels.push_back(rename ? static_cast<int>(joining - labels().begin()) : piece.labels[m]);
    }
    if (piece.arc_probability.empty()) continue;
    out.arc_probability.push_back(piece.arc_probability[m]);
    out.label_probability.push_back(piece.label_probability[m]);
  }
  out.score += piece.score;
  out.probability *= piece.probability;
}

}  // namespace copse
