// Phrase-structure trees as Python holds them: a node, with the whole tree kept alive.
#pragma once

#include <memory>

#include "copse/python/bind.h"
#include "copse/treebank/phrase_tree.h"

namespace copse::python {

struct TreeNode {
  std::shared_ptr<const PhraseTree> tree;
  int node = 0;
};

// None for an empty tree. `owner` keeps the tree alive.
template <class Owner>
py::object tree_object(const std::shared_ptr<Owner>& owner, const PhraseTree& tree) {
  if (tree.empty()) return py::none();
  return py::cast(TreeNode{std::shared_ptr<const PhraseTree>(owner, &tree), 0});
}

}  // namespace copse::python
