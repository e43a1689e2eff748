// The projective tree closest to a given one: Eisner's first-order chart over arc scores that
// count shared arcs. The charts proper live in inference/, which stands above this room and knows
// nothing of treebanks; what is needed here, one argmax over integers, is a page of its own.
//
//   open[h,m]    arc h -> m drawn, everything between them attached, m lacks its outer side
//   closed[h,e]  h with everything it governs towards e, inclusive
#include <algorithm>
#include <vector>

#include "copse/base/error.h"
#include "copse/treebank/projectivity.h"

namespace copse {
namespace {

class ClosestTree {
 public:
  explicit ClosestTree(const DependencyTree& tree)
      : tree_(tree), size_(tree.words() + 1), dominance_(tree) {
    const auto cells = static_cast<std::size_t>(size_) * static_cast<std::size_t>(size_);
    open_.assign(cells, 0);
    closed_.assign(cells, 0);
    open_split_.assign(cells, 0);
    closed_split_.assign(cells, 0);
  }

  DependencyTree run() {
    DependencyTree result = tree_;
    const bool one_root = tree_.root_count() == 1;
    fill(one_root ? 1 : 0);
    if (one_root) {
      const int root = best_root();
      result.set_head(root, 0);
      read_off(root, 1, result);
      read_off(root, size_ - 1, result);
    } else {
      read_off(0, size_ - 1, result);
    }
    return result;
  }

 private:
  std::size_t at(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(size_) +
           static_cast<std::size_t>(column);
  }

  // A kept arc outweighs all preferences for ancestors together. Nothing can govern word 0.
  int score(int head, int word) const {
    if (tree_.head(word) == head) return size_;
    return dominance_.dominates(head, word) ? 1 : 0;
  }

  void fill(int first) {
    for (int width = 1; width < size_ - first; ++width) {
      for (int left = first, right = first + width; right < size_; ++left, ++right) {
        fill_open(left, right);
        fill_closed(left, right);
        fill_closed(right, left);
      }
    }
  }

  void fill_open(int left, int right) {
    int best = -1;
    for (int k = left; k < right; ++k) {
      const int both = closed_[at(left, k)] + closed_[at(right, k + 1)];
      if (both > best) {
        best = both;
        open_split_[at(left, right)] = k;
      }
    }
    open_[at(left, right)] = best + score(left, right);
    // With word 0 as modifier the item is never used; it must only stay harmless.
    open_[at(right, left)] = left == 0 ? 0 : best + score(right, left);
  }

  // closed[h,e] = max over m of open[h,m] + closed[m,e], m from the far end towards h.
  void fill_closed(int head, int end) {
    if (end == 0 && head != 0) return;  // word 0 is governed by nothing
    const int step = head < end ? 1 : -1;
    int best = -1;
    for (int m = head + step;; m += step) {
      const int both = open_[at(head, m)] + closed_[at(m, end)];
      if (both > best) {
        best = both;
        closed_split_[at(head, end)] = m;
      }
      if (m == end) break;
    }
    closed_[at(head, end)] = best;
  }

  int best_root() const {
    int best = 1;
    const auto total = [&](int root) {
      return closed_[at(root, 1)] + closed_[at(root, size_ - 1)] + score(0, root);
    };
    for (int root = 2; root < size_; ++root)
      if (total(root) > total(best)) best = root;
    return best;
  }

  // Follows the splits of closed[head,end].
  void read_off(int head, int end, DependencyTree& result) const {
    struct Item {
      int head;
      int end;
    };
    std::vector<Item> stack = {{head, end}};
    while (!stack.empty()) {
      const Item item = stack.back();
      stack.pop_back();
      if (item.head == item.end) continue;
      const int m = closed_split_[at(item.head, item.end)];
      result.set_head(m, item.head);
      const int left = std::min(item.head, m);
      const int right = std::max(item.head, m);
      const int k = open_split_[at(left, right)];
      stack.push_back({m, item.end});
      stack.push_back({left, k});
      stack.push_back({right, k + 1});
    }
  }

  const DependencyTree& tree_;
  int size_;
  Dominance dominance_;
  std::vector<int> open_;
  std::vector<int> closed_;
  std::vector<int> open_split_;    // at (left, right) for both directions
  std::vector<int> closed_split_;  // the outermost modifier on that side
};

}  // namespace

DependencyTree best_projective_tree(const DependencyTree& tree) {
  if (is_projective(tree)) return tree;
  if (tree.words() > kMaxWordsForBestProjective) {
    throw data_error("the sentence is too long for its closest projective tree", {},
                     "projectivise it by lifting instead");
  }
  return ClosestTree(tree).run();
}

}  // namespace copse
