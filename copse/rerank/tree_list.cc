#include "copse/rerank/tree_list.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "copse/base/error.h"

namespace copse {

Productions::Id Productions::add(std::string_view label, bool leaf,
                                 std::span<const std::string_view> right) {
  scratch_.assign(1, names_.add(label) * 2 + (leaf ? 1 : 0));
  for (const std::string_view name : right) scratch_.push_back(names_.add(name));
  return sequences_.add(scratch_);
}

Productions::Id Productions::find(std::string_view label, bool leaf,
                                  std::span<const std::string_view> right) const {
  constexpr std::size_t kFew = 16;
  std::array<std::uint32_t, kFew> few;
  std::vector<std::uint32_t> many;
  if (right.size() >= kFew) many.resize(right.size() + 1);
  const std::span<std::uint32_t> sequence =
      right.size() >= kFew ? std::span(many) : std::span(few).first(right.size() + 1);
  const Symbols::Id left = names_.find(label);
  if (left == Symbols::kUnknown) return kUnknown;
  sequence[0] = left * 2 + (leaf ? 1 : 0);
  for (std::size_t c = 0; c < right.size(); ++c) {
    sequence[c + 1] = names_.find(right[c]);
    if (sequence[c + 1] == Symbols::kUnknown) return kUnknown;
  }
  return sequences_.find(sequence);
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

std::uint32_t TreeListBuilder::node(std::string_view label, bool leaf) {
  const Productions::Id production =
      growing_ ? growing_->add(label, leaf, right_) : fixed_->find(label, leaf, right_);
  if (production == Productions::kUnknown) return TreeForest::kNone;
  sequence_[0] = production;
  trees_.push_back(shared_.add(sequence_));
  return trees_.back();
}

std::uint32_t TreeListBuilder::leaf(std::string_view tag, std::string_view word) {
  right_.assign(1, word);
  sequence_.assign(1, 0);
  return node(tag, true);
}

std::uint32_t TreeListBuilder::phrase(std::string_view label, std::span<const Part> children) {
  right_.clear();
  sequence_.assign(1, 0);
  for (const Part& child : children) {
    right_.push_back(child.label);
    sequence_.push_back(child.node);
  }
  return node(label, false);
}

void TreeListBuilder::end_candidate() {
  std::sort(trees_.begin() + begins_.back(), trees_.end());
  begins_.push_back(static_cast<std::uint32_t>(trees_.size()));
}

void TreeListBuilder::grow(const PhraseTree& tree) {
  node_of_.assign(static_cast<std::size_t>(tree.size()), TreeForest::kNone);
  // Nodes are in preorder, so backwards every child comes before its parent.
  for (int at = tree.size() - 1; at >= 0; --at) {
    std::uint32_t& made = node_of_[static_cast<std::size_t>(at)];
    if (tree.is_leaf(at)) {
      made = leaf(tree.label(at), tree.word(at));
      continue;
    }
    parts_.clear();
    for (const int child : tree.children(at)) {
      parts_.push_back({tree.label(child), node_of_[static_cast<std::size_t>(child)]});
    }
    made = phrase(tree.label(at), parts_);
  }
}

void TreeListBuilder::add(const PhraseTree& tree) {
  grow(tree);
  end_candidate();
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
