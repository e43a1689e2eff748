// What a sentence demands of its tree, made ready for the search: heads that are given or forbidden
// as a mask of arcs, labels as scores, and spans, which a mask can say only in part.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "copse/inference/arc_mask.h"
#include "copse/inference/part_index.h"
#include "copse/inference/part_scores.h"
#include "copse/inference/tree_search.h"
#include "copse/treebank/sentence.h"
#include "copse/treebank/tree_demands.h"

namespace copse {

class ParserDemands {
 public:
  // Heads and labels of the columns, and the items of MISC (tree_demands.h). Throws data_error that
  // names the words where demands contradict each other or the trees of the parser: two heads that
  // cross where none may, two roots where there is one, a head that is forbidden as well; and for
  // labels that the parser does not know.
  ParserDemands(const Sentence& sentence, const TreeKind& kind,
                std::span<const std::string> labels);

  // The arcs that are left; null if nothing is said of any.
  const ArcMask* mask() const { return mask_ ? &*mask_ : nullptr; }
  // Labels that may not be get minus infinity.
  void restrict_labels(const PartIndex& index, PartScores& scores) const;
  const std::vector<SpanDemand>& spans() const { return demands_.spans; }

 private:
  void take_heads(const Sentence& sentence, const TreeKind& kind);
  void take_labels(const Sentence& sentence, std::span<const std::string> labels);
  void take_spans();
  ArcMask& arcs();

  int words_ = 0;
  TreeDemands demands_;
  std::vector<int> heads_;              // [0] unused; kNoHead: not given
  std::vector<std::vector<char>> may_;  // by word, [0] unused: which labels; empty: any
  std::optional<ArcMask> mask_;
};

// "words 1, 4 and 7": those of which some heads are not allowed.
std::string words_with_demands(const ArcMask& mask);

// The words of a span that hang on none of it.
std::vector<int> tops_of(const SpanDemand& span, std::span<const int> heads);
// Whether the span is a whole subtree: one top, and no word outside hangs on one inside.
bool is_phrase(const SpanDemand& span, std::span<const int> heads);

}  // namespace copse
