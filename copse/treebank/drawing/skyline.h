// Stacks intervals over a line of positions: each new one lies on top of whatever is below it,
// like bricks let fall. Two intervals that share a position never share a level.
//
// A segment tree over the positions: `highest` is the top level in a node's range, `floor` a
// level that the whole range has reached. O(log positions) per interval.
#pragma once

#include <vector>

namespace copse::drawing {

class Skyline {
 public:
  explicit Skyline(int positions);

  // Drops an interval (ends included) and returns its level; the ground is 0, the first level 1.
  int drop(int first, int last);
  int highest() const { return nodes_.empty() ? 0 : nodes_[1].highest; }

 private:
  struct Node {
    int highest = 0;
    int floor = 0;
  };

  int highest_in(int first, int last) const;
  void raise(int first, int last, int level);

  int size_ = 1;  // leaves, a power of two; leaf of position p is nodes_[size_ + p]
  std::vector<Node> nodes_;
};

}  // namespace copse::drawing
