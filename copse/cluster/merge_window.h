// The window of Brown clustering: clusters, the counts of their bigrams and, for every pair, what
// average mutual information would be lost by merging it (times the number of bigrams N).
//
//   N * AMI   = sum over A, B of n(A,B) log2( n(A,B) N / (l(A) r(B)) )
//             = sum f(n(A,B)) - sum w(A) log2 l(A) - sum v(B) log2 r(B) + const,   f(x) = x log2 x
//   loss(i,j) = left(i,j) + right(i,j) - four(i,j) - sum over x not i, j of T(i,j;x)
//   left(i,j) = (w_i + w_j) log2(l_i + l_j) - w_i log2 l_i - w_j log2 l_j;  right: with v and r
//   T(i,j;x)  = g(n(i,x),n(j,x)) + g(n(x,i),n(x,j)),     g(a,b) = f(a+b) - f(a) - f(b)
//   four(i,j) = f(n(i,i)+n(i,j)+n(j,i)+n(j,j)) - f(n(i,i)) - f(n(i,j)) - f(n(j,i)) - f(n(j,j))
//
// n counts bigrams inside the window, w and v are its sums by row and by column. l and r are given
// when a cluster is added: they count all bigrams of the corpus, and equal w and v once all words
// are in the window.
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

#include "copse/base/thread_team.h"
#include "copse/cluster/fixed_log.h"
#include "copse/cluster/pair_table.h"
#include "copse/cluster/row_bounds.h"
#include "copse/cluster/sparse_counts.h"

namespace copse {

class MergeWindow {
 public:
  // Where a cluster lives: 0 to clusters() - 1, the newest in the last. Ids are the names it goes
  // by.
  using Slot = std::uint32_t;

  struct NewCluster {
    std::uint32_t id;
    std::uint64_t left;              // l: how often it is the first of a bigram
    std::uint64_t right;             // r: how often it is the second
    std::uint64_t self;              // n(k,k)
    std::span<const Cell> follows;   // (x, n(k,x)) for slots x in the window, each once, not zero
    std::span<const Cell> precedes;  // (x, n(x,k))
  };
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

  std::uint32_t clusters() const { return alive_; }
  std::uint32_t id(Slot slot) const { return ids_[slot]; }
  // N * AMI of the clusters as they are, of the bigrams inside the window alone.
  Fixed information() const;

  // For tests.
  Fixed loss(Slot a, Slot b) const;
  std::uint64_t count(Slot a, Slot b) const { return a == b ? self_[a] : follows_(a, b); }
  std::uint64_t left(Slot slot) const { return left_[slot]; }
  std::uint64_t right(Slot slot) const { return right_[slot]; }

 private:
  // A third cluster whose cells with the two that merge, in one direction, become one: `small` is
  // not zero. (When a cluster is added `big` is zero throughout.)
  struct Joined {
    Slot slot;
    std::uint64_t big;
    std::uint64_t small;
    std::uint64_t both;  // big + small
    Fixed one_sided;     // f(big) - f(both)
    Fixed two_sided;     // f(big) + f(small) - f(both)
  };
  // The third clusters in one direction, in the order of their slots.
  struct Direction {
    explicit Direction(std::uint32_t size)
        : joined_slots(size + 1),
          only_big(size + 1, Cell(0, 0)),
          joined_before(size),
          only_big_before(size) {}

    std::vector<Joined> joined;
    std::vector<Slot> joined_slots;            // with room for one more than there are
    std::vector<Cell> only_big;                // where `small` is zero; the same
    std::vector<std::uint16_t> joined_before;  // by slot: how many of `joined` come before it
    std::vector<std::uint16_t> only_big_before;
    std::uint64_t largest = 0;  // count of both
  };
  // Cells of a neighbour x that enter the losses of a new or merged cluster k: the count of (k,x),
  // or (x,k), was `before` and is `before + more`.
  struct Contribution {
    std::span<const Cell> cells;
    std::uint64_t before;
    std::uint64_t more;
  };
  // What one thread has added up.
  struct alignas(64) PartialSums {
    std::vector<Fixed> sums;  // by slot
    bool used = false;
    RowBounds::Least least{};
  };
  // What a cluster has in common with another.
  struct Cross {
    std::uint64_t follows = 0;   // the other follows it
    std::uint64_t precedes = 0;  // the other precedes it
    std::uint64_t sum() const { return follows + precedes; }
  };

  struct Marginals {
    std::uint64_t left, right;                // l and r
    std::uint64_t left_inside, right_inside;  // w and v
    Fixed weighed;                            // w log2 l + v log2 r
  };

  // 1. What changes between third clusters and what the neighbours contribute, in parallel.
  void clear_crosses();
  void expand(std::span<const Cell> follows, std::span<const Cell> precedes,
              std::vector<Cross>& crosses);
  void list_third_clusters();
  void list_third_clusters(Direction& direction, std::uint64_t Cross::*side);
  void list_contributions(Slot except, std::span<const Cell> follows,
                          std::span<const Cell> precedes);
  template <class RowUpdate>
  void update(RowUpdate&& update_row);
  void contribute(const Contribution& contribution, std::span<Fixed> sums) const;
  Fixed row_of_added(Slot row, const Direction& direction, std::uint64_t Cross::*side);
  Fixed row_of_merged(Slot row, const Direction& direction, std::uint64_t Cross::*side);
  Fixed contributed(Slot slot) const;
  // 2. The cluster itself.
  void settle(Slot slot, const NewCluster& cluster);
  void grow(const NewCluster& cluster);
  void merge(Slot big, Slot small);
  void join_marginals(Slot big, Slot small);
  void join_counts(Slot big, Slot small);
  void add_counts(Slot from, Slot to);
  void admit_pairs_of(Slot slot);
  void move(Slot from, Slot to);
  // 3. Losses.
  Marginals marginals(Slot slot) const {
    return {left_[slot], right_[slot], left_inside_[slot], right_inside_[slot], weighed_[slot]};
  }
  Fixed marginal_loss(const Marginals& own, Slot b) const;
  void weigh(Slot slot);
  template <class Keep>
  RowBounds::Least compute_losses(Slot slot, Slot gone, Keep&& keep);
  RowBounds::Least search_row(Slot row) const;
  // Ties go to the pair with the smaller first, then the smaller second id.
  auto by_value_and_ids() const {
    return [this](const RowBounds::Least& a, const RowBounds::Least& b) {
      if (a.value != b.value) return a.value < b.value;
      return std::minmax(ids_[a.row], ids_[a.column]) < std::minmax(ids_[b.row], ids_[b.column]);
    };
  }

  // On all threads that are free if there is enough to do.
  template <class Part>
  void run(std::size_t work, Part&& part);

  ThreadTeam& team_;
  const FixedLog& logs_;
  std::uint32_t size_;
  std::uint32_t alive_ = 0;
  std::vector<std::uint32_t> ids_;                         // this and the following by slot
  std::vector<std::uint64_t> left_, right_;                // l and r
  std::vector<std::uint64_t> left_inside_, right_inside_;  // w and v
  std::vector<Fixed> weighed_;                             // w log2 l + v log2 r
  std::vector<std::uint64_t> self_;                        // n(a,a)
  SparseCounts follows_;                    // row a, column b: n(a,b); the diagonal is in self_
  SparseCounts precedes_;                   // row b, column a: n(a,b)
  PairTable kept_;                          // four + sum T
  RowBounds bounds_;                        // of losses
  std::optional<RowBounds::Least> newest_;  // of the row of a cluster just added

  // Scratch.
  std::vector<Cross> of_big_, of_small_;  // by slot
  std::vector<std::uint64_t> marked_;     // bits by slot, zero between uses: where they were set
  std::vector<Slot> rows_;                // the same as a list, in order
  Direction following_, preceding_;
  std::vector<Contribution> contributions_;
  std::size_t work_ = 0;            // cells and pairs to be visited, about
  std::vector<PartialSums> parts_;  // by thread
};

}  // namespace copse
