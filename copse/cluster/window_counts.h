// What is counted of the clusters in the window: bigrams n(a,b) between them, and of each cluster
//
//   l, r   how often it is the first and the second of a bigram of the corpus, given when it is new
//   w, v   the same for the bigrams inside the window; they equal l and r in the end
//
// and what average mutual information loses by these sums alone when two clusters merge:
//
//   left(i,j) = (w_i + w_j) log2(l_i + l_j) - w_i log2 l_i - w_j log2 l_j;  right: with v and r
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "copse/cluster/fixed_log.h"
#include "copse/cluster/sparse_counts.h"

namespace copse {

class WindowCounts {
 public:
  // Where a cluster lives: 0 to clusters() - 1, the newest in the last.
  using Slot = std::uint32_t;

  struct NewCluster {
    std::uint32_t id;
    std::uint64_t left;              // l
    std::uint64_t right;             // r
    std::uint64_t self;              // n(k,k)
    std::span<const Cell> follows;   // (x, n(k,x)) for slots x in the window, each once, not zero
    std::span<const Cell> precedes;  // (x, n(x,k))
  };
  struct Marginals {
    std::uint64_t left, right;                // l and r
    std::uint64_t left_inside, right_inside;  // w and v
    Fixed weighed;                            // w log2 l + v log2 r
  };

  // Room for `size` clusters. Keeps the reference.
  WindowCounts(std::uint32_t size, const FixedLog& logs);

  Slot add(const NewCluster& cluster);
  // `small` becomes part of `big` and has no counts any more. No slot changes.
  void merge(Slot big, Slot small);
  // The last slot is given up; its cluster takes the place of one without counts, or is one.
  void remove(Slot empty);

  std::uint32_t clusters() const { return clusters_; }
  std::span<const Cell> follows(Slot slot) const { return follows_.row(slot); }    // (x, n(slot,x))
  std::span<const Cell> precedes(Slot slot) const { return precedes_.row(slot); }  // (x, n(x,slot))
  std::size_t neighbours(Slot slot) const { return follows(slot).size() + precedes(slot).size(); }
  std::uint64_t self(Slot slot) const { return self_[slot]; }  // n(slot,slot)
  std::uint64_t count(Slot a, Slot b) const { return a == b ? self_[a] : follows_(a, b); }

  Marginals marginals(Slot slot) const {
    return {left_[slot], right_[slot], left_inside_[slot], right_inside_[slot], weighed_[slot]};
  }
  // left(i,j) + right(i,j), with the marginals of i.
  Fixed marginal_loss(const Marginals& own, Slot other) const {
    return FixedLog::times(own.left_inside + left_inside_[other],
                           logs_.log(own.left + left_[other])) +
           FixedLog::times(own.right_inside + right_inside_[other],
                           logs_.log(own.right + right_[other])) -
           own.weighed - weighed_[other];
  }

  // N * AMI of the clusters as they are, of the bigrams inside the window alone.
  Fixed information() const;

 private:
  void weigh(Slot slot);
  void give_cells(Slot from, Slot to);

  const FixedLog& logs_;
  std::uint32_t clusters_ = 0;
  // By slot.
  std::vector<std::uint64_t> left_, right_;
  std::vector<std::uint64_t> left_inside_, right_inside_;
  std::vector<Fixed> weighed_;
  std::vector<std::uint64_t> self_;
  SparseCounts follows_;   // row a, column b: n(a,b); the diagonal is in self_
  SparseCounts precedes_;  // row b, column a: n(a,b)
};

}  // namespace copse
