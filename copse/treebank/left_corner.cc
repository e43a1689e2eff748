#include "copse/treebank/left_corner.h"

#include <string>
#include <vector>

#include "copse/treebank/label_escape.h"
#include "copse/treebank/rewrite.h"

namespace copse {
namespace {

// The first child if it continues the recursion: same label, and not the only child. Else -1.
int recursive_child(const PhraseTree& tree, int phrase) {
  const int child = tree.first_child(phrase);
  const bool has_sister = child < tree.next(phrase) && tree.next(child) < tree.next(phrase);
  if (!has_sister || tree.is_leaf(child) || tree.label(child) != tree.label(phrase)) return -1;
  return child;
}

std::string slashed(std::string_view label) {
  return std::string(label) + '/' + std::string(label);
}

bool has_slash(std::string_view label) {
  return split_escaped_label(label, '/').size() > 1;
}

}  // namespace

PhraseTree left_corner_transform(const PhraseTree& tree) {
  return rewrite_tree(tree, [&](int phrase, Replacement& replacement) {
    std::vector<int> chain = {phrase};  // A_k first
    for (int child; (child = recursive_child(tree, chain.back())) >= 0;) chain.push_back(child);
    const std::string label = escape_label(tree.label(phrase), "/");
    replacement.open(label);
    for (int child : tree.children(chain.back())) replacement.node(child);
    for (std::size_t i = chain.size() - 1; i-- > 0;) {
      replacement.open(slashed(label));
      for (int child : tree.children(chain[i]))
        if (child != chain[i + 1]) replacement.node(child);
      replacement.close();
    }
    replacement.close();
  });
}

PhraseTree undo_left_corner_transform(const PhraseTree& tree, int* misplaced) {
  int strangers = 0;
  // Slashed phrases that the rewriting of their parent has dealt with never come up on their own.
  PhraseTree result = rewrite_tree(tree, [&](int phrase, Replacement& replacement) {
    if (phrase != 0 && has_slash(tree.label(phrase))) {
      ++strangers;
      for (int child : tree.children(phrase)) replacement.node(child);
      return;
    }
    const std::string label = unescape_label(tree.label(phrase));
    const std::string marker = slashed(tree.label(phrase));
    std::vector<bool> continues;  // per child: the b_i of the next A_i
    bool seen_other = false;
    for (int child : tree.children(phrase)) {
      const bool is_marker = !tree.is_leaf(child) && tree.label(child) == marker;
      continues.push_back(is_marker && seen_other);
      seen_other = seen_other || !is_marker;
    }
    for (bool next : continues)
      if (next) replacement.open(label);
    replacement.open(label);
    std::size_t i = 0;
    for (int child : tree.children(phrase)) {
      if (continues[i++]) {
        replacement.close();
        for (int grandchild : tree.children(child)) replacement.node(grandchild);
      } else {
        replacement.node(child);
      }
    }
    replacement.close();
  });
  if (misplaced != nullptr) *misplaced = strangers;
  return result;
}

}  // namespace copse
