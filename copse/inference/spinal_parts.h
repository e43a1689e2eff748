// What is left of a sentence for the spinal parser (Carreras, Collins & Koo 2008): the spines that
// each word may have and the labelled arcs <h, m, <X,Y,Z>, rise>, with a number for each part that a
// derivation is scored by. Nodes of spines are numbers; nothing here knows what they stand for.
//
//   spine(i, eta)      every word
//   dep(a)             every labelled arc
//   begin(a, i)        the tree of the modifier begins at word i
//   end(a, i)          ... ends at word i
// and of the second order
//   sib(a, slot)       slot 0: the modifier is the innermost on its side; 1 + k: the k-th surviving
//                      modifier of the head from it outwards was adjoined just before
//   inner(a, slot)     the modifier's own outermost modifier towards the head, numbered likewise
//   outer(a, slot)     ... away from the head
//   edge(i,N,side,e)   a phrase N that word i heads ends, on that side, with word e
//
// Arcs without labels are numbered by a PartIndex of Carreras's factorisation, which has these very
// parts; labelled arcs are sorted by them, then by label.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "copse/inference/part_index.h"

namespace copse {

// GRM(l) and the kind of adjunction: rise 0 is a sister, 1 and more open so many levels.
struct SpinalLabel {
  std::uint16_t x = 0, y = 0, z = 0;
  std::uint16_t rise = 0;
  // NOLINTNEXTLINE(modernize-use-nullptr): false alarm
  auto operator<=>(const SpinalLabel&) const = default;
};

struct SpinalSpine {
  std::vector<std::uint16_t> nodes;  // the tag, then the phrases bottom up
  int id = 0;                        // the caller's

  int height() const { return static_cast<int>(nodes.size()) - 1; }
  std::uint16_t top() const { return nodes.back(); }
  // May a modifier be adjoined at position p under this label?
  bool fits(int p, const SpinalLabel& label) const {
    const auto at = static_cast<std::size_t>(p);
    return nodes[at] == label.x && (label.y == label.x || nodes[at - 1] == label.y);
  }
};

struct SpinalArc {
  int h = 0, m = 0;  // words are 1..n, 0 is the root
  int label = 0;     // in the list of labels
};

class SpinalParts {
 public:
  // spines[i] are those of word i, [0] of nobody. Labels must outlive the parts. Arcs whose label
  // fits no spine of their ends and spines that no arc into their word fits are left out, over and
  // over until nothing changes. Arcs from the root fit by Z alone.
  SpinalParts(std::span<const SpinalLabel> labels, std::vector<std::vector<SpinalSpine>> spines,
              std::vector<SpinalArc> surviving);

  int words() const { return static_cast<int>(spines_.size()) - 1; }
  const std::vector<SpinalSpine>& spines(int word) const { return spines_[at(word)]; }
  // Spines of all words in one numbering.
  int first_spine(int word) const { return first_spine_[at(word)]; }
  int spine_count() const { return first_spine_.back(); }
  // Nodes of the spines of a word in one numbering, tags included, and where those of a spine begin.
  int nodes(int word) const { return first_node_[at(first_spine(word + 1))] - first_of(word); }
  int first_node(int word, int spine) const {
    return first_node_[at(first_spine(word) + spine)] - first_of(word);
  }

  const PartIndex& index() const { return index_; }
  int arcs() const { return static_cast<int>(arcs_.size()); }
  const SpinalArc& arc(int a) const { return arcs_[at(a)]; }
  const SpinalLabel& label(int a) const { return labels_[at(arcs_[at(a)].label)]; }
  // The labelled arcs of an arc of the index.
  PartIndex::Range labelled(int unlabelled) const {
    return {first_labelled_[at(unlabelled)], first_labelled_[at(unlabelled) + 1]};
  }
  int unlabelled(int a) const { return index_.find_arc(arc(a).h, arc(a).m); }
  int find(int h, int m, int label) const;  // -1 if it did not survive

  // Where the rows of a labelled arc begin among all numbers of their kind; the last is their sum.
  int sib_row(int a) const { return sib_row_[at(a)]; }
  int inner_row(int a) const { return inner_row_[at(a)]; }
  int outer_row(int a) const { return outer_row_[at(a)]; }
  // How many numbers score the parts, boundaries left out: to be looked at before there is room for
  // them. Rows make sense below 2^31.
  std::size_t score_count(bool second_order) const {
    return at(arcs()) + at(spine_count()) + (second_order ? second_order_count_ : 0);
  }
  // Where the edges of a word's phrases begin among all of them, [side][e][node]; past the last word:
  // how many there are.
  std::size_t edge_row(int word) const { return 2 * at(words() + 1) * at(first_of(word)); }

 private:
  static std::size_t at(int k) { return static_cast<std::size_t>(k); }
  int first_of(int word) const { return first_node_[at(first_spine(word))]; }

  std::span<const SpinalLabel> labels_;
  std::vector<std::vector<SpinalSpine>> spines_;
  std::vector<int> first_spine_;
  std::vector<int> first_node_;  // [spine]
  std::vector<SpinalArc> arcs_;
  PartIndex index_;
  std::vector<int> first_labelled_, sib_row_, inner_row_, outer_row_;
  std::size_t second_order_count_ = 0;
};

// One number for each part. Boundaries are shared by labelled arcs of one group, [group][word].
struct SpinalScores {
  std::vector<float> spine, dep;
  std::vector<int> group;  // of each labelled arc
  std::vector<float> begin, end;
  std::vector<float> sib, inner, outer;  // empty: first order
  // [word][side][e][node]: the sum over the phrases of the spine up to the node. Second order only.
  std::vector<float> edges;

  // All zero, in one group.
  void reset(const SpinalParts& parts, bool second_order, int groups = 1);
  float begin_of(int a, int word, int words) const { return begin[boundary(a, word, words)]; }
  float end_of(int a, int word, int words) const { return end[boundary(a, word, words)]; }
  // The sums for the nodes of all spines of a word, for an edge at e.
  static std::size_t edge_sums(const SpinalParts& parts, int word, Side side, int e) {
    const auto nodes = static_cast<std::size_t>(parts.nodes(word));
    const int n = parts.words() + 1;
    return parts.edge_row(word) +
           nodes * static_cast<std::size_t>((side == Side::right ? n : 0) + e);
  }
  std::size_t boundary(int a, int word, int words) const {
    return static_cast<std::size_t>(group[static_cast<std::size_t>(a)]) *
               (static_cast<std::size_t>(words) + 1) +
           static_cast<std::size_t>(word);
  }
};

// A derivation in the numbers of its parts, [0] unused.
struct SpinalDerivation {
  std::vector<int> arc;       // labelled, into each word
  std::vector<int> position;  // in the head's spine
  std::vector<int> spine;     // among those of the word
  double score = 0;
  bool operator==(const SpinalDerivation&) const = default;
};

}  // namespace copse
