#include "copse/inference/constraints.h"

#include <cassert>

namespace copse {

void require_span(ArcMask& mask, int first, int last, int head) {
  assert(1 <= first && first <= head && head <= last && last <= mask.words());
  const auto inside = [&](int word) { return first <= word && word <= last; };
  for (int m = 1; m <= mask.words(); ++m)
    for (int h = 0; h <= mask.words(); ++h) {
      const bool wanted = inside(m) && m != head ? inside(h) : !inside(h);
      if (h != m && !wanted) mask.forbid(h, m);
    }
}

}  // namespace copse
