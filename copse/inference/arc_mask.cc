#include "copse/inference/arc_mask.h"

#include <algorithm>
#include <cassert>

namespace copse {

ArcMask ArcMask::none(int words) {
  assert(words >= 0);
  ArcMask mask(0);
  mask.words_ = words;
  const auto side = static_cast<std::size_t>(words) + 1;
  mask.bits_.assign(side * side, 0);
  return mask;
}

ArcMask::ArcMask(int words) : words_(words) {
  const auto side = static_cast<std::size_t>(words) + 1;
  bits_.assign(side * side, 0);
  for (int m = 1; m <= words; ++m)
    for (int h = 0; h <= words; ++h) bits_[index(h, m)] = h != m;
}

void ArcMask::allow(int h, int m) {
  assert(m >= 1 && m <= words_ && h >= 0 && h <= words_ && h != m);
  bits_[index(h, m)] = 1;
}

void ArcMask::require(int h, int m) {
  for (int other = 0; other <= words_; ++other)
    if (other != h) forbid(other, m);
}

std::vector<int> ArcMask::heads(int m) const {
  std::vector<int> found;
  for (int h = 0; h <= words_; ++h)
    if (allowed(h, m)) found.push_back(h);
  return found;
}

int ArcMask::arcs() const {
  return static_cast<int>(std::count(bits_.begin(), bits_.end(), std::uint8_t{1}));
}

}  // namespace copse
