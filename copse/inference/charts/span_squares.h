// What the first-order and the sibling chart share: items of two indices, every one a row of its
// own, laid out so that each rule runs along contiguous memory.
//
//     C(h,h)  = one                                        parts stop(h,side,-)
//     C(h,e)  <- I(h,m), C(m,e)     h < m <= e, mirrored   parts stop(h,side,m)
//
// C lies twice: C[h][e] for runs along the end e, and its twin C[side][e][h] for runs along the
// head. Heads and modifiers of the left side are counted from the right end of the sentence, so
// that outwards is forwards on both sides. Modifiers of h that are neighbours in the sentence form
// a segment; without pruning a side is one segment.
#pragma once

#include <algorithm>
#include <vector>

#include "copse/inference/charts/run.h"

namespace copse::charts {

// kStops: does the factorisation have stop parts?
template <bool kStops>
class SpanSquares {
 public:
  enum Kind { kAxiom, kClosed, kOpen, kFirstFree };

  explicit SpanSquares(const PartIndex& index)
      : index_(index),
        n_(index.words()),
        side_(n_ + 1),
        segment_last_(static_cast<std::size_t>(index.arcs())) {
    for (int h = 0; h <= n_; ++h)
      for (const Side side : {Side::left, Side::right}) {
        const PartIndex::Range arcs = index.arcs_of(h, side);
        for (int a = arcs.last - 1; a >= arcs.first; --a) {
          const bool joined =
              a + 1 < arcs.last && std::abs(index.arc(a + 1).m - index.arc(a).m) == 1;
          segment_last_[static_cast<std::size_t>(a)] =
              joined ? segment_last_[static_cast<std::size_t>(a) + 1] : a;
        }
      }
  }

  // C[h][e]: the left half and the right half of one square, the right one moved by a column
  // because both sides have a C(h,h).
  Item closed(Side side, int h, int e) const {
    return h * (side_ + 1) + e + (side == Side::right ? 1 : 0);
  }
  Item closed_by_end(Side side, int e, int h) const {
    return side_ * (side_ + 1) + square(side, e, h);
  }
  Item open(Side side, int h, int m) const {
    return side_ * (side_ + 1) + 2 * side_ * side_ + square(side, h, m);
  }
  Item end() const { return side_ * (side_ + 1) + 4 * side_ * side_; }
  // A square whose second index runs outwards.
  Item square(Side side, int fixed, int moving) const {
    return side == Side::right ? fixed * side_ + moving
                               : side_ * side_ + fixed * side_ + (n_ - moving);
  }

  Row closed_row(Side side, int h, int e) const {
    return {.kind = h == e ? kAxiom : kClosed,
            .h = h,
            .x = e,
            .side = side,
            .first = closed(side, h, e),
            .count = 1,
            .twin = closed_by_end(side, e, h)};
  }
  Row open_row(int a) const {
    const auto [h, m, side] = index_.arc(a);
    return {.kind = kOpen, .h = h, .x = a, .side = side, .first = open(side, h, m), .count = 1};
  }
  Row row_of(Item item) const {
    if (item < side_ * (side_ + 1)) {
      const int h = item / (side_ + 1);
      const int column = item % (side_ + 1);
      return column > h ? closed_row(Side::right, h, column - 1)
                        : closed_row(Side::left, h, column);
    }
    item -= side_ * (side_ + 1);
    const bool is_open = item >= 2 * side_ * side_;
    const auto [side, fixed, moving] = unsquare(is_open ? item - 2 * side_ * side_ : item);
    return is_open ? open_row(index_.find_arc(fixed, moving)) : closed_row(side, moving, fixed);
  }
  struct Corner {
    Side side;
    int fixed;
    int moving;
  };
  Corner unsquare(Item item) const {
    const Side side = item < side_ * side_ ? Side::right : Side::left;
    if (side == Side::left) item -= side_ * side_;
    return {side, item / side_, side == Side::right ? item % side_ : n_ - item % side_};
  }

  template <class Visit>
  void for_each_axiom(Visit&& visit) const {
    for (int h = 0; h <= n_; ++h) {
      if (h != 0) visit(closed_row(Side::left, h, h));
      visit(closed_row(Side::right, h, h));
    }
  }
  bool has_closed_row(int h, int e) const { return index_.arcs_within(h, e) > 0; }

  template <class Visitor>
  [[gnu::always_inline]] void axiom(const Row& row, Visitor& visitor) const {
    visitor.run({.head = row.first, .each = kStops ? index_.stop(row.h, row.side) : kNoPart});
  }

  template <class Visitor>
  [[gnu::always_inline]] void closed_edges(const Row& row, Visitor& visitor) const {
    const PartIndex::Range arcs = index_.arcs_of(row.h, row.side);
    const int last = arcs.first + index_.arcs_within(row.h, row.x);
    for_each_segment(arcs.first, last, [&](int a, int length) {
      const int m = index_.arc(a).m;
      visitor.run({.count = length,
                   .head = row.first,
                   .a = open(row.side, row.h, m),
                   .a_step = 1,
                   .b = closed_by_end(row.side, row.x, m),
                   .b_step = 1,
                   .lanes = kStops ? index_.stop(a) : kNoPart});
    });
  }

  // visit(first arc, length) for the segments of the arcs first .. last - 1 of one side.
  template <class Visit>
  [[gnu::always_inline]] void for_each_segment(int first, int last, Visit&& visit) const {
    for (int a = first; a < last;) {
      const int after = std::min(segment_last_[static_cast<std::size_t>(a)] + 1, last);
      visit(a, after - a);
      a = after;
    }
  }

 private:
  const PartIndex& index_;
  int n_;
  int side_;  // of a square: n + 1
  std::vector<int> segment_last_;
};

}  // namespace copse::charts
