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
  int places = 1;  // the root has the first
  for (int here = 0;;) {
    if (child_[here] != 0) {
      here = child_[here];
    } else {
      // Up to the first word with a sibling left; all on the way have no more words below them.
      for (;; here = heads[here]) {
        last_[here] = places - 1;
        if (here == 0) return places == words + 1;
        if (sibling_[here] != 0) break;
      }
      here = sibling_[here];
    }
    first_[here] = places++;
  }
}

}  // namespace copse
