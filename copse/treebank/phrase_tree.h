// A phrase-structure tree: nodes in one array, in preorder.
//
//   (S (NP (DT the) (NN cat)) (VP (VBD sat)))
//   node     0 S   1 NP  2 DT   3 NN   4 VP  5 VBD
//   next     6     4     3      4      6     6          one past the last descendant
//   begin    0     0     0      1      2     2          span of words, end exclusive
//
// Node 0 is the root; the subtree of node i is the range [i, next(i)); the first child of a
// phrase is i + 1 and the next sister of a child c is next(c). A leaf is a tag over one word.
// Transforms build new trees (PhraseTreeBuilder) instead of editing links.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/treebank/slice.h"

namespace copse {

class PhraseTree {
 public:
  int size() const { return static_cast<int>(nodes_.size()); }  // number of nodes
  bool empty() const { return nodes_.empty(); }
  int words() const { return static_cast<int>(leaves_.size()); }

  std::string_view label(int node) const { return at(node).label.in(text_); }
  bool is_leaf(int node) const { return at(node).leaf; }
  std::string_view word(int node) const { return at(node).word.in(text_); }  // of a leaf
  int parent(int node) const { return at(node).parent; }                     // -1 for the root
  int next(int node) const { return at(node).next; }
  int begin(int node) const { return at(node).begin; }
  int end(int node) const { return at(node).end; }
  int first_child(int node) const { return is_leaf(node) ? next(node) : node + 1; }

  // The node of each word, left to right.
  std::span<const int> leaves() const { return leaves_; }
  std::string_view tag(int word) const { return label(leaves_[static_cast<std::size_t>(word)]); }
  std::string_view word_at(int word) const {
    return this->word(leaves_[static_cast<std::size_t>(word)]);
  }

  // for (int child : tree.children(node)) ...
  class Children;
  Children children(int node) const;
  int child_count(int node) const;

  // "(S (NP (DT the) ...", on one line; the same for the subtree of one node.
  std::string str() const { return empty() ? "" : str(0); }
  std::string str(int node) const;

  // Same shape, labels and words.
  bool operator==(const PhraseTree& other) const;

 private:
  friend class PhraseTreeBuilder;
  struct Node {
    Slice label;
    Slice word;
    std::int32_t parent = -1;
    std::int32_t next = 0;
    std::int32_t begin = 0;
    std::int32_t end = 0;
    bool leaf = false;
  };
  const Node& at(int node) const { return nodes_[static_cast<std::size_t>(node)]; }

  std::string text_;
  std::vector<Node> nodes_;
  std::vector<int> leaves_;
};

class PhraseTree::Children {
 public:
  class Iterator {
   public:
    Iterator(const PhraseTree* tree, int node) : tree_(tree), node_(node) {}
    int operator*() const { return node_; }
    Iterator& operator++() {
      node_ = tree_->next(node_);
      return *this;
    }
    bool operator!=(const Iterator& other) const { return node_ != other.node_; }

   private:
    const PhraseTree* tree_;
    int node_;
  };

  Children(const PhraseTree& tree, int node) : tree_(&tree), node_(node) {}
  Iterator begin() const { return {tree_, tree_->first_child(node_)}; }
  Iterator end() const { return {tree_, tree_->next(node_)}; }

 private:
  const PhraseTree* tree_;
  int node_;
};

inline PhraseTree::Children PhraseTree::children(int node) const {
  return {*this, node};
}

// Builds a tree in preorder: open() a phrase, add leaf()s and phrases, close() it.
//   PhraseTreeBuilder b; b.open("NP"); b.leaf("DT", "the"); b.leaf("NN", "cat"); b.close();
//   PhraseTree tree = std::move(b).finish();
// Exactly one root, every open() closed: else finish() throws Error. A phrase closed without
// any leaf below it stays in the tree (its span is empty).
class PhraseTreeBuilder {
 public:
  int open(std::string_view label);  // returns the node's number
  int leaf(std::string_view tag, std::string_view word);
  void close();
  // The subtree of `node` in `tree`, copied as it is.
  void copy(const PhraseTree& tree, int node);

  // Room for so much, when it is known beforehand; only speed depends on it.
  void reserve(std::size_t nodes, std::size_t words, std::size_t text_bytes);

  int depth() const { return static_cast<int>(open_.size()); }
  bool complete() const { return open_.empty() && !tree_.nodes_.empty(); }
  PhraseTree finish() &&;

 private:
  int add(std::string_view label);

  PhraseTree tree_;
  std::vector<int> open_;
};

}  // namespace copse
