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
// Losses are kept current. T(i,j;x) is zero unless x is a neighbour of both i and j on the same
// side, so adding a cluster with d neighbours, or merging one into another, costs O(d c), much less
// where cells are empty. All values are exact sums of fixed-point numbers (fixed_log.h): they equal
// a fresh computation, bit for bit, after any number of steps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "copse/base/thread_team.h"
#include "copse/cluster/fixed_log.h"
#include "copse/cluster/pair_losses.h"
#include "copse/cluster/sparse_counts.h"

namespace copse {

class MergeWindow {
 public:
  using Slot = std::uint32_t;  // where a cluster lives; ids are the names it goes by

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
    Slot slot;
  };

  // Room for `size` clusters. Keeps the references.
  MergeWindow(std::uint32_t size, const FixedLog& logs, ThreadTeam& team);

  // There must be room.
  Slot add(const NewCluster& cluster);
  // Merges the pair of least loss; of equal losses the pair with the smaller first, then the
  // smaller second id. There must be two clusters.
  Merged merge_least();

  std::uint32_t clusters() const { return alive_; }
  // N * AMI of the clusters as they are, of the bigrams inside the window alone.
  Fixed information() const;

  // For tests.
  bool is_alive(Slot slot) const { return ids_[slot] != kNoId; }
  std::uint32_t id(Slot slot) const { return ids_[slot]; }
  Fixed loss(Slot a, Slot b) const { return losses_(a, b); }
  std::uint64_t count(Slot a, Slot b) const { return a == b ? self_[a] : follows_(a, b); }
  std::uint64_t left(Slot slot) const { return marginals_[slot].left; }
  std::uint64_t right(Slot slot) const { return marginals_[slot].right; }

 private:
  static constexpr std::uint32_t kNoId = UINT32_MAX;

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
    std::vector<Joined> joined;
    std::vector<Cell> only_big;                // where `small` is zero
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
  };
  // What a cluster has whatever it is merged with.
  struct Marginals {
    std::uint64_t left = 0;          // l
    std::uint64_t right = 0;         // r
    std::uint64_t left_inside = 0;   // w
    std::uint64_t right_inside = 0;  // v
    Fixed log_left = 0;              // log2 l
    Fixed log_right = 0;             // log2 r
  };
  // What a cluster has in common with another.
  struct Cross {
    std::uint64_t follows = 0;   // the other follows it
    std::uint64_t precedes = 0;  // the other precedes it
    std::uint64_t sum() const { return follows + precedes; }
  };

  // 1. What changes between third clusters and what the neighbours contribute, in parallel.
  void expand(std::span<const Cell> follows, std::span<const Cell> precedes,
              std::vector<Cross>& crosses) const;
  void list_third_clusters();
  void list_third_clusters(Direction& direction, std::uint64_t Cross::*side) const;
  void list_contributions(Slot except, std::span<const Cell> follows,
                          std::span<const Cell> precedes);
  template <class RowUpdate>
  void update(RowUpdate&& update_row);
  void contribute(const Contribution& contribution, std::span<Fixed> sums) const;
  void list_growth();
  void raise_row(Slot row);
  Fixed row_of_added(Slot row, const Direction& direction, std::uint64_t Cross::*side);
  Fixed row_of_merged(Slot row, const Direction& direction, std::uint64_t Cross::*side);
  // 2. The losses of the new or merged cluster, in parallel.
  template <class Loss>
  void compute_losses(Slot of, Slot gone, Loss&& loss);
  Fixed contributed(Slot slot) const;
  static Fixed marginal_loss(const Marginals& a, const Marginals& b, Fixed log_left,
                             Fixed log_right);
  Fixed losses_of_marginals(const Marginals& marginals, Slot slot);
  void merge(Slot big, Slot small);
  void join_counts(Slot big, Slot small);

  // On all threads that are free if there is enough to do.
  template <class Part>
  void run(std::size_t work, Part&& part);

  ThreadTeam& team_;
  const FixedLog& logs_;
  std::uint32_t size_;
  std::uint32_t alive_ = 0;
  std::vector<std::uint32_t> ids_;  // by slot, kNoId where it is free
  std::vector<Marginals> marginals_;
  std::vector<std::uint64_t> self_;  // n(a,a)
  SparseCounts follows_;             // row a, column b: n(a,b); the diagonal is in self_
  SparseCounts precedes_;            // row b, column a: n(a,b)
  PairLosses losses_;
  PairTable log_left_;   // log2(l_i + l_j)
  PairTable log_right_;  // log2(r_i + r_j)

  // Scratch.
  std::vector<Cross> of_big_, of_small_;  // by slot
  Direction following_, preceding_;
  std::vector<std::uint64_t> left_growth_, right_growth_;  // of w and v, by slot
  std::vector<Fixed> own_growth_;                          // times log2 l and log2 r
  std::vector<Slot> growing_;                              // where one of them is not zero
  std::vector<std::uint16_t> growing_before_;              // by slot: how many of them before it
  std::vector<Contribution> contributions_;
  std::size_t work_ = 0;            // cells and pairs to be visited, about
  std::vector<PartialSums> parts_;  // by thread
  std::vector<Fixed> new_losses_, new_log_left_, new_log_right_;  // by slot
};

}  // namespace copse
