#include "copse/treebank/drawing/skyline.h"

#include <algorithm>
#include <cassert>

namespace copse::drawing {

Skyline::Skyline(int positions) {
  while (size_ < positions) size_ *= 2;
  nodes_.resize(static_cast<std::size_t>(size_) * 2);
}

int Skyline::drop(int first, int last) {
  assert(0 <= first && first <= last && last < size_);
  const int level = highest_in(first, last) + 1;
  raise(first, last, level);
  return level;
}

int Skyline::highest_in(int first, int last) const {
  // The nodes that make up [first, last], and the floors of everything above them.
  int highest = 0;
  for (int left = first + size_, right = last + size_; left <= right; left /= 2, right /= 2) {
    if (left % 2 == 1) {
      highest = std::max(highest, nodes_[static_cast<std::size_t>(left++)].highest);
    }
    if (right % 2 == 0) {
      highest = std::max(highest, nodes_[static_cast<std::size_t>(right--)].highest);
    }
  }
  for (const int end : {first, last}) {
    for (int node = (end + size_) / 2; node >= 1; node /= 2) {
      highest = std::max(highest, nodes_[static_cast<std::size_t>(node)].floor);
    }
  }
  return highest;
}

void Skyline::raise(int first, int last, int level) {
  const auto lift = [&](int node) {
    Node& lifted = nodes_[static_cast<std::size_t>(node)];
    lifted.highest = std::max(lifted.highest, level);
    lifted.floor = std::max(lifted.floor, level);
  };
  for (int left = first + size_, right = last + size_; left <= right; left /= 2, right /= 2) {
    if (left % 2 == 1) lift(left++);
    if (right % 2 == 0) lift(right--);
  }
  for (const int end : {first, last}) {
    for (int node = (end + size_) / 2; node >= 1; node /= 2) {
      Node& above = nodes_[static_cast<std::size_t>(node)];
      above.highest = std::max(above.highest, level);
    }
  }
}

}  // namespace copse::drawing
