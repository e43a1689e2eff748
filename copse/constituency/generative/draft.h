// A treebank tree while it is being prepared: nodes may be put in, taken out and moved.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "copse/treebank/label.h"
#include "copse/treebank/phrase_tree.h"

namespace copse::generative {

// Phrases keep their function tags until the end.
class Draft {
 public:
  struct Node {
    std::string label;      // base label, or NPB, SG
    std::string functions;  // the original label, for its function tags
    std::string word;       // of a leaf
    int token = -1;         // of a leaf
    int parent = -1;
    std::vector<int> children;
    bool complement = false;

    bool is_leaf() const { return token >= 0; }
  };

  explicit Draft(const PhraseTree& tree) {
    nodes_.reserve(static_cast<std::size_t>(tree.size()) * 5 / 4);
    for (int i = 0; i < tree.size(); ++i) {
      Node node;
      node.functions = tree.label(i);
      node.label = tree.is_leaf(i) ? tree.label(i) : base_label(tree.label(i));
      if (tree.is_leaf(i)) {
        node.word = tree.word(i);
        node.token = tree.begin(i);
      }
      node.parent = tree.parent(i);
      if (node.parent >= 0) at(node.parent).children.push_back(i);
      nodes_.push_back(std::move(node));
    }
  }

  Node& at(int node) { return nodes_[static_cast<std::size_t>(node)]; }
  const Node& at(int node) const { return nodes_[static_cast<std::size_t>(node)]; }
  int size() const { return static_cast<int>(nodes_.size()); }
  int root() const { return root_; }
  void set_root(int node) {
    root_ = node;
    at(node).parent = -1;
  }

  // A new phrase in the place of `node`, with `node` as its only child.
  int insert_above(int node, std::string label) {
    const int above = size();
    Node phrase;
    phrase.label = std::move(label);
    phrase.functions = at(node).functions;
    phrase.parent = at(node).parent;
    phrase.children = {node};
    if (phrase.parent >= 0) {
      auto& sisters = at(phrase.parent).children;
      *std::find(sisters.begin(), sisters.end(), node) = above;
    } else {
      root_ = above;
    }
    nodes_.push_back(std::move(phrase));
    at(node).parent = above;
    return above;
  }

  // Takes `node` out of its parent; phrases left without children go too.
  void remove(int node) {
    const int parent = at(node).parent;
    if (parent < 0) {
      root_ = -1;
      return;
    }
    auto& sisters = at(parent).children;
    sisters.erase(std::find(sisters.begin(), sisters.end(), node));
    at(node).parent = -1;
    if (sisters.empty()) remove(parent);
  }

  // Moves `node` next to its parent: before it or after it.
  void move_up(int node, bool before) {
    const int parent = at(node).parent;
    const int above = at(parent).parent;
    auto& sisters = at(above).children;
    const auto place = std::find(sisters.begin(), sisters.end(), parent) + (before ? 0 : 1);
    sisters.insert(place, node);
    auto& left = at(parent).children;
    left.erase(std::find(left.begin(), left.end(), node));
    at(node).parent = above;
    if (left.empty()) remove(parent);
  }

  std::vector<int> preorder() const {
    std::vector<int> order, todo;
    if (root_ >= 0) todo.push_back(root_);
    while (!todo.empty()) {
      const int node = todo.back();
      todo.pop_back();
      order.push_back(node);
      const auto& children = at(node).children;
      todo.insert(todo.end(), children.rbegin(), children.rend());
    }
    return order;
  }

  // As a PhraseTree; `drafts` receives the draft node of each of its nodes.
  template <class Label>
  PhraseTree build(std::vector<int>& drafts, Label label) const {
    PhraseTreeBuilder builder;
    drafts = preorder();
    std::vector<std::pair<int, std::size_t>> open;  // phrase, children still to come
    for (const int node : drafts) {
      if (at(node).is_leaf()) {
        builder.leaf(label(at(node)), at(node).word);
      } else {
        builder.open(label(at(node)));
        open.emplace_back(node, at(node).children.size() + 1);
      }
      while (!open.empty() && --open.back().second == 0) {
        builder.close();
        open.pop_back();
      }
    }
    return std::move(builder).finish();
  }

 private:
  std::vector<Node> nodes_;
  int root_ = 0;
};

}  // namespace copse::generative
