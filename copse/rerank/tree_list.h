// Trees for the tree kernel: productions as numbers, sub-trees shared.
//
// A production is a node's label with the labels of its children, or a tag with its word; a word is
// never a node of its own. Two sub-trees are the same when production and children's sub-trees are.
// The candidates of a sentence are nearly equal trees, so a list of them has few different
// sub-trees; it keeps each once:
//
//   node       0          1        2                     3 ...
//   production DT->the    NN->man  NP->DT NN             ...        children before parents
//   children   -          -        0 1
//   candidate  j: the nodes of its tree, each as often as it occurs, ascending
//
// Making a list takes time linear in its trees; there is no recursion, so depth does not matter.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "copse/base/symbols.h"
#include "copse/rerank/sequence_ids.h"
#include "copse/treebank/phrase_tree.h"

namespace copse {

class Productions {
 public:
  using Id = SequenceIds::Id;
  static constexpr Id kUnknown = SequenceIds::kUnknown;

  // A phrase with the labels of its children, or a tag with its word.
  Id add(std::string_view label, bool leaf, std::span<const std::string_view> right);
  // Safe to call from many threads while nobody adds.
  Id find(std::string_view label, bool leaf, std::span<const std::string_view> right) const;
  Id size() const { return sequences_.size(); }

  bool is_leaf(Id id) const { return sequences_.sequence(id)[0] % 2 == 1; }
  std::string_view label(Id id) const { return names_.text(sequences_.sequence(id)[0] / 2); }
  // Children of a phrase, or the word of a leaf.
  std::size_t right_size(Id id) const { return sequences_.sequence(id).size() - 1; }
  std::string_view right(Id id, std::size_t c) const {
    return names_.text(sequences_.sequence(id)[c + 1]);
  }
  // Sub-trees below: 0 for a leaf.
  std::size_t arity(Id id) const { return is_leaf(id) ? 0 : right_size(id); }
  // "NP -> DT NN".
  std::string str(Id id) const;

  // As numbers and names, for a model file; from() checks them and throws data_error.
  const Symbols& names() const { return names_; }
  const SequenceIds& sequences() const { return sequences_; }
  static Productions from(std::span<const std::string> names, std::span<const std::uint32_t> items,
                          std::span<const std::uint64_t> ends);

 private:
  Symbols names_;  // of labels and words
  SequenceIds sequences_;
  std::vector<std::uint32_t> scratch_;  // of add()
};

struct TreeForest {
  std::vector<std::uint32_t> production;   // of a node
  std::vector<std::uint32_t> child_begin;  // one more than nodes
  std::vector<std::uint32_t> child;
  std::vector<std::uint32_t> tree_begin;  // one more than candidates
  std::vector<std::uint32_t> tree;

  static constexpr std::uint32_t kNone = UINT32_MAX;  // a child whose production is not known

  std::size_t nodes() const { return production.size(); }
  std::size_t size() const { return tree_begin.size() - 1; }
  std::span<const std::uint32_t> children(std::size_t node) const {
    return std::span(child).subspan(child_begin[node], child_begin[node + 1] - child_begin[node]);
  }
  std::span<const std::uint32_t> nodes_of(std::size_t candidate) const {
    return std::span(tree).subspan(tree_begin[candidate],
                                   tree_begin[candidate + 1] - tree_begin[candidate]);
  }
};

// Makes lists, children before parents. With productions that may grow every production gets a
// number; else the nodes of productions that are not known are left out: they match nothing.
class TreeListBuilder {
 public:
  explicit TreeListBuilder(Productions& productions) : growing_(&productions) {}
  explicit TreeListBuilder(const Productions& productions) : fixed_(&productions) {}

  struct Part {
    std::string_view label;
    std::uint32_t node = TreeForest::kNone;
  };
  // A node of the candidate that is being made, kNone if its production is not known.
  std::uint32_t leaf(std::string_view tag, std::string_view word);
  std::uint32_t phrase(std::string_view label, std::span<const Part> children);
  void end_candidate();

  // The nodes of a tree; no candidate ends.
  void grow(const PhraseTree& tree);
  // A tree that is a candidate.
  void add(const PhraseTree& tree);
  TreeForest finish();

 private:
  std::uint32_t node(std::string_view label, bool leaf);

  Productions* growing_ = nullptr;
  const Productions* fixed_ = nullptr;
  SequenceIds shared_;  // (production, children)
  std::vector<std::uint32_t> node_of_;
  std::vector<Part> parts_;
  std::vector<std::string_view> right_;  // of the node that is being made
  std::vector<std::uint32_t> sequence_;  // its production and children
  std::vector<std::uint32_t> trees_, begins_{0};
};

}  // namespace copse
