#include "copse/cluster/merge_window.h"

#include <algorithm>
#include <atomic>
#include <cassert>

namespace copse {
namespace {

// Less than this many visited cells are not worth waking other threads.
constexpr std::size_t kWorthSharing = 8000;

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

// Slots in blocks, each with a thread that does it if it is there in time: a row is then mostly in
// the cache of the thread that gets it. Who has nothing left of its own takes of the others.
class SharedSlots {
 public:
  SharedSlots(std::uint32_t size, int threads)
      : size_(size), next_(static_cast<std::size_t>(threads)) {}

  template <class Visit>
  void for_each(int thread, Visit visit) {
    const auto threads = static_cast<std::uint32_t>(next_.size());
    for (std::uint32_t k = 0; k < threads; ++k) {
      const std::uint32_t owner = (static_cast<std::uint32_t>(thread) + k) % threads;
      for (;;) {
        const std::uint32_t turn = next_[owner].value.fetch_add(1, std::memory_order_relaxed);
        const std::uint32_t first = (turn * threads + owner) * kBlock;
        if (first >= size_) break;
        const std::uint32_t end = std::min(first + kBlock, size_);
        for (std::uint32_t slot = first; slot < end; ++slot) visit(slot);
      }
    }
  }

 private:
  static constexpr std::uint32_t kBlock = 16;
  struct alignas(64) Counter {
    std::atomic<std::uint32_t> value = 0;
  };

  std::uint32_t size_;
  std::vector<Counter> next_;
};

}  // namespace

// left(a,b) + right(a,b), given log2(l_a + l_b) and log2(r_a + r_b).
Fixed MergeWindow::marginal_loss(const Marginals& a, const Marginals& b, Fixed log_left,
                                 Fixed log_right) {
  return FixedLog::times(a.left_inside, log_left - a.log_left) +
         FixedLog::times(b.left_inside, log_left - b.log_left) +
         FixedLog::times(a.right_inside, log_right - a.log_right) +
         FixedLog::times(b.right_inside, log_right - b.log_right);
}

MergeWindow::MergeWindow(std::uint32_t size, const FixedLog& logs, ThreadTeam& team)
    : team_(team),
      logs_(logs),
      size_(size),
      ids_(size, kNoId),
      marginals_(size),
      self_(size),
      follows_(size),
      precedes_(size),
      losses_(size),
      log_left_(size, 0),
      log_right_(size, 0),
      of_big_(size),
      of_small_(size),
      left_growth_(size),
      right_growth_(size),
      own_growth_(size),
      growing_before_(size),
      parts_(static_cast<std::size_t>(team.size()), {std::vector<Fixed>(size)}),
      new_losses_(size),
      new_log_left_(size),
      new_log_right_(size) {
  assert(size <= SparseCounts::kLargestSize);
}

MergeWindow::Slot MergeWindow::add(const NewCluster& cluster) {
  const auto k = static_cast<Slot>(std::find(ids_.begin(), ids_.end(), kNoId) - ids_.begin());
  assert(k < size_);
  expand({}, {}, of_big_);
  expand(cluster.follows, cluster.precedes, of_small_);
  list_third_clusters();
  list_contributions(k, cluster.follows, cluster.precedes);
  list_growth();
  work_ += alive_ * (cluster.follows.size() + cluster.precedes.size());
  update([this](Slot row) {
    raise_row(row);
    return std::min(row_of_added(row, following_, &Cross::follows),
                    row_of_added(row, preceding_, &Cross::precedes));
  });

  Marginals own{cluster.left, cluster.right,           cluster.self,
                cluster.self, logs_.log(cluster.left), logs_.log(cluster.right)};
  for (const Cell cell : cluster.follows) {
    own.left_inside += cell.count();
    marginals_[cell.column()].right_inside += cell.count();
  }
  for (const Cell cell : cluster.precedes) {
    own.right_inside += cell.count();
    marginals_[cell.column()].left_inside += cell.count();
  }
  ids_[k] = cluster.id;
  marginals_[k] = own;
  self_[k] = cluster.self;
  ++alive_;
  compute_losses(k, k, [&](Slot m) {
    const Cross cross = of_small_[m];
    const std::uint64_t four = self_[k] + cross.sum() + self_[m];
    Fixed loss = losses_of_marginals(own, m) - contributed(m);
    if (four > 0) {
      loss -= logs_.f(four) - logs_.f(self_[k]) - logs_.f(self_[m]) - logs_.f(cross.follows) -
              logs_.f(cross.precedes);
    }
    return loss;
  });

  for (const Cell cell : cluster.follows) {
    follows_.add(k, cell.column(), cell.count());
    precedes_.add(cell.column(), k, cell.count());
  }
  for (const Cell cell : cluster.precedes) {
    precedes_.add(k, cell.column(), cell.count());
    follows_.add(cell.column(), k, cell.count());
  }
  return k;
}

MergeWindow::Merged MergeWindow::merge_least() {
  const PairLosses::Least least = losses_.least(ids_);
  const std::uint32_t into = ids_[least.first];
  const std::uint32_t from = ids_[least.second];
  const auto neighbours = [&](Slot slot) {
    return follows_.row(slot).size() + precedes_.row(slot).size();
  };
  Slot big = least.first;
  Slot small = least.second;
  if (neighbours(big) < neighbours(small)) std::swap(big, small);
  merge(big, small);
  ids_[big] = into;
  ids_[small] = kNoId;
  --alive_;
  return {into, from, least.loss, big};
}

// With N the merged cluster, B and S the two, x running over the neighbours of S,
//   loss(N,m) = loss(B,m) + left(N,m) - left(B,m) + right(N,m) - right(B,m)
//               - four(N,m) + four(B,m) + T(B,m;S) - sum over x of [T(N,m;x) - T(B,m;x)].
void MergeWindow::merge(Slot big, Slot small) {
  expand(follows_.row(big), precedes_.row(big), of_big_);
  expand(follows_.row(small), precedes_.row(small), of_small_);
  const Cross between = of_big_[small];
  of_big_[small] = of_small_[big] = {};
  list_third_clusters();
  list_contributions(big, follows_.row(small), precedes_.row(small));
  update([this](Slot row) {
    return std::min(row_of_merged(row, following_, &Cross::follows),
                    row_of_merged(row, preceding_, &Cross::precedes));
  });

  const std::uint64_t self = self_[big] + self_[small] + between.sum();
  const Fixed selves = logs_.f(self_[big]) - logs_.f(self);
  const Marginals before = marginals_[big];
  Marginals own = before;
  own.left += marginals_[small].left;
  own.right += marginals_[small].right;
  own.left_inside += marginals_[small].left_inside;
  own.right_inside += marginals_[small].right_inside;
  own.log_left = logs_.log(own.left);
  own.log_right = logs_.log(own.right);
  compute_losses(big, small, [&](Slot m) {
    const Cross b = of_big_[m];
    const Cross s = of_small_[m];
    Fixed loss = losses_(big, m) - contributed(m);
    loss += losses_of_marginals(own, m);
    loss -= marginal_loss(before, marginals_[m], log_left_(big, m), log_right_(big, m));
    const std::uint64_t four = self_[big] + b.sum() + self_[m];
    const std::uint64_t more = self - self_[big] + s.sum();
    if (more > 0) loss -= logs_.f(four + more) - logs_.f(four) + selves;
    if (s.follows > 0) {
      loss += logs_.f(b.follows + s.follows) - logs_.f(b.follows) +
              logs_.g(between.precedes, s.follows);
    }
    if (s.precedes > 0) {
      loss += logs_.f(b.precedes + s.precedes) - logs_.f(b.precedes) +
              logs_.g(between.follows, s.precedes);
    }
    return loss;
  });
  join_counts(big, small);
  self_[big] = self;
  marginals_[big] = own;
  losses_.remove(small);
}

void MergeWindow::join_counts(Slot big, Slot small) {
  follows_.clear(big, small);
  follows_.clear(small, big);
  precedes_.clear(big, small);
  precedes_.clear(small, big);
  for (const Cell cell : follows_.row(small)) {
    follows_.add(big, cell.column(), cell.count());
    precedes_.add(cell.column(), big, cell.count());
    precedes_.clear(cell.column(), small);
  }
  for (const Cell cell : precedes_.row(small)) {
    precedes_.add(big, cell.column(), cell.count());
    follows_.add(cell.column(), big, cell.count());
    follows_.clear(cell.column(), small);
  }
  follows_.clear_row(small);
  precedes_.clear_row(small);
}

void MergeWindow::expand(std::span<const Cell> follows, std::span<const Cell> precedes,
                         std::vector<Cross>& crosses) const {
  std::fill(crosses.begin(), crosses.end(), Cross{});
  for (const Cell cell : follows) crosses[cell.column()].follows = cell.count();
  for (const Cell cell : precedes) crosses[cell.column()].precedes = cell.count();
}

void MergeWindow::list_third_clusters() {
  list_third_clusters(following_, &Cross::follows);
  list_third_clusters(preceding_, &Cross::precedes);
  work_ = 0;
  for (const Direction* direction : {&following_, &preceding_}) {
    work_ += direction->joined.size() * (direction->joined.size() + direction->only_big.size());
  }
}

void MergeWindow::list_third_clusters(Direction& direction, std::uint64_t Cross::*side) const {
  direction.joined.clear();
  direction.only_big.clear();
  direction.joined_before.resize(size_);
  direction.only_big_before.resize(size_);
  direction.largest = 0;
  for (Slot slot = 0; slot < size_; ++slot) {
    direction.joined_before[slot] = static_cast<std::uint16_t>(direction.joined.size());
    direction.only_big_before[slot] = static_cast<std::uint16_t>(direction.only_big.size());
    const std::uint64_t big = of_big_[slot].*side;
    const std::uint64_t small = of_small_[slot].*side;
    direction.largest = std::max(direction.largest, big + small);
    if (small > 0) {
      const Fixed one_sided = logs_.f(big) - logs_.f(big + small);
      direction.joined.push_back(
          {slot, big, small, big + small, one_sided, one_sided + logs_.f(small)});
    } else if (big > 0) {
      direction.only_big.emplace_back(slot, big);
    }
  }
}

void MergeWindow::list_contributions(Slot except, std::span<const Cell> follows,
                                     std::span<const Cell> precedes) {
  contributions_.clear();
  const auto list = [&](std::span<const Cell> neighbours, const SparseCounts& others,
                        std::uint64_t Cross::*side) {
    for (const Cell cell : neighbours) {
      const Slot x = cell.column();
      if (x == except) continue;
      contributions_.push_back({others.row(x), of_big_[x].*side, cell.count()});
      work_ += contributions_.back().cells.size();
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
    team_.run(part);
  }
}

// Who does what depends on the moment, the sums do not.
template <class RowUpdate>
void MergeWindow::update(RowUpdate&& update_row) {
  for (PartialSums& part : parts_) part.used = false;
  std::atomic<std::size_t> next = 0;
  SharedSlots slots(size_, team_.size());
  run(work_, [&](int thread) {
    PartialSums& part = parts_[static_cast<std::size_t>(thread)];
    part.used = true;
    std::fill(part.sums.begin(), part.sums.end(), 0);
    for (std::size_t i;
         (i = next.fetch_add(1, std::memory_order_relaxed)) < contributions_.size();) {
      contribute(contributions_[i], part.sums);
    }
    slots.for_each(thread, [&](Slot row) {
      if (is_alive(row)) losses_.changed(row, update_row(row));
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

void MergeWindow::list_growth() {
  growing_.clear();
  for (Slot slot = 0; slot < size_; ++slot) {
    growing_before_[slot] = static_cast<std::uint16_t>(growing_.size());
    const Cross cross = of_small_[slot];
    const Marginals& marginals = marginals_[slot];
    left_growth_[slot] = cross.precedes;
    right_growth_[slot] = cross.follows;
    own_growth_[slot] = FixedLog::times(cross.precedes, marginals.log_left) +
                        FixedLog::times(cross.follows, marginals.log_right);
    if (cross.sum() > 0) growing_.push_back(slot);
  }
}

// A new cluster k adds n(x,k) to w_x and n(k,x) to v_x, so left(x,t) and right(x,t) rise for all t.
// Here for the pairs of a row: both of a pair may grow.
void MergeWindow::raise_row(Slot row) {
  constexpr std::size_t kSparse = 4;  // a scattered access costs as much as so many in sequence
  Fixed* const __restrict losses = losses_.row(row).data();
  const Fixed* const __restrict log_left = log_left_.row(row).data();
  const Fixed* const __restrict log_right = log_right_.row(row).data();
  const std::uint64_t left = left_growth_[row];
  const std::uint64_t right = right_growth_[row];
  const std::size_t growing = growing_before_[row];
  if (left + right == 0 && growing * kSparse < row) {
    for (const Slot t : std::span(growing_.data(), growing)) {
      losses[t] += FixedLog::times(left_growth_[t], log_left[t]) +
                   FixedLog::times(right_growth_[t], log_right[t]) - own_growth_[t];
    }
    return;
  }
  const std::uint64_t* const __restrict left_growth = left_growth_.data();
  const std::uint64_t* const __restrict right_growth = right_growth_.data();
  const Fixed* const __restrict own_growth = own_growth_.data();
  const Fixed own = own_growth[row];
  for (Slot t = 0; t < row; ++t) {
    losses[t] += FixedLog::times(left + left_growth[t], log_left[t]) +
                 FixedLog::times(right + right_growth[t], log_right[t]) - own_growth[t] - own;
  }
}

// loss(row,t) -= g(n(row,k), n(t,k)), and the same for the other direction.
Fixed MergeWindow::row_of_added(Slot row, const Direction& direction, std::uint64_t Cross::*side) {
  const std::uint64_t own = of_small_[row].*side;
  if (own == 0) return PairLosses::kNever;
  const std::span<Fixed> losses = losses_.row(row);
  Fixed least = PairLosses::kNever;
  const std::span joined(direction.joined.data(), direction.joined_before[row]);
  with_f(logs_, own + direction.largest, [&](const auto& f) {
    const Fixed constant = f(own);
    for (const Joined& other : joined) {
      // With nothing before, one_sided is -f(small).
      const Fixed gain = f(own + other.small) - constant + other.one_sided;
      least = std::min(least, losses[other.slot] -= gain);
    }
  });
  return least;
}

// loss(row,t) -= g(a+b, p+q) - g(a,p) - g(b,q), where a, b are the counts of the row with the big
// and the small one of the two that merge, p, q those of t.
Fixed MergeWindow::row_of_merged(Slot row, const Direction& direction, std::uint64_t Cross::*side) {
  const std::uint64_t big = of_big_[row].*side;
  const std::uint64_t small = of_small_[row].*side;
  const std::uint64_t both = big + small;
  if (both == 0) return PairLosses::kNever;
  const std::span<Fixed> losses = losses_.row(row);
  Fixed least = PairLosses::kNever;
  const std::span joined(direction.joined.data(), direction.joined_before[row]);
  with_f(logs_, both + direction.largest, [&](const auto& f) {
    if (small == 0) {
      for (const Joined& other : joined) {
        const Fixed gain = f(big + other.both) - f(big + other.big) + other.one_sided;
        least = std::min(least, losses[other.slot] -= gain);
      }
      return;
    }
    const Fixed one_sided = f(big) - f(both);
    const Fixed two_sided = one_sided + f(small);
    for (const Joined& other : joined) {
      const Fixed gain = f(both + other.both) - f(big + other.big) - f(small + other.small) +
                         other.two_sided + two_sided;
      least = std::min(least, losses[other.slot] -= gain);
    }
    for (const Cell& other : std::span(direction.only_big.data(), direction.only_big_before[row])) {
      const Fixed gain = f(both + other.count()) - f(big + other.count()) + one_sided;
      least = std::min(least, losses[other.column()] -= gain);
    }
  });
  return least;
}

template <class Loss>
void MergeWindow::compute_losses(Slot of, Slot gone, Loss&& loss) {
  constexpr std::size_t kWorkPerSlot = 12;
  SharedSlots slots(size_, team_.size());
  run(alive_ * kWorkPerSlot, [&](int thread) {
    slots.for_each(thread, [&](Slot m) {
      const bool pairs = is_alive(m) && m != of && m != gone;
      new_losses_[m] = pairs ? loss(m) : PairLosses::kNever;
    });
  });
  log_left_.replace(of, new_log_left_);
  log_right_.replace(of, new_log_right_);
  losses_.replace(of, new_losses_);
}

Fixed MergeWindow::contributed(Slot slot) const {
  Fixed total = 0;
  for (const PartialSums& part : parts_) total += part.used ? part.sums[slot] : 0;
  return total;
}

// left + right of the cluster whose losses are being computed and another.
Fixed MergeWindow::losses_of_marginals(const Marginals& own, Slot m) {
  new_log_left_[m] = logs_.log(own.left + marginals_[m].left);
  new_log_right_[m] = logs_.log(own.right + marginals_[m].right);
  return marginal_loss(own, marginals_[m], new_log_left_[m], new_log_right_[m]);
}

Fixed MergeWindow::information() const {
  Fixed total = 0;
  std::uint64_t bigrams = 0;
  for (Slot a = 0; a < size_; ++a) {
    if (!is_alive(a)) continue;
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
