#include "copse/rerank/tree_list.h"

#include <fmt/core.h>

#include <algorithm>

#include "copse/base/error.h"

namespace copse {

Productions::Id Productions::add(const PhraseTree& tree, int node) {
  std::vector<std::uint32_t> sequence;
  const bool leaf = tree.is_leaf(node);
  sequence.push_back(names_.add(tree.label(node)) * 2 + (leaf ? 1 : 0));
  if (leaf) {
    sequence.push_back(names_.add(tree.word(node)));
  } else {
    for (const int child : tree.children(node)) sequence.push_back(names_.add(tree.label(child)));
  }
  return sequences_.add(sequence);
}

Productions::Id Productions::find(const PhraseTree& tree, int node,
                                  std::vector<std::uint32_t>& scratch) const {
  scratch.clear();
  const auto known = [&](std::string_view name) {
    scratch.push_back(names_.find(name));
    return scratch.back() != Symbols::kUnknown;
  };
  if (!known(tree.label(node))) return kUnknown;
  scratch[0] *= 2;
  if (tree.is_leaf(node)) {
    ++scratch[0];
    if (!known(tree.word(node))) return kUnknown;
  } else {
    for (const int child : tree.children(node)) {
      if (!known(tree.label(child))) return kUnknown;
    }
  }
  return sequences_.find(scratch);
}

std::string Productions::str(Id id) const {
  std::string text = fmt::format("{} ->", label(id));
  for (std::size_t c = 0; c < right_size(id); ++c) text += fmt::format(" {}", right(id, c));
  return text;
}

Productions Productions::from(std::span<const std::string> names,
                              std::span<const std::uint32_t> items,
                              std::span<const std::uint64_t> ends) {
  Productions result;
  for (const std::string& name : names) result.names_.add(name);
  if (result.names_.size() != names.size())
    throw data_error("a name of a label or word is there twice");
  if (ends.empty() || ends.front() != 0 || ends.back() != items.size()) {
    throw data_error("the productions do not fill their section");
  }
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    if (ends[i] >= ends[i + 1] || ends[i + 1] > items.size()) {
      throw data_error("a production is empty");
    }
    const auto sequence = items.subspan(ends[i], ends[i + 1] - ends[i]);
    const bool leaf = sequence[0] % 2 == 1;
    if (sequence[0] / 2 >= names.size() || (leaf && sequence.size() != 2) ||
        std::ranges::any_of(sequence.subspan(1), [&](auto name) { return name >= names.size(); })) {
      throw data_error("a production has a label that is not there");
    }
    if (result.sequences_.add(sequence) != i) throw data_error("a production is there twice");
  }
  return result;
}

void TreeListBuilder::add(const PhraseTree& tree) {
  const auto size = static_cast<std::size_t>(tree.size());
  node_of_.assign(size, TreeForest::kNone);
  // Nodes are in preorder, so backwards every child comes before its parent.
  for (int node = tree.size() - 1; node >= 0; --node) {
    const Productions::Id production =
        growing_ ? growing_->add(tree, node) : fixed_->find(tree, node, sequence_);
    if (production == Productions::kUnknown) continue;
    sequence_.assign(1, production);
    if (!tree.is_leaf(node)) {
      for (const int child : tree.children(node)) {
        sequence_.push_back(node_of_[static_cast<std::size_t>(child)]);
      }
    }
    node_of_[static_cast<std::size_t>(node)] = shared_.add(sequence_);
  }
  for (const std::uint32_t node : node_of_) {
    if (node != TreeForest::kNone) trees_.push_back(node);
  }
  std::sort(trees_.begin() + begins_.back(), trees_.end());
  begins_.push_back(static_cast<std::uint32_t>(trees_.size()));
}

TreeForest TreeListBuilder::finish() {
  TreeForest list;
  list.child_begin.push_back(0);
  for (SequenceIds::Id node = 0; node < shared_.size(); ++node) {
    const auto sequence = shared_.sequence(node);
    list.production.push_back(sequence[0]);
    list.child.insert(list.child.end(), sequence.begin() + 1, sequence.end());
    list.child_begin.push_back(static_cast<std::uint32_t>(list.child.size()));
  }
  list.child.shrink_to_fit();
  list.tree = trees_;
  list.tree_begin = begins_;
  shared_.clear();
  trees_.clear();
  begins_.assign(1, 0);
  return list;
}

}  // namespace copse
