#include "copse/cluster/window_counts.h"

#include <cassert>

namespace copse {

WindowCounts::WindowCounts(std::uint32_t size, const FixedLog& logs)
    : logs_(logs),
      left_(size),
      right_(size),
      left_inside_(size),
      right_inside_(size),
      weighed_(size),
      self_(size),
      follows_(size),
      precedes_(size) {
  assert(size <= SparseCounts::kLargestSize);
}

WindowCounts::Slot WindowCounts::add(const NewCluster& cluster) {
  const Slot k = clusters_++;
  assert(k < self_.size());
  left_[k] = cluster.left;
  right_[k] = cluster.right;
  self_[k] = left_inside_[k] = right_inside_[k] = cluster.self;
  for (const Cell cell : cluster.follows) {
    follows_.add(k, cell.column(), cell.count());
    precedes_.add(cell.column(), k, cell.count());
    left_inside_[k] += cell.count();
    right_inside_[cell.column()] += cell.count();
    weigh(cell.column());
  }
  for (const Cell cell : cluster.precedes) {
    precedes_.add(k, cell.column(), cell.count());
    follows_.add(cell.column(), k, cell.count());
    right_inside_[k] += cell.count();
    left_inside_[cell.column()] += cell.count();
    weigh(cell.column());
  }
  weigh(k);
  return k;
}

void WindowCounts::merge(Slot big, Slot small) {
  self_[big] += self_[small] + follows_(big, small) + follows_(small, big);
  follows_.clear(big, small);
  follows_.clear(small, big);
  precedes_.clear(big, small);
  precedes_.clear(small, big);
  give_cells(small, big);
  left_[big] += left_[small];
  right_[big] += right_[small];
  left_inside_[big] += left_inside_[small];
  right_inside_[big] += right_inside_[small];
  weigh(big);
}

void WindowCounts::remove(Slot empty) {
  const Slot last = --clusters_;
  if (empty == last) return;
  left_[empty] = left_[last];
  right_[empty] = right_[last];
  left_inside_[empty] = left_inside_[last];
  right_inside_[empty] = right_inside_[last];
  weighed_[empty] = weighed_[last];
  self_[empty] = self_[last];
  give_cells(last, empty);
}

// Adds the cells of one to those of the other and clears them.
void WindowCounts::give_cells(Slot from, Slot to) {
  for (const Cell cell : follows_.row(from)) {
    follows_.add(to, cell.column(), cell.count());
    precedes_.add(cell.column(), to, cell.count());
    precedes_.clear(cell.column(), from);
  }
  for (const Cell cell : precedes_.row(from)) {
    precedes_.add(to, cell.column(), cell.count());
    follows_.add(cell.column(), to, cell.count());
    follows_.clear(cell.column(), from);
  }
  follows_.clear_row(from);
  precedes_.clear_row(from);
}

void WindowCounts::weigh(Slot slot) {
  weighed_[slot] = FixedLog::times(left_inside_[slot], logs_.log(left_[slot])) +
                   FixedLog::times(right_inside_[slot], logs_.log(right_[slot]));
}

Fixed WindowCounts::information() const {
  Fixed total = 0;
  std::uint64_t bigrams = 0;
  for (Slot a = 0; a < clusters_; ++a) {
    for (const Cell cell : follows(a)) total += logs_.f(cell.count());
    total += logs_.f(self_[a]) - logs_.f(left_inside_[a]) - logs_.f(right_inside_[a]);
    bigrams += left_inside_[a];
  }
  return total + logs_.f(bigrams);
}

}  // namespace copse
