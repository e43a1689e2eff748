// The open right edge of a tree that is being built, shared by all hypotheses that go on from it.
//
// A cell is a phrase that is open, with the children that it has so far, all of them complete; `up`
// is its parent as it was before this phrase began. Nothing is ever changed: a phrase with one child
// more is another cell. From a cell all that features may ask of the left context can be read, in
// constant time, and the tree itself is never looked at.
//
// The head of an open phrase is what the head table says of the children so far. A phrase A/A of the
// left-corner transform stands for A over the children of its mother and its own: its head is that of
// A -> A b, and so is its mother's from then on.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "copse/base/arena.h"
#include "copse/constituency/incremental/grammar.h"
#include "copse/treebank/head_rules.h"

namespace copse::incremental {

inline constexpr std::int32_t kNoWord = -1;

// A word of the sentence (from 0) with the tag that the hypothesis gives it.
struct HeadWord {
  std::int32_t word = kNoWord;
  LabelId tag = kNull;
  bool operator==(const HeadWord&) const = default;
};

struct Cell {
  LabelId label = kTop;
  LabelId last = kBegin, last2 = kNull, last3 = kNull;  // labels of the last children
  HeadWord head;                                        // of the children so far
  HeadWord last_head;                                   // of the last child
  HeadWord first;                                       // the first word
  std::int32_t last_begin = kNoWord;                    // first word of the last child
  std::uint32_t production = 0;                         // of HeadFinder
  // A hash of this phrase and those above as far as what is attached later may depend on them: of
  // their labels, and of the labels, heads and first words of their children.
  std::uint64_t state = 0;
  const Cell* up = nullptr;              // null for the root
  const Cell* before = nullptr;          // without the last child; null if there is none
  mutable const Cell* closed = nullptr;  // the parent with this phrase as its child, once asked for
};

// Heads of phrases that grow: the label and the labels of the children so far are a number, and what
// one more child makes of it is looked up. For one thread.
class HeadFinder {
 public:
  // `labels` and `rules` must outlive this.
  void start(const Grammar& grammar, const HeadRules& rules);

  std::uint32_t production(LabelId parent);
  struct Grown {
    std::uint32_t production;
    int head;  // number of the child
  };
  Grown grow(std::uint32_t production, LabelId child);
  int head(std::uint32_t production) const { return nodes_[production].head; }
  int children(std::uint32_t production) const { return nodes_[production].children; }

 private:
  struct Node {
    std::uint32_t parent = 0;
    LabelId label = kNull;  // of the last child, or of the phrase itself
    std::int32_t children = 0;
    std::int32_t head = 0;
  };
  Grown add(std::uint64_t key, Node node);
  int head_of(std::uint32_t production) const;

  const Grammar* grammar_ = nullptr;
  const HeadRules* rules_ = nullptr;
  std::vector<std::string> texts_;  // of labels, without escapes
  std::vector<Node> nodes_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
};

class Spines {
 public:
  // For a sentence: forgets all cells.
  void start(const Grammar& grammar, const HeadRules& rules);

  const Cell* root();
  // The parent of a phrase that is not the root, with the phrase as its last child.
  const Cell* close(const Cell* cell);
  // The deepest phrase after a word with a chain was put under `site`.
  const Cell* attach(const Cell* site, const Chain& chain, int word);
  // `site` with one more child that is complete.
  const Cell* append(const Cell* site, LabelId label, const HeadWord& head, const HeadWord& first,
                     int begin);
  const Cell* open(const Cell* site, LabelId label);

 private:
  static constexpr std::size_t kBlock = 256;  // cells asked of the arena at once
  Cell* make();

  const Grammar* grammar_ = nullptr;
  HeadFinder heads_;
  Arena arena_;
  std::span<Cell> free_;
};

}  // namespace copse::incremental
