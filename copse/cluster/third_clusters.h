// Two clusters that are about to become one, as the other clusters of the window see them: which
// cells become one cell, and what every pair of third clusters gains by that,
//
//   T(i,j;N) - T(i,j;B) - T(i,j;S),   T(i,j;x) = g(n(i,x),n(j,x)) + g(n(x,i),n(x,j))
//
// with B and S, the big and the small of the two, merged into N. Or one cluster S that is new: its
// cells are added, and every pair gains T(i,j;S).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "copse/cluster/fixed_log.h"
#include "copse/cluster/sparse_counts.h"

namespace copse {

class ThirdClusters {
 public:
  using Slot = std::uint32_t;
  struct Cells {
    std::span<const Cell> follows;
    std::span<const Cell> precedes;
  };
  // What a cluster has in common with another.
  struct Cross {
    std::uint64_t follows = 0;   // the other follows it
    std::uint64_t precedes = 0;  // the other precedes it
    std::uint64_t sum() const { return follows + precedes; }
  };

  // Keeps the reference.
  ThirdClusters(std::uint32_t size, const FixedLog& logs);

  void see_added(const Cells& cells);
  // Cells between the two are left out here and returned, as B sees S.
  Cross see_merged(Slot big, const Cells& of_big, Slot small, const Cells& of_small);

  const Cross& with_big(Slot slot) const { return with_big_[slot]; }
  const Cross& with_small(Slot slot) const { return with_small_[slot]; }
  // Those that have cells with one of the two, in the order of their slots.
  std::span<const Slot> slots() const { return slots_; }
  // Pairs that gain, about.
  std::size_t pairs() const;

  // Adds to kept[j] what (row,j) gains, for all j < row; returns the most that one has gained.
  Fixed add_gains(Slot row, std::span<Fixed> kept) const {
    return add_gains(following_, row, kept) + add_gains(preceding_, row, kept);
  }

 private:
  // A third cluster with a cell of S, in one direction.
  struct Joined {
    Slot slot;
    std::uint64_t big;
    std::uint64_t small;
    std::uint64_t both;  // big + small
    Fixed one_sided;     // f(big) - f(both)
    Fixed two_sided;     // f(big) + f(small) - f(both)
  };
  // All with cells in one direction, in the order of their slots. Lists end where they are counted
  // to; there is room for one more, which may be written to.
  struct Direction {
    Direction(std::uint32_t size, std::uint64_t Cross::*direction)
        : side(direction),
          joined_slots(size + 1),
          only_big(size + 1, Cell(0, 0)),
          joined_before(size),
          only_big_before(size) {}

    std::uint64_t Cross::*side;
    std::vector<Joined> joined;
    std::vector<Slot> joined_slots;  // of `joined`
    std::vector<Cell> only_big;      // those without a cell of S
    std::size_t only_big_count = 0;
    std::vector<std::uint16_t> joined_before;  // by slot: how many of `joined` come before it
    std::vector<std::uint16_t> only_big_before;
    std::uint64_t largest = 0;  // cell of both
  };

  void clear();
  void cross(const Cells& cells, std::vector<Cross>& crosses);
  void list();
  void list(Direction& direction) const;
  Fixed add_gains(const Direction& direction, Slot row, std::span<Fixed> kept) const;

  const FixedLog& logs_;
  bool added_ = false;                        // S is new, there is no B
  std::vector<Cross> with_big_, with_small_;  // by slot
  std::vector<std::uint64_t> marked_;         // bits by slot: where they are set; zero between uses
  std::vector<Slot> slots_;
  Direction following_, preceding_;
};

}  // namespace copse
