// The grammar of the incremental parser (Collins & Roark 2004, section 2): chains and triples, read
// off trees after the left-corner transform (treebank/left_corner.h).
//
//   chain    the phrases that begin at a word, top down, and its tag:  NP NN   for (NP (NN trash) ...)
//   triple   (X, Y, Z): under X, child Z may follow child Y; Z is kEnd where X may end after Y. The
//            first child follows on kBegin under the root alone; elsewhere the chain supplies it.
//
// A tree of n words is n pairs of (phrases to close, chain to attach under the phrase then open).
// Longer chains are used only if they were seen more than once.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/base/symbols.h"
#include "copse/treebank/phrase_tree.h"

namespace copse::incremental {

using LabelId = std::uint16_t;
// Labels that no treebank has.
inline constexpr LabelId kNull = 0;   // there is no such node
inline constexpr LabelId kBegin = 1;  // the left edge of a phrase
inline constexpr LabelId kEnd = 2;    // the invisible last child
inline constexpr LabelId kTop = 3;    // the root

inline constexpr std::string_view kTopName = "TOP";

using Chain = std::vector<LabelId>;  // the tag last

// What adds a word to a tree.
struct Move {
  int closes = 0;  // phrases that end before the word
  int chain = 0;   // number in the grammar
  bool operator==(const Move&) const = default;
};

struct Triple {
  LabelId parent = 0, before = 0, child = 0;
  auto operator<=>(const Triple&) const = default;  // NOLINT(modernize-use-nullptr): false alarm
};

// The phrases of all chains of a tag as a tree, in preorder: what chains begin with alike is scored
// once. Node 0 stands for no phrase.
struct ChainNode {
  LabelId label = kNull;
  int parent = -1;
  int next = 0;    // one past the last descendant
  int chain = -1;  // of the phrases down to here, -1 if there is none
};

class Grammar {
 public:
  static constexpr int kAlwaysKept = 2;  // labels of a chain that is kept if seen once

  Grammar();
  // As saved. Throws data_error when labels, chains and triples do not fit together.
  Grammar(std::span<const std::string> names, std::vector<Chain> chains,
          std::span<const std::uint8_t> in_use, std::span<const Triple> triples);

  // Adds what a transformed tree under TOP has; its moves.
  std::vector<Move> add(const PhraseTree& transformed);
  // A tag that no tree has: words of it can be attached alone.
  void add_tag(std::string_view tag) { number(Chain{number(tag)}); }
  // After the last tree: chains of each tag, one of the tag alone among them.
  void finish();

  const Symbols& names() const { return names_; }
  std::size_t labels() const { return names_.size(); }
  // The first number that no label has; there are at most kMostLabels.
  LabelId end_label() const { return static_cast<LabelId>(names_.size()); }
  LabelId find(std::string_view name) const;  // kNull if there is none
  const std::vector<Chain>& chains() const { return chains_; }
  const Chain& chain(int number) const { return chains_[static_cast<std::size_t>(number)]; }
  bool in_use(int chain) const { return in_use_[static_cast<std::size_t>(chain)] != 0; }
  std::size_t chains_in_use() const;
  std::vector<Triple> triples() const;
  // Is it an A/A of the transform; the A, or the label itself.
  bool is_slashed(LabelId label) const { return base_[label] != label; }
  LabelId base(LabelId label) const { return base_[label]; }
  bool is_tag(LabelId label) const { return !by_tag_[label].empty(); }

  // The tag of this name; one that no chain has is taken for NNP or NN.
  LabelId usual_tag(std::string_view name) const;
  // Empty for labels that are no tags.
  std::span<const ChainNode> chains_of(LabelId tag) const { return by_tag_[tag]; }
  // May `child` follow `before` under `parent`?
  bool follows(LabelId parent, LabelId before, LabelId child) const {
    return (row(parent, before)[child / 64] >> (child % 64) & 1) != 0;
  }

  // The tree that moves build, still transformed; words and labels as given. Phrases that are open
  // at the end are closed.
  PhraseTree tree_of(std::span<const Move> moves, std::span<const std::string> words) const;
  static constexpr int kMostLabels = 1000;

 private:
  const std::uint64_t* row(LabelId parent, LabelId before) const {
    return bits_.data() + (std::size_t{parent} * labels() + before) * words_;
  }
  LabelId number(std::string_view name);
  int number(Chain chain);
  void fill_bits(std::span<const Triple> triples);
  std::vector<ChainNode> tree_of_chains(const std::vector<int>& sorted) const;

  Symbols names_;
  std::vector<Chain> chains_;
  std::vector<std::uint8_t> in_use_;
  std::map<Chain, int> numbers_;               // while trees are added
  std::vector<int> seen_;                      // by chain
  std::map<Triple, std::size_t> triple_seen_;  // while trees are added
  std::size_t words_ = 0;                      // of 64 bits, for a set of labels
  std::vector<std::uint64_t> bits_;            // [parent][before] -> set of children
  std::vector<std::vector<ChainNode>> by_tag_;
  std::vector<LabelId> base_;
};

// The tree under TOP: its root renamed if it is an outer bracket, else put under one.
PhraseTree under_top(const PhraseTree& tree);
// The same words with other tags.
PhraseTree with_tags(const PhraseTree& tree, std::span<const std::string> tags);

}  // namespace copse::incremental
