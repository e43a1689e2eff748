// Which arcs (h, m) a tree may use. Pruning, partial annotation and user constraints are all
// this one thing: a forbidden arc is a cleared bit, a required arc is a modifier whose only
// surviving head it is. Words are 1..n, 0 is the root; (h, m) with h in 0..n, m in 1..n, h != m.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace copse {

// May the root have several modifiers?
enum class RootRule { single, multi };

class ArcMask {
 public:
  // Every arc allowed.
  explicit ArcMask(int words);
  // No arc allowed; add them with allow().
  static ArcMask none(int words);

  int words() const { return words_; }
  bool allowed(int h, int m) const { return bits_[index(h, m)] != 0; }

  void allow(int h, int m);
  void forbid(int h, int m) { bits_[index(h, m)] = 0; }
  // Forbids every other head of m; an already forbidden (h, m) stays forbidden, so that two
  // contradicting requirements leave m without a head and the searcher reports no tree.
  void require(int h, int m);

  // The surviving heads of m in rising order, found anew in O(n).
  std::vector<int> heads(int m) const;
  int arcs() const;  // how many survive

 private:
  std::size_t index(int h, int m) const {
    return static_cast<std::size_t>(m) * (static_cast<std::size_t>(words_) + 1) +
           static_cast<std::size_t>(h);
  }

  int words_;
  std::vector<std::uint8_t> bits_;  // [m][h]; row 0 and the diagonal are never set
};

}  // namespace copse
