#include "copse/treebank/unary_chains.h"

#include <string>
#include <utility>
#include <vector>

#include "copse/treebank/label.h"
#include "copse/treebank/label_escape.h"

namespace copse {
namespace {

constexpr char kJoint = '+';

bool joins_its_child(const PhraseTree& tree, int node, const UnaryOptions& options) {
  if (tree.is_leaf(node)) return false;
  const int child = tree.first_child(node);
  if (child == tree.next(node) || tree.next(child) != tree.next(node)) return false;
  if (tree.is_leaf(child) && !options.join_tags) return false;
  return !(options.keep_outer && node == 0 && is_outer_label(tree.label(node)));
}

}  // namespace

PhraseTree collapse_unaries(const PhraseTree& tree, const UnaryOptions& options) {
  if (tree.empty()) return {};
  PhraseTreeBuilder builder;
  std::vector<int> ends;  // next() of the open phrases, outermost first
  std::string label;
  for (int node = 0; node < tree.size(); ++node) {
    for (; !ends.empty() && ends.back() == node; ends.pop_back()) builder.close();
    label += escape_label(tree.label(node), "+");
    if (joins_its_child(tree, node, options)) {
      label += kJoint;
      continue;
    }
    if (tree.is_leaf(node)) {
      builder.leaf(label, tree.word(node));
    } else {
      builder.open(label);
      ends.push_back(tree.next(node));
    }
    label.clear();
  }
  for (; !ends.empty(); ends.pop_back()) builder.close();
  return std::move(builder).finish();
}

PhraseTree restore_unaries(const PhraseTree& tree) {
  if (tree.empty()) return {};
  PhraseTreeBuilder builder;
  std::vector<int> ends;
  for (int node = 0; node < tree.size(); ++node) {
    for (; !ends.empty() && ends.back() == node; ends.pop_back()) builder.close();
    const std::vector<std::string_view> labels = split_escaped_label(tree.label(node), kJoint);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (tree.is_leaf(node) && i + 1 == labels.size()) {
        builder.leaf(unescape_label(labels[i]), tree.word(node));
      } else {
        builder.open(unescape_label(labels[i]));
        ends.push_back(tree.next(node));
      }
    }
  }
  for (; !ends.empty(); ends.pop_back()) builder.close();
  return std::move(builder).finish();
}

}  // namespace copse
