#include "copse/inference/descent.h"

namespace copse {

bool Descent::look_at(std::span<const int> heads) {
  const int words = static_cast<int>(heads.size()) - 1;
  child_.assign(heads.size(), 0);
  sibling_.assign(heads.size(), 0);
  for (int m = words; m >= 1; --m) {
    sibling_[m] = child_[heads[m]];
    child_[heads[m]] = m;
  }
  first_.assign(heads.size(), 0);
  last_.assign(heads.size(), 0);
  order_.assign(1, 0);
  for (int here = 0;;) {
    if (child_[here] != 0) {
      here = child_[here];
    } else {
      // Up to the first word with a sibling left; all on the way have no more words below them.
      for (;; here = heads[here]) {
        last_[here] = static_cast<int>(order_.size()) - 1;
        if (here == 0) return order_.size() == heads.size();
        if (sibling_[here] != 0) break;
      }
      here = sibling_[here];
    }
    first_[here] = static_cast<int>(order_.size());
    order_.push_back(here);
  }
}

}  // namespace copse
