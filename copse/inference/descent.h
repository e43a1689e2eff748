// The words of a tree in an order of descent: every word before those below it, and those below
// it right after it. "Is h below m?" is then one comparison.
#pragma once

#include <span>
#include <vector>

namespace copse {

class Descent {
 public:
  // heads[m] in 0..n for m = 1..n. False if some word does not reach the root: then it is no tree,
  // and nothing else may be asked. O(n).
  bool look_at(std::span<const int> heads);

  // Is h the word m itself, or below it?
  bool below(int h, int m) const { return first_[m] <= first_[h] && first_[h] <= last_[m]; }

 private:
  std::vector<int> first_, last_;  // [word]: its own place in the order, the last of those below
  std::vector<int> child_, sibling_;
};

}  // namespace copse
