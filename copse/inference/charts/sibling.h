// Second order, adjacent siblings (McDonald & Pereira 2006; Eisner 1996). O(n^3) time, O(n^2)
// space.
//
//     S(s,m)  <- C(s,r), C(m,r+1)    s <= r < m     both are modifiers of one head outside [s,m]
//     I(h,m)  <- C(m,h+1)                           parts sib(h,m,-)
//     I(h,m)  <- I(h,s), S(s,m)      h < s < m      parts sib(h,m,s)
//                                                   both: dep(h,m)
//     C(h,e)                                        see span_squares.h
//     goal C(0,n);  single root: the second I rule is dropped for h = 0
//
// S lies twice, too: S[m][s] for a head on the left, where s is the inner sibling, and the twin
// S[s][m], m counted from the right end, for a head on the right.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "copse/inference/charts/span_squares.h"

namespace copse::charts {

class Sibling {
  using Squares = SpanSquares<true>;

 public:
  explicit Sibling(const PartIndex& index)
      : index_(index), squares_(index), side_(index.words() + 1) {
    wanted_.assign(static_cast<std::size_t>(side_) * static_cast<std::size_t>(side_), 0);
    for (int a = 0; a < index.arcs(); ++a) {
      const auto [h, m, side] = index.arc(a);
      const int innermost = index.arcs_of(h, side).first;
      for (int slot = 1; slot < index.sibling_slots(a); ++slot) {
        const int s = index.arc(innermost + slot - 1).m;
        wanted_[pair_index(std::min(s, m), std::max(s, m))] = 1;
      }
    }
  }

  int words() const { return index_.words(); }
  int items() const { return squares_.end() + 2 * side_ * side_; }
  Item goal() const { return squares_.closed(Side::right, 0, index_.words()); }
  Row row_of(Item item) const {
    if (item < squares_.end()) return squares_.row_of(item);
    const auto [side, outer, inner] = squares_.unsquare(item - squares_.end());
    return pair_row(std::min(outer, inner), std::max(outer, inner));
  }

  template <class Visit>
  void axioms(Visit&& visit) const {
    squares_.for_each_axiom(visit);
  }
  template <class Visit>
  [[gnu::always_inline]] void cell(int i, int j, Visit&& visit) const {
    if (wanted_[pair_index(i, j)] != 0) visit(pair_row(i, j));
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
      case kPair:
        return pair_edges(row, visitor);
      case Squares::kOpen:
        return open_edges(row, visitor);
      case Squares::kClosed:
        return squares_.closed_edges(row, visitor);
      default:
        return squares_.axiom(row, visitor);
    }
  }

 private:
  enum Kind { kPair = Squares::kFirstFree };

  std::size_t pair_index(int s, int m) const {
    return static_cast<std::size_t>(s) * static_cast<std::size_t>(side_) +
           static_cast<std::size_t>(m);
  }
  // S as the tail of an arc on the given side, whose modifier is the outer one.
  Item pair(Side side, int outer, int inner) const {
    return squares_.end() + squares_.square(side, outer, inner);
  }
  Row pair_row(int s, int m) const {
    return {.kind = kPair,
            .h = s,
            .x = m,
            .first = pair(Side::right, m, s),
            .count = 1,
            .twin = pair(Side::left, s, m)};
  }

  template <class Visitor>
  [[gnu::always_inline]] void pair_edges(const Row& row, Visitor& visitor) const {
    visitor.run({.count = row.x - row.h,
                 .head = row.first,
                 .a = squares_.closed(Side::right, row.h, row.h),
                 .a_step = 1,
                 .b = squares_.closed(Side::left, row.x, row.h + 1),
                 .b_step = 1});
  }

  template <class Visitor>
  [[gnu::always_inline]] void open_edges(const Row& row, Visitor& visitor) const {
    const int a = row.x;
    const auto [h, m, side] = index_.arc(a);
    visitor.run({.head = row.first,
                 .a = squares_.closed(opposite(side), m, h + outward(side)),
                 .each = index_.sib(a, 0)});
    if (index_.sibling_slots(a) == 1) return;
    const int innermost = index_.arcs_of(h, side).first;
    squares_.for_each_segment(innermost, a, [&, h = h, m = m, side = side](int inner, int length) {
      const int s = index_.arc(inner).m;
      visitor.run({.count = length,
                   .head = row.first,
                   .a = squares_.open(side, h, s),
                   .a_step = 1,
                   .b = pair(side, m, s),
                   .b_step = 1,
                   .lanes = index_.sib(a, 1 + inner - innermost)});
    });
  }

  const PartIndex& index_;
  Squares squares_;
  int side_;
  std::vector<std::uint8_t> wanted_;  // [s][m]: some head can have both
};

}  // namespace copse::charts
