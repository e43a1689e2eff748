// Heads and labels of the words 1..n; index 0 is the artificial root. A DependencyTree is any
// assignment of heads; whether it is a tree, projective, single-rooted are questions asked of it.
#pragma once

#include <string>
#include <vector>

namespace copse {

class DependencyTree {
 public:
  static constexpr int kNoHead = -1;

  DependencyTree() = default;
  explicit DependencyTree(int words)
      : heads_(static_cast<std::size_t>(words) + 1, kNoHead),
        labels_(static_cast<std::size_t>(words) + 1, "_") {}
  // heads[i] is the head of word i + 1; labels likewise, or none at all.
  static DependencyTree from_heads(const std::vector<int>& heads,
                                   const std::vector<std::string>& labels = {});

  int words() const { return heads_.empty() ? 0 : static_cast<int>(heads_.size()) - 1; }
  int head(int word) const { return heads_[static_cast<std::size_t>(word)]; }
  const std::string& label(int word) const { return labels_[static_cast<std::size_t>(word)]; }
  void set_head(int word, int head) { heads_[static_cast<std::size_t>(word)] = head; }
  void set_label(int word, std::string label) {
    labels_[static_cast<std::size_t>(word)] = std::move(label);
  }

  bool operator==(const DependencyTree&) const = default;

  // Every word has a head in 0..n and reaches 0. O(n).
  bool is_tree() const;
  // A word on a cycle, or 0 when there is none; words without a head end the search. O(n).
  int word_on_cycle() const;
  int root_count() const;

 private:
  std::vector<int> heads_;  // [0] is unused
  std::vector<std::string> labels_;
};

}  // namespace copse
