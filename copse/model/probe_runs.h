// Whether searches in a hash table that was read from a file end soon. A table with open addressing
// is searched from a slot on until one that is free: tables made here are at most half full, and
// their longest run of taken slots grows with the logarithm of their size (95 slots among 10^8;
// Knuth vol. 3, 6.4). A file may hold any table; one that is fuller, or has a run that no table of
// ours has, is refused, so that no lookup takes more than kLongest steps, or twice as many around
// the end of the table.
#pragma once

#include <algorithm>
#include <cstddef>

namespace copse {

class ProbeRuns {
 public:
  static constexpr std::size_t kLongest = 1024;

  // The slots in order.
  void add(bool taken) {
    run_ = taken ? run_ + 1 : 0;
    longest_ = std::max(longest_, run_);
    taken_ += taken ? 1 : 0;
    ++slots_;
  }

  std::size_t taken() const { return taken_; }
  // At least half of the slots are free, and not all far away.
  bool good() const { return taken_ <= slots_ / 2 && longest_ <= kLongest; }

 private:
  std::size_t run_ = 0, longest_ = 0, taken_ = 0, slots_ = 0;
};

}  // namespace copse
