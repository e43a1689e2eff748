#include "copse/inference/rearrange.h"

#include "copse/base/error.h"

namespace copse {
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
  if (!descent_.look_at(heads)) throw usage_error("what is to be rearranged is not a tree");
  if (root_ == RootRule::single && root_arcs > 1)
    throw usage_error("the tree to rearrange has several root arcs");
  heads_ = heads;
}

bool Reattachments::keeps_tree(int m, int h) const {
  if (h == heads_[m] || !mask_.allowed(h, m)) return false;
  // With a single root child, nobody may join it at the root, and it may not leave.
  if (root_ == RootRule::single && (h == 0 || heads_[m] == 0)) return false;
  return !descent_.below(h, m);
}

}  // namespace copse
