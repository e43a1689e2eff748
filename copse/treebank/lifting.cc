#include "copse/treebank/lifting.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <queue>
#include <utility>

#include "copse/treebank/projectivity.h"

namespace copse {
namespace {

class Lifter {
 public:
  explicit Lifter(const DependencyTree& tree)
      : words_(tree.words()),
        head_(size(), 0),
        first_child_(size(), 0),
        next_(size(), 0),
        before_(size(), 0),
        is_waiting_(size(), false),
        below_(size(), 0) {
    result_.passed_by.assign(size(), false);
    const std::vector<int> crossing = nonprojective_words(tree);  // throws unless it is a tree
    for (int word = words_; word >= 1; --word) hang(word, tree.head(word));
    for (const int word : crossing) wait(word);
  }

  LiftedTree run() {
    while (!waiting_.empty()) {
      const auto [length, word] = waiting_.top();
      waiting_.pop();
      is_waiting_[at(word)] = false;
      lift(word);
    }
    result_.heads = std::move(head_);
    return std::move(result_);
  }

 private:
  static std::size_t at(int word) { return static_cast<std::size_t>(word); }
  std::size_t size() const { return at(words_) + 1; }

  void lift(int word) {
    const int from = head_[at(word)];
    const int to = head_[at(from)];
    result_.passed_by[at(from)] = true;
    unhang(word);
    hang(word, to);
    look_at_children(from, word);
    if (!is_projective(word)) wait(word);
  }

  // Arcs of `head` across words below `lost`, which is no longer below it.
  void look_at_children(int head, int lost) {
    int left = 0, right = words_ + 1;  // the nearest such words
    todo_.assign(1, lost);
    while (!todo_.empty()) {
      const int word = todo_.back();
      todo_.pop_back();
      if (word < head) {
        left = std::max(left, word);
      } else {
        right = std::min(right, word);
      }
      for (int child = first_child_[at(word)]; child != 0; child = next_[at(child)]) {
        todo_.push_back(child);
      }
    }
    for (int child = first_child_[at(head)]; child != 0; child = next_[at(child)]) {
      if (child < left || child > right) wait(child);
    }
  }

  // Whether all words between a word and its head are below the head. What is found to be on the
  // way up from one of them is not walked again.
  bool is_projective(int word) {
    const int head = head_[at(word)];
    if (head == 0) return true;
    ++stamp_;
    below_[at(head)] = stamp_;
    const int step = word < head ? 1 : -1;
    for (int between = word + step; between != head; between += step) {
      int up = between;
      while (up != 0 && below_[at(up)] != stamp_) up = head_[at(up)];
      if (up == 0) return false;
      for (int way = between; way != up; way = head_[at(way)]) below_[at(way)] = stamp_;
    }
    return true;
  }

  void wait(int word) {
    if (is_waiting_[at(word)]) return;
    is_waiting_[at(word)] = true;
    waiting_.emplace(std::abs(head_[at(word)] - word), word);
  }

  // Lists of children, doubly linked.
  void hang(int word, int head) {
    head_[at(word)] = head;
    const int other = first_child_[at(head)];
    next_[at(word)] = other;
    before_[at(word)] = 0;
    if (other != 0) before_[at(other)] = word;
    first_child_[at(head)] = word;
  }
  void unhang(int word) {
    const int next = next_[at(word)], before = before_[at(word)];
    if (next != 0) before_[at(next)] = before;
    if (before != 0) {
      next_[at(before)] = next;
    } else {
      first_child_[at(head_[at(word)])] = next;
    }
  }

  using Arc = std::pair<int, int>;  // length, word

  int words_;
  std::vector<int> head_, first_child_, next_, before_;
  std::vector<bool> is_waiting_;
  std::priority_queue<Arc, std::vector<Arc>, std::greater<>> waiting_;
  std::vector<int> todo_;
  std::vector<std::uint32_t> below_;  // stamp of the last check that found it below the head
  std::uint32_t stamp_ = 0;
  LiftedTree result_;
};

}  // namespace

LiftedTree lift_arcs(const DependencyTree& tree) {
  return Lifter(tree).run();
}

}  // namespace copse
