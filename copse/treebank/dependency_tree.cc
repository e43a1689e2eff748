#include "copse/treebank/dependency_tree.h"

#include <algorithm>
#include <cassert>

namespace copse {

DependencyTree DependencyTree::from_heads(const std::vector<int>& heads,
                                          const std::vector<std::string>& labels) {
  assert(labels.empty() || labels.size() == heads.size());
  DependencyTree tree(static_cast<int>(heads.size()));
  std::copy(heads.begin(), heads.end(), tree.heads_.begin() + 1);
  std::copy(labels.begin(), labels.end(), tree.labels_.begin() + 1);
  return tree;
}

int DependencyTree::word_on_cycle() const {
  // Walk upwards from each word, marking the walk; meeting one's own mark is a cycle.
  std::vector<int> walk(heads_.size(), 0);
  for (int start = 1; start <= words(); ++start) {
    int word = start;
    while (word > 0 && word <= words() && walk[static_cast<std::size_t>(word)] == 0) {
      walk[static_cast<std::size_t>(word)] = start;
      word = head(word);
    }
    if (word > 0 && word <= words() && walk[static_cast<std::size_t>(word)] == start) return word;
  }
  return 0;
}

bool DependencyTree::is_tree() const {
  for (int word = 1; word <= words(); ++word)
    if (head(word) < 0 || head(word) > words()) return false;
  return word_on_cycle() == 0;
}

int DependencyTree::root_count() const {
  return static_cast<int>(std::count(heads_.begin() + (heads_.empty() ? 0 : 1), heads_.end(), 0));
}

}  // namespace copse
