#include "copse/inference/rearrange.h"

#include "copse/base/error.h"

namespace copse {
namespace {

// One pass down the tree from the root: 0 is first, and the words below each word follow it.
// The order has fewer entries than the tree has words if some do not reach the root.
int number_descent(std::span<const int> heads, std::vector<int>& first, std::vector<int>& last) {
  const int words = static_cast<int>(heads.size()) - 1;
  std::vector<int> child(heads.size(), 0), sibling(heads.size(), 0);
  for (int m = words; m >= 1; --m) {
    sibling[m] = child[heads[m]];
    child[heads[m]] = m;
  }
  first.assign(heads.size(), -1);
  last.assign(heads.size(), -1);
  int count = 0;
  first[0] = count++;
  int here = 0;
  for (;;) {
    if (child[here] != 0) {
      here = child[here];
      first[here] = count++;
      continue;
    }
    last[here] = count - 1;
    while (here != 0 && sibling[here] == 0) {
      here = heads[here];
      last[here] = count - 1;
    }
    if (here == 0) return count;
    here = sibling[here];
    first[here] = count++;
  }
}

}  // namespace

void Reattachments::look_at(std::span<const int> heads) {
  const int words = mask_.words();
  if (static_cast<int>(heads.size()) != words + 1)
    throw usage_error("the tree to rearrange and the arc mask differ in length");
  int root_arcs = 0;
  for (int m = 1; m <= words; ++m) {
    const int h = heads[m];
    if (h < 0 || h > words || !mask_.allowed(h, m))
      throw usage_error("the tree to rearrange uses an arc that the mask forbids");
    root_arcs += h == 0;
  }
  if (number_descent(heads, first_, last_) != words + 1)
    throw usage_error("what is to be rearranged is not a tree");
  if (root_ == RootRule::single && root_arcs > 1)
    throw usage_error("the tree to rearrange has several root arcs");
  heads_ = heads;
}

bool Reattachments::keeps_tree(int m, int h) const {
  if (h == heads_[m] || !mask_.allowed(h, m)) return false;
  // With a single root child, nobody may join it at the root, and it may not leave.
  if (root_ == RootRule::single && (h == 0 || heads_[m] == 0)) return false;
  const bool below = first_[m] <= first_[h] && first_[h] <= last_[m];
  return !below;
}

}  // namespace copse
