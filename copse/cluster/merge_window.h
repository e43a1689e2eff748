// The window of Brown clustering: clusters, the counts of their bigrams and, for every pair, what
// average mutual information would be lost by merging it (times the number of bigrams N).
//
//   N * AMI   = sum over A, B of n(A,B) log2( n(A,B) N / (l(A) r(B)) )
//             = sum f(n(A,B)) - sum w(A) log2 l(A) - sum v(B) log2 r(B) + const,   f(x) = x log2 x
//   loss(i,j) = left(i,j) + right(i,j) - four(i,j) - sum over x not i, j of T(i,j;x)
//   T(i,j;x)  = g(n(i,x),n(j,x)) + g(n(x,i),n(x,j)),     g(a,b) = f(a+b) - f(a) - f(b)
//   four(i,j) = f(n(i,i)+n(i,j)+n(j,i)+n(j,j)) - f(n(i,i)) - f(n(i,j)) - f(n(j,i)) - f(n(j,j))
//
// n counts bigrams inside the window, w and v are its sums by row and by column, l and r count all
// bigrams of the corpus; left and right are what merging loses by these sums (window_counts.h).
//
// For every pair kept(i,j) = four + sum T is stored and kept current. T(i,j;x) is zero unless x is
// a neighbour of both i and j on the same side, so adding a cluster with d neighbours, or merging
// one into another, costs O(d c), much less where cells are empty. left and right change for all
// pairs of a cluster whenever one of its neighbours enters the window, but they only grow then: the
// least loss is found by lower bounds on the rows (row_bounds.h), and left and right are computed
// for the few rows whose bound does not rule them out. All values are exact sums of fixed-point
// numbers (fixed_log.h): they equal a fresh computation, bit for bit, after any number of steps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "copse/base/shared_range.h"
#include "copse/base/thread_team.h"
#include "copse/cluster/fixed_log.h"
#include "copse/cluster/pair_table.h"
#include "copse/cluster/row_bounds.h"
#include "copse/cluster/third_clusters.h"
#include "copse/cluster/window_counts.h"

namespace copse {

class MergeWindow {
 public:
  using Slot = WindowCounts::Slot;
  using NewCluster = WindowCounts::NewCluster;  // its id is the name it goes by, whatever its slot
  struct Merged {
    std::uint32_t into;  // the smaller id, which the merged cluster keeps
    std::uint32_t from;
    Fixed loss;
    Slot slot;   // of the merged cluster
    Slot freed;  // the cluster of the last slot is here now, unless this was the last
  };

  // Room for `size` clusters. Keeps the references.
  MergeWindow(std::uint32_t size, const FixedLog& logs, ThreadTeam& team);

  // There must be room.
  Slot add(const NewCluster& cluster);
  // Merges the pair of least loss; of equal losses the pair with the smaller first, then the
  // smaller second id. There must be two clusters.
  Merged merge_least();

  std::uint32_t clusters() const { return counts_.clusters(); }
  std::uint32_t id(Slot slot) const { return ids_[slot]; }
  const WindowCounts& counts() const { return counts_; }
  // For tests.
  Fixed loss(Slot a, Slot b) const;

 private:
  // Cells of a neighbour x that enter what is kept by a new or merged cluster k: the count of
  // (k,x), or (x,k), was `before` and is `before + more`.
  struct Contribution {
    std::span<const Cell> cells;
    std::uint64_t before;
    std::uint64_t more;
  };
  // What one thread has found.
  struct alignas(64) Part {
    std::vector<Fixed> sums;  // of contributions, by slot
    bool used = false;
    RowBounds::Least least{};
  };

  // 1. What third clusters gain, and what neighbours contribute to the cluster itself.
  void list_contributions(Slot except, const ThirdClusters::Cells& cells);
  void update_third_clusters();
  void contribute(const Contribution& contribution, std::span<Fixed> sums) const;
  Fixed contributed(Slot slot) const;
  // 2. The cluster itself.
  void merge(Slot big, Slot small);
  template <class Keep>
  RowBounds::Least update_pairs_of(Slot slot, Slot gone, Keep&& keep);
  void remove(Slot empty);
  // 3. The least loss.
  RowBounds::Least search_row(Slot row) const;
  // Ties go to the pair with the smaller first, then the smaller second id.
  auto by_value_and_ids() const {
    return [this](const RowBounds::Least& a, const RowBounds::Least& b) {
      if (a.value != b.value) return a.value < b.value;
      return std::minmax(ids_[a.row], ids_[a.column]) < std::minmax(ids_[b.row], ids_[b.column]);
    };
  }

  // On all threads that are free if there is enough to do.
  template <class Work>
  void share(std::size_t amount, Work&& work);

  ThreadTeam& team_;
  const FixedLog& logs_;
  std::vector<std::uint32_t> ids_;  // by slot
  WindowCounts counts_;
  PairTable kept_;                          // four + sum T
  RowBounds bounds_;                        // of losses
  std::optional<RowBounds::Least> newest_;  // of the row of a cluster just added

  // Scratch.
  ThirdClusters thirds_;
  std::vector<Contribution> contributions_;
  std::size_t contributing_ = 0;  // cells of all of them
  SharedRange shared_contributions_, shared_slots_;
  std::vector<Part> parts_;  // by thread
};

}  // namespace copse
