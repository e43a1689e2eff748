#include "copse/cluster/merge_window.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cassert>
#include <functional>

namespace copse {
namespace {

// Less than this many visited cells are not worth waking other threads.
constexpr std::size_t kWorthSharing = 1200;
// What a thread takes at a time.
constexpr std::size_t kSlotBlock = 16;
constexpr std::size_t kNeighbourBlock = 2;
constexpr std::size_t kCellsAtOnce = 256;

// f where every argument is known to be in the table.
struct Tabled {
  const Fixed* table;
  Fixed operator()(std::uint64_t x) const { return table[x]; }
};

// Calls visit with the fastest form of f that is right for arguments up to `largest`.
template <class Visit>
auto with_f(const FixedLog& logs, std::uint64_t largest, Visit visit) {
  return largest < FixedLog::kTabled ? visit(Tabled{logs.table()})
                                     : visit([&](std::uint64_t x) { return logs.f(x); });
}

// A range in blocks, each with a thread that does it if it is there in time: what belongs to a slot
// is then mostly in the cache of the thread that gets it. Who has nothing left of its own takes of
// the others.
class SharedRange {
 public:
  SharedRange(std::size_t size, std::size_t block, int threads)
      : size_(size), block_(block), next_(static_cast<std::size_t>(threads)) {}

  template <class Visit>
  void for_each(int thread, Visit visit) {
    const std::size_t threads = next_.size();
    for (std::size_t k = 0; k < threads; ++k) {
      const std::size_t owner = (static_cast<std::size_t>(thread) + k) % threads;
      for (;;) {
        const std::size_t turn = next_[owner].value.fetch_add(1, std::memory_order_relaxed);
        const std::size_t first = (turn * threads + owner) * block_;
        if (first >= size_) break;
        visit(first, std::min(first + block_, size_));
      }
    }
  }

 private:
  struct alignas(64) Counter {
    std::atomic<std::size_t> value = 0;
  };

  std::size_t size_;
  std::size_t block_;
  std::vector<Counter> next_;
};

}  // namespace

MergeWindow::MergeWindow(std::uint32_t size, const FixedLog& logs, ThreadTeam& team)
    : team_(team),
      logs_(logs),
      size_(size),
      ids_(size),
      left_(size),
      right_(size),
      left_inside_(size),
      right_inside_(size),
      weighed_(size),
      self_(size),
      follows_(size),
      precedes_(size),
      kept_(size),
      bounds_(size),
      of_big_(size),
      of_small_(size),
      marked_(size / 64 + 1),
      following_(size),
      preceding_(size),
      parts_(static_cast<std::size_t>(team.size()), {std::vector<Fixed>(size)}) {
  assert(size <= SparseCounts::kLargestSize);
}

MergeWindow::Slot MergeWindow::add(const NewCluster& cluster) {
  const Slot k = alive_;
  assert(k < size_);
  clear_crosses();
  expand(cluster.follows, cluster.precedes, of_small_);
  list_third_clusters();
  list_contributions(k, cluster.follows, cluster.precedes);
  update([this](Slot row) {
    return row_of_added(row, following_, &Cross::follows) +
           row_of_added(row, preceding_, &Cross::precedes);
  });

  grow(cluster);
  settle(k, cluster);
  newest_ = compute_losses(k, k, [&](Slot m) {
    Fixed kept = contributed(m);
    const Cross cross = of_small_[m];
    if (cluster.self + cross.sum() > 0) {
      kept += logs_.f(cluster.self + cross.sum() + self_[m]) - logs_.f(cluster.self) -
              logs_.f(self_[m]) - logs_.f(cross.follows) - logs_.f(cross.precedes);
    }
    return kept_.row(k)[m] = kept;
  });
  ++alive_;
  return k;
}

// A new cluster k adds n(x,k) to w_x and n(k,x) to v_x.
void MergeWindow::grow(const NewCluster& cluster) {
  for (const Cell cell : cluster.follows) right_inside_[cell.column()] += cell.count();
  for (const Cell cell : cluster.precedes) left_inside_[cell.column()] += cell.count();
  for (const Cell cell : cluster.follows) weigh(cell.column());
  for (const Cell cell : cluster.precedes) weigh(cell.column());
}

void MergeWindow::settle(Slot slot, const NewCluster& cluster) {
  ids_[slot] = cluster.id;
  left_[slot] = cluster.left;
  right_[slot] = cluster.right;
  self_[slot] = left_inside_[slot] = right_inside_[slot] = cluster.self;
  for (const Cell cell : cluster.follows) {
    left_inside_[slot] += cell.count();
    follows_.add(slot, cell.column(), cell.count());
    precedes_.add(cell.column(), slot, cell.count());
  }
  for (const Cell cell : cluster.precedes) {
    right_inside_[slot] += cell.count();
    precedes_.add(slot, cell.column(), cell.count());
    follows_.add(cell.column(), slot, cell.count());
  }
  weigh(slot);
}

void MergeWindow::weigh(Slot slot) {
  weighed_[slot] = FixedLog::times(left_inside_[slot], logs_.log(left_[slot])) +
                   FixedLog::times(right_inside_[slot], logs_.log(right_[slot]));
}

// left(a,b) + right(a,b), with `own` of a.
inline Fixed MergeWindow::marginal_loss(const Marginals& own, Slot b) const {
  return FixedLog::times(own.left_inside + left_inside_[b], logs_.log(own.left + left_[b])) +
         FixedLog::times(own.right_inside + right_inside_[b], logs_.log(own.right + right_[b])) -
         own.weighed - weighed_[b];
}

Fixed MergeWindow::loss(Slot a, Slot b) const {
  return marginal_loss(marginals(a), b) - kept_(a, b);
}

// keep(m) updates what is kept of `slot` and m and returns it. The answer is the least of the row.
template <class Keep>
RowBounds::Least MergeWindow::compute_losses(Slot slot, Slot gone, Keep&& keep) {
  constexpr std::size_t kWorkPerSlot = 12;
  SharedRange slots(alive_, kSlotBlock, team_.size());
  const Marginals own = marginals(slot);
  for (PartialSums& part : parts_) part.least = {RowBounds::kNever, slot, slot};
  run(alive_ * kWorkPerSlot, [&](int thread) {
    RowBounds::Least least{RowBounds::kNever, slot, slot};
    slots.for_each(thread, [&](std::size_t first, std::size_t end) {
      for (auto m = std::max(static_cast<Slot>(first), slot + 1); m < end; ++m) {
        kept_.prefetch(m, slot);
      }
      for (auto m = static_cast<Slot>(first); m < end; ++m) {
        if (m == slot || m == gone) continue;
        const Fixed loss = marginal_loss(own, m) - keep(m);
        if (m < slot) {
          least = std::min(least, {loss, slot, m}, by_value_and_ids());
        } else {
          bounds_.admit(m, loss);
        }
      }
    });
    parts_[static_cast<std::size_t>(thread)].least = least;
  });
  RowBounds::Least least{RowBounds::kNever, slot, slot};
  for (const PartialSums& part : parts_) least = std::min(least, part.least, by_value_and_ids());
  bounds_.set(slot, least.value);
  return least;
}

RowBounds::Least MergeWindow::search_row(Slot row) const {
  const Marginals own = marginals(row);
  const std::span<const Fixed> kept = kept_.row(row);
  RowBounds::Least least{RowBounds::kNever, row, row};
  for (Slot m = 0; m < row; ++m) {
    const Fixed loss = marginal_loss(own, m) - kept[m];
    if (loss <= least.value) least = std::min(least, {loss, row, m}, by_value_and_ids());
  }
  return least;
}

MergeWindow::Merged MergeWindow::merge_least() {
  const RowBounds::Least least = bounds_.least(alive_, newest_, by_value_and_ids(),
                                               [this](Slot row) { return search_row(row); });
  newest_.reset();
  const auto [into, from] = std::minmax({ids_[least.row], ids_[least.column]});
  const auto neighbours = [&](Slot slot) {
    return follows_.row(slot).size() + precedes_.row(slot).size();
  };
  Slot big = least.row;
  Slot small = least.column;
  if (neighbours(big) < neighbours(small)) std::swap(big, small);
  merge(big, small);
  ids_[big] = into;

  const Slot last = --alive_;
  if (small != last) {
    move(last, small);
    admit_pairs_of(small);
    if (big == last) big = small;
  }
  return {into, from, least.value, big, small};
}

// With N the merged cluster, B and S the two, x running over the neighbours of S,
//   kept(N,m) = kept(B,m) + four(N,m) - four(B,m) - T(B,m;S) + sum over x of [T(N,m;x) - T(B,m;x)].
void MergeWindow::merge(Slot big, Slot small) {
  clear_crosses();
  expand(follows_.row(big), precedes_.row(big), of_big_);
  expand(follows_.row(small), precedes_.row(small), of_small_);
  const Cross between = of_big_[small];
  of_big_[small] = of_small_[big] = {};
  list_third_clusters();
  list_contributions(big, follows_.row(small), precedes_.row(small));
  update([this](Slot row) {
    return row_of_merged(row, following_, &Cross::follows) +
           row_of_merged(row, preceding_, &Cross::precedes);
  });

  join_marginals(big, small);
  const std::uint64_t self = self_[big] + self_[small] + between.sum();
  const Fixed selves = logs_.f(self_[big]) - logs_.f(self);
  compute_losses(big, small, [&](Slot m) {
    const Cross b = of_big_[m];
    const Cross s = of_small_[m];
    Fixed more_kept = contributed(m);
    const std::uint64_t four = self_[big] + b.sum() + self_[m];
    const std::uint64_t more = self - self_[big] + s.sum();
    if (more > 0) more_kept += logs_.f(four + more) - logs_.f(four) + selves;
    if (s.follows > 0) {
      more_kept -= logs_.f(b.follows + s.follows) - logs_.f(b.follows) +
                   logs_.g(between.precedes, s.follows);
    }
    if (s.precedes > 0) {
      more_kept -= logs_.f(b.precedes + s.precedes) - logs_.f(b.precedes) +
                   logs_.g(between.follows, s.precedes);
    }
    return kept_(big, m) += more_kept;
  });
  join_counts(big, small);
  self_[big] = self;
}

void MergeWindow::join_marginals(Slot big, Slot small) {
  left_[big] += left_[small];
  right_[big] += right_[small];
  left_inside_[big] += left_inside_[small];
  right_inside_[big] += right_inside_[small];
  weigh(big);
}

// Pairs have another place.
void MergeWindow::admit_pairs_of(Slot slot) {
  bounds_.forget(slot);
  const Marginals own = marginals(slot);
  for (Slot m = slot + 1; m < alive_; ++m) {
    bounds_.admit(m, marginal_loss(own, m) - kept_.row(m)[slot]);
  }
}

// The cluster of slot `from`, the last, to the free slot `to`.
void MergeWindow::move(Slot from, Slot to) {
  ids_[to] = ids_[from];
  left_[to] = left_[from];
  right_[to] = right_[from];
  left_inside_[to] = left_inside_[from];
  right_inside_[to] = right_inside_[from];
  weighed_[to] = weighed_[from];
  self_[to] = self_[from];
  for (Slot m = 0; m < from; ++m) {
    if (m != to) kept_(to, m) = kept_.row(from)[m];
  }
  add_counts(from, to);
}

void MergeWindow::join_counts(Slot big, Slot small) {
  follows_.clear(big, small);
  follows_.clear(small, big);
  precedes_.clear(big, small);
  precedes_.clear(small, big);
  add_counts(small, big);
}

// Adds the cells of one to those of the other and clears them.
void MergeWindow::add_counts(Slot from, Slot to) {
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

void MergeWindow::clear_crosses() {
  for (const Slot slot : rows_) of_big_[slot] = of_small_[slot] = {};
}

void MergeWindow::expand(std::span<const Cell> follows, std::span<const Cell> precedes,
                         std::vector<Cross>& crosses) {
  const auto mark = [this](Slot slot) { marked_[slot / 64] |= std::uint64_t{1} << (slot % 64); };
  for (const Cell cell : follows) {
    crosses[cell.column()].follows = cell.count();
    mark(cell.column());
  }
  for (const Cell cell : precedes) {
    crosses[cell.column()].precedes = cell.count();
    mark(cell.column());
  }
}

void MergeWindow::list_third_clusters() {
  rows_.clear();
  for (std::size_t i = 0; i < marked_.size(); ++i) {
    for (; marked_[i] != 0; marked_[i] &= marked_[i] - 1) {
      rows_.push_back(
          static_cast<Slot>(i * 64 + static_cast<unsigned>(std::countr_zero(marked_[i]))));
    }
  }
  work_ = 0;
  list_third_clusters(following_, &Cross::follows);
  list_third_clusters(preceding_, &Cross::precedes);
}

// Which slots are on which list is close to random, so the loop does not branch on it.
void MergeWindow::list_third_clusters(Direction& direction, std::uint64_t Cross::*side) {
  std::uint64_t largest = 0;
  std::uint16_t joined = 0;
  std::uint16_t only_big = 0;
  for (const Slot slot : rows_) {
    const std::uint64_t big = of_big_[slot].*side;
    const std::uint64_t small = of_small_[slot].*side;
    largest = std::max(largest, big + small);
    direction.joined_before[slot] = joined;
    direction.only_big_before[slot] = only_big;
    direction.joined_slots[joined] = slot;
    direction.only_big[only_big] = Cell(slot, big);
    joined = static_cast<std::uint16_t>(joined + (small > 0 ? 1 : 0));
    only_big = static_cast<std::uint16_t>(only_big + (small == 0 && big > 0 ? 1 : 0));
  }
  direction.largest = largest;
  direction.joined.clear();
  for (const Slot slot : std::span(direction.joined_slots).first(joined)) {
    const std::uint64_t big = of_big_[slot].*side;
    const std::uint64_t small = of_small_[slot].*side;
    const Fixed one_sided = logs_.f(big) - logs_.f(big + small);
    direction.joined.push_back(
        {slot, big, small, big + small, one_sided, one_sided + logs_.f(small)});
  }
  work_ += joined * (std::size_t{joined} + only_big);
}

void MergeWindow::list_contributions(Slot except, std::span<const Cell> follows,
                                     std::span<const Cell> precedes) {
  contributions_.clear();
  const auto list = [&](std::span<const Cell> neighbours, const SparseCounts& others,
                        std::uint64_t Cross::*side) {
    for (const Cell cell : neighbours) {
      const Slot x = cell.column();
      if (x == except) continue;
      const std::span<const Cell> cells = others.row(x);
      for (std::size_t first = 0; first < cells.size(); first += kCellsAtOnce) {
        contributions_.push_back(
            {cells.subspan(first, std::min(kCellsAtOnce, cells.size() - first)), of_big_[x].*side,
             cell.count()});
      }
      work_ += cells.size();
    }
  };
  list(follows, precedes_, &Cross::follows);
  list(precedes, follows_, &Cross::precedes);
}

template <class Part>
void MergeWindow::run(std::size_t work, Part&& part) {
  if (team_.size() == 1 || work < kWorthSharing) {
    part(0);
  } else {
    team_.run(std::ref(part));
  }
}

// Who does what depends on the moment, the sums do not.
template <class RowUpdate>
void MergeWindow::update(RowUpdate&& update_row) {
  for (PartialSums& part : parts_) part.used = false;
  SharedRange neighbours(contributions_.size(), kNeighbourBlock, team_.size());
  SharedRange slots(alive_, kSlotBlock, team_.size());
  run(work_, [&](int thread) {
    PartialSums& part = parts_[static_cast<std::size_t>(thread)];
    part.used = true;
    std::fill(part.sums.begin(), part.sums.end(), 0);
    neighbours.for_each(thread, [&](std::size_t first, std::size_t end) {
      for (std::size_t i = first; i < end; ++i) contribute(contributions_[i], part.sums);
    });
    slots.for_each(thread, [&](std::size_t first, std::size_t end) {
      auto row = std::lower_bound(rows_.begin(), rows_.end(), first);
      for (; row != rows_.end() && *row < end; ++row) bounds_.lower(*row, update_row(*row));
    });
  });
}

// g(before + more, w) - g(before, w) for the cells (m, w) of a neighbour.
void MergeWindow::contribute(const Contribution& contribution, std::span<Fixed> sums) const {
  const auto [cells, before, more] = contribution;
  const std::uint64_t after = before + more;
  std::uint64_t largest = 0;
  for (const Cell cell : cells) largest = std::max(largest, cell.count());
  with_f(logs_, largest + after, [&, cells = cells, before = before](const auto& f) {
    const Fixed constant = f(before) - f(after);
    for (const Cell cell : cells) {
      sums[cell.column()] += f(after + cell.count()) - f(before + cell.count()) + constant;
    }
  });
}

// kept(row,t) += g(n(row,k), n(t,k)), one direction. Returns the most that any has gained.
Fixed MergeWindow::row_of_added(Slot row, const Direction& direction, std::uint64_t Cross::*side) {
  const std::uint64_t own = of_small_[row].*side;
  if (own == 0) return 0;
  const std::span<Fixed> kept = kept_.row(row);
  Fixed most = 0;
  const std::span joined(direction.joined.data(), direction.joined_before[row]);
  with_f(logs_, own + direction.largest, [&](const auto& f) {
    const Fixed constant = f(own);
    for (const Joined& other : joined) {
      // With nothing before, one_sided is -f(small).
      const Fixed gain = f(own + other.small) - constant + other.one_sided;
      kept[other.slot] += gain;
      most = std::max(most, gain);
    }
  });
  return most;
}

// kept(row,t) += g(a+b, p+q) - g(a,p) - g(b,q), where a, b are the counts of the row with the big
// and the small one of the two that merge, p, q those of t.
Fixed MergeWindow::row_of_merged(Slot row, const Direction& direction, std::uint64_t Cross::*side) {
  const std::uint64_t big = of_big_[row].*side;
  const std::uint64_t small = of_small_[row].*side;
  const std::uint64_t both = big + small;
  if (both == 0) return 0;
  const std::span<Fixed> kept = kept_.row(row);
  Fixed most = 0;
  const std::span joined(direction.joined.data(), direction.joined_before[row]);
  with_f(logs_, both + direction.largest, [&](const auto& f) {
    if (small == 0) {
      for (const Joined& other : joined) {
        const Fixed gain = f(big + other.both) - f(big + other.big) + other.one_sided;
        kept[other.slot] += gain;
        most = std::max(most, gain);
      }
      return;
    }
    const Fixed one_sided = f(big) - f(both);
    const Fixed two_sided = one_sided + f(small);
    for (const Joined& other : joined) {
      const Fixed gain = f(both + other.both) - f(big + other.big) - f(small + other.small) +
                         other.two_sided + two_sided;
      kept[other.slot] += gain;
      most = std::max(most, gain);
    }
    for (const Cell& other : std::span(direction.only_big.data(), direction.only_big_before[row])) {
      const Fixed gain = f(both + other.count()) - f(big + other.count()) + one_sided;
      kept[other.column()] += gain;
      most = std::max(most, gain);
    }
  });
  return most;
}

Fixed MergeWindow::contributed(Slot slot) const {
  Fixed total = 0;
  for (const PartialSums& part : parts_) total += part.used ? part.sums[slot] : 0;
  return total;
}

Fixed MergeWindow::information() const {
  Fixed total = 0;
  std::uint64_t bigrams = 0;
  for (Slot a = 0; a < alive_; ++a) {
    std::uint64_t left = self_[a];
    std::uint64_t right = self_[a];
    for (const Cell cell : follows_.row(a)) {
      total += logs_.f(cell.count());
      left += cell.count();
    }
    for (const Cell cell : precedes_.row(a)) right += cell.count();
    total += logs_.f(self_[a]) - logs_.f(left) - logs_.f(right);
    bigrams += left;
  }
  return total + logs_.f(bigrams);
}

}  // namespace copse
