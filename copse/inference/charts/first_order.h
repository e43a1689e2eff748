// First order (Eisner 1996). O(n^3) time, O(n^2) space.
//
//     I(h,m)  <- C(h,r), C(m,r+1)    h <= r < m     parts dep(h,m)
//     C(h,e)                                        see span_squares.h, no stop parts
//     goal C(0,n);  single root: for h = 0 only r = 0
#pragma once

#include <algorithm>

#include "copse/inference/charts/span_squares.h"

namespace copse::charts {

class FirstOrder {
  using Squares = SpanSquares<false>;

 public:
  explicit FirstOrder(const PartIndex& index) : index_(index), squares_(index) {}

  int words() const { return index_.words(); }
  int items() const { return squares_.end(); }
  Item goal() const { return squares_.closed(Side::right, 0, index_.words()); }
  Row row_of(Item item) const { return squares_.row_of(item); }

  template <class Visit>
  void axioms(Visit&& visit) const {
    squares_.for_each_axiom(visit);
  }
  template <class Visit>
  [[gnu::always_inline]] void cell(int i, int j, Visit&& visit) const {
    if (const int a = index_.find_arc(i, j); a != kNoItem) visit(squares_.open_row(a));
    if (const int a = index_.find_arc(j, i); a != kNoItem) visit(squares_.open_row(a));
    if (squares_.has_closed_row(i, j)) visit(squares_.closed_row(Side::right, i, j));
    if (i != 0 && squares_.has_closed_row(j, i)) visit(squares_.closed_row(Side::left, j, i));
  }
  template <class Visit>
  void top(Visit&& /*visit*/) const {}

  OwnParts own_parts(const Row& row) const {
    return {.arc = row.kind == Squares::kOpen ? index_.dep(row.x) : kNoPart};
  }

  template <class Visitor>
  [[gnu::always_inline]] void edges_into(const Row& row, Visitor& visitor) const {
    switch (row.kind) {
      case Squares::kOpen:
        return open_edges(row, visitor);
      case Squares::kClosed:
        return squares_.closed_edges(row, visitor);
      default:
        return squares_.axiom(row, visitor);
    }
  }

 private:
  template <class Visitor>
  [[gnu::always_inline]] void open_edges(const Row& row, Visitor& visitor) const {
    const auto [h, m, side] = index_.arc(row.x);
    // Both directions join the right half of the left word to the left half of the right word.
    const int i = std::min(h, m);
    const int j = std::max(h, m);
    const bool only_root = h == 0 && index_.rule() == RootRule::single;
    visitor.run({.count = only_root ? 1 : j - i,
                 .head = row.first,
                 .a = squares_.closed(Side::right, i, i),
                 .a_step = 1,
                 .b = squares_.closed(Side::left, j, i + 1),
                 .b_step = 1});
  }

  const PartIndex& index_;
  Squares squares_;
};

}  // namespace copse::charts
