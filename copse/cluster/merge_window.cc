#include "copse/cluster/merge_window.h"

#include <functional>

namespace copse {
namespace {

// Less than this many visited cells are not worth the attention of other threads.
constexpr std::size_t kWorthSharing = 1200;
// What a thread takes at a time.
constexpr std::size_t kSlotsAtOnce = 64;
constexpr std::size_t kContributionsAtOnce = 4;
constexpr std::size_t kCellsOfContribution = 256;

}  // namespace

MergeWindow::MergeWindow(std::uint32_t size, const FixedLog& logs, ThreadTeam& team)
    : team_(team),
      logs_(logs),
      ids_(size),
      counts_(size, logs),
      kept_(size),
      bounds_(size),
      thirds_(size, logs),
      shared_contributions_(team.size()),
      shared_slots_(team.size()),
      parts_(static_cast<std::size_t>(team.size()), {std::vector<Fixed>(size)}) {}

MergeWindow::Slot MergeWindow::add(const NewCluster& cluster) {
  const ThirdClusters::Cells cells{cluster.follows, cluster.precedes};
  thirds_.see_added(cells);
  list_contributions(clusters(), cells);
  update_third_clusters();

  const Slot k = counts_.add(cluster);
  ids_[k] = cluster.id;
  newest_ = update_pairs_of(k, k, [&](Slot m) {
    Fixed kept = contributed(m);
    const ThirdClusters::Cross cross = thirds_.with_small(m);
    const std::uint64_t self = counts_.self(m);
    if (cluster.self + cross.sum() > 0) {
      kept += logs_.f(cluster.self + cross.sum() + self) - logs_.f(cluster.self) - logs_.f(self) -
              logs_.f(cross.follows) - logs_.f(cross.precedes);
    }
    return kept_.row(k)[m] = kept;
  });
  return k;
}

MergeWindow::Merged MergeWindow::merge_least() {
  const RowBounds::Least least = bounds_.least(clusters(), newest_, by_value_and_ids(),
                                               [this](Slot row) { return search_row(row); });
  newest_.reset();
  const auto [into, from] = std::minmax({ids_[least.row], ids_[least.column]});
  Slot big = least.row;
  Slot small = least.column;
  if (counts_.neighbours(big) < counts_.neighbours(small)) std::swap(big, small);
  merge(big, small);
  ids_[big] = into;
  if (big == clusters() - 1) big = small;
  remove(small);
  return {into, from, least.value, big, small};
}

// With N the merged cluster, B and S the two, x running over the neighbours of S,
//   kept(N,m) = kept(B,m) + four(N,m) - four(B,m) - T(B,m;S) + sum over x of [T(N,m;x) - T(B,m;x)].
void MergeWindow::merge(Slot big, Slot small) {
  const ThirdClusters::Cells of_small{counts_.follows(small), counts_.precedes(small)};
  const ThirdClusters::Cross between =
      thirds_.see_merged(big, {counts_.follows(big), counts_.precedes(big)}, small, of_small);
  list_contributions(big, of_small);
  update_third_clusters();

  const std::uint64_t self_before = counts_.self(big);
  counts_.merge(big, small);
  const std::uint64_t self = counts_.self(big);
  const Fixed selves = logs_.f(self_before) - logs_.f(self);
  update_pairs_of(big, small, [&](Slot m) {
    const ThirdClusters::Cross b = thirds_.with_big(m);
    const ThirdClusters::Cross s = thirds_.with_small(m);
    Fixed more_kept = contributed(m);
    const std::uint64_t four = self_before + b.sum() + counts_.self(m);
    const std::uint64_t more = self - self_before + s.sum();
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
}

// The last slot is given up, its cluster moves to `empty`.
void MergeWindow::remove(Slot empty) {
  counts_.remove(empty);
  const Slot last = clusters();
  if (empty == last) return;
  ids_[empty] = ids_[last];
  const WindowCounts::Marginals own = counts_.marginals(empty);
  const std::span<const Fixed> kept = kept_.row(last);
  for (Slot m = 0; m < last; ++m) {
    if (m == empty) continue;
    kept_(empty, m) = kept[m];
    if (m > empty) bounds_.admit(m, counts_.marginal_loss(own, m) - kept[m]);
  }
  bounds_.forget(empty);
}

void MergeWindow::list_contributions(Slot except, const ThirdClusters::Cells& cells) {
  contributions_.clear();
  contributing_ = 0;
  const auto list = [&](std::span<const Cell> of_x, std::uint64_t before, std::uint64_t more) {
    contributing_ += of_x.size();
    for (; !of_x.empty(); of_x = of_x.subspan(std::min(kCellsOfContribution, of_x.size()))) {
      contributions_.push_back(
          {of_x.first(std::min(kCellsOfContribution, of_x.size())), before, more});
    }
  };
  for (const Cell cell : cells.follows) {
    const Slot x = cell.column();
    if (x != except) list(counts_.precedes(x), thirds_.with_big(x).follows, cell.count());
  }
  for (const Cell cell : cells.precedes) {
    const Slot x = cell.column();
    if (x != except) list(counts_.follows(x), thirds_.with_big(x).precedes, cell.count());
  }
}

template <class Work>
void MergeWindow::share(std::size_t amount, Work&& work) {
  if (team_.size() == 1 || amount < kWorthSharing) {
    work(0);
  } else {
    team_.run(std::ref(work));
  }
}

// Who does what depends on the moment, the sums do not.
void MergeWindow::update_third_clusters() {
  for (Part& part : parts_) part.used = false;
  shared_contributions_.start(contributions_.size(), kContributionsAtOnce);
  shared_slots_.start(clusters(), kSlotsAtOnce);
  const std::span<const Slot> rows = thirds_.slots();
  share(contributing_ + thirds_.pairs(), [&](int thread) {
    Part& part = parts_[static_cast<std::size_t>(thread)];
    part.used = true;
    std::fill(part.sums.begin(), part.sums.end(), 0);
    shared_contributions_.for_each_block(thread, [&](std::size_t first, std::size_t end) {
      for (std::size_t i = first; i < end; ++i) contribute(contributions_[i], part.sums);
    });
    shared_slots_.for_each_block(thread, [&](std::size_t first, std::size_t end) {
      auto row = std::lower_bound(rows.begin(), rows.end(), first);
      for (; row != rows.end() && *row < end; ++row) {
        bounds_.lower(*row, thirds_.add_gains(*row, kept_.row(*row)));
      }
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

Fixed MergeWindow::contributed(Slot slot) const {
  Fixed total = 0;
  for (const Part& part : parts_) total += part.used ? part.sums[slot] : 0;
  return total;
}

// keep(m) updates what `slot` and m keep and returns it. The answer is the least of the row.
template <class Keep>
RowBounds::Least MergeWindow::update_pairs_of(Slot slot, Slot gone, Keep&& keep) {
  constexpr std::size_t kWorkPerSlot = 12;
  shared_slots_.start(clusters(), kSlotsAtOnce);
  const WindowCounts::Marginals own = counts_.marginals(slot);
  for (Part& part : parts_) part.least = {RowBounds::kNever, slot, slot};
  share(clusters() * kWorkPerSlot, [&](int thread) {
    RowBounds::Least least{RowBounds::kNever, slot, slot};
    shared_slots_.for_each_block(thread, [&](std::size_t first, std::size_t end) {
      for (auto m = std::max(static_cast<Slot>(first), slot + 1); m < end; ++m) {
        kept_.prefetch(m, slot);
      }
      for (auto m = static_cast<Slot>(first); m < end; ++m) {
        if (m == slot || m == gone) continue;
        const Fixed loss = counts_.marginal_loss(own, m) - keep(m);
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
  for (const Part& part : parts_) least = std::min(least, part.least, by_value_and_ids());
  bounds_.set(slot, least.value);
  return least;
}

RowBounds::Least MergeWindow::search_row(Slot row) const {
  const WindowCounts::Marginals own = counts_.marginals(row);
  const std::span<const Fixed> kept = kept_.row(row);
  RowBounds::Least least{RowBounds::kNever, row, row};
  for (Slot m = 0; m < row; ++m) {
    const Fixed loss = counts_.marginal_loss(own, m) - kept[m];
    if (loss <= least.value) least = std::min(least, {loss, row, m}, by_value_and_ids());
  }
  return least;
}

Fixed MergeWindow::loss(Slot a, Slot b) const {
  return counts_.marginal_loss(counts_.marginals(a), b) - kept_(a, b);
}

}  // namespace copse
