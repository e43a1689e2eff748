// Top-down rewriting of phrase-structure trees, iterative: internal to the transforms.
#pragma once

#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "copse/treebank/phrase_tree.h"

namespace copse {

// What stands in the place of a phrase: brackets and nodes of the old tree, in preorder. The nodes
// are rewritten in their turn.
class Replacement {
 public:
  void open(std::string label) { steps_.push_back({Kind::open, -1, std::move(label)}); }
  void node(int old_node) { steps_.push_back({Kind::node, old_node, {}}); }
  void close() { steps_.push_back({Kind::close, -1, {}}); }

 private:
  template <class Replace>
  friend PhraseTree rewrite_tree(const PhraseTree& tree, Replace replace);

  enum class Kind : std::uint8_t { open, node, close };
  struct Step {
    Kind kind;
    int node;
    std::string label;
  };
  std::vector<Step> steps_;
};

// replace(phrase, Replacement&) is called for every phrase; leaves are copied.
template <class Replace>
PhraseTree rewrite_tree(const PhraseTree& tree, Replace replace) {
  if (tree.empty()) return {};
  PhraseTreeBuilder builder;
  std::vector<Replacement::Step> stack = {{Replacement::Kind::node, 0, {}}};
  while (!stack.empty()) {
    const Replacement::Step step = std::move(stack.back());
    stack.pop_back();
    if (step.kind == Replacement::Kind::open) {
      builder.open(step.label);
    } else if (step.kind == Replacement::Kind::close) {
      builder.close();
    } else if (tree.is_leaf(step.node)) {
      builder.leaf(tree.label(step.node), tree.word(step.node));
    } else {
      Replacement replacement;
      replace(step.node, replacement);
      stack.insert(stack.end(), std::make_move_iterator(replacement.steps_.rbegin()),
                   std::make_move_iterator(replacement.steps_.rend()));
    }
  }
  return std::move(builder).finish();
}

}  // namespace copse
