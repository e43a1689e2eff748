// Siblings and outermost grandchildren (Carreras 2007). O(n^4) time, O(n^3) space.
//
//     K(h,h,-)  = one
//     HB(h,m,r) <- K(h,r,s)         s in (h,r], or "-" iff r = h       parts sib(h,m,s)
//     MB(h,m,r) <- K(m,r+1,c)       c in [r+1,m), or "-" iff r+1 = m   parts grand(h,m,c)
//     O(h,m)    <- HB, MB           h <= r < m                         parts dep(h,m)
//     K(h,e,m)  <- O(h,m), K(m,e,c) c in (m,e], or "-" iff e = m       parts grand(h,m,c)
//     goal      <- K(0,n,m) for any m;  single root: for h = 0 only r = 0
//
// A closed span knows its outermost modifier. Layout: K[h][side][|e-h|][position of m],
// HB and MB [arc][|r-h|], O[arc].
#pragma once

#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <vector>

#include "copse/inference/charts/run.h"

namespace copse::charts {

class Carreras {
 public:
  explicit Carreras(const PartIndex& index) : index_(index), n_(index.words()) {
    for (int h = 0; h <= n_; ++h)
      for (const Side side : {Side::left, Side::right}) {
        closed_.push_back(end_);
        end_ += pitch(side, h) * (side == Side::left ? std::max(h, 1) : n_ - h + 1);
      }
    open_base_ = end_;
    end_ += index.arcs();
    halves_base_ = end_;
    for (int a = 0; a < index.arcs(); ++a) {
      halves_.push_back(end_);
      end_ += 2 * splits(a);
    }
    goal_ = end_++;
  }

  int words() const { return index_.words(); }
  int items() const { return end_; }
  Item goal() const { return goal_; }

  template <class Visit>
  void axioms(Visit&& visit) const {
    for (int h = 0; h <= n_; ++h) {
      if (h != 0) visit(closed_row(Side::left, h, h));
      visit(closed_row(Side::right, h, h));
    }
  }
  template <class Visit>
  [[gnu::always_inline]] void cell(int i, int j, Visit&& visit) const {
    for (const int a : {index_.find_arc(i, j), index_.find_arc(j, i)}) {
      if (a == kNoItem) continue;
      visit(half_row(kHeadHalf, a));
      visit(half_row(kModifierHalf, a));
      visit(open_row(a));
    }
    if (index_.arcs_within(i, j) > 0) visit(closed_row(Side::right, i, j));
    if (i != 0 && index_.arcs_within(j, i) > 0) visit(closed_row(Side::left, j, i));
  }
  template <class Visit>
  void top(Visit&& visit) const {
    visit(goal_row());
  }

  Row row_of(Item item) const {
    if (item == goal_) return goal_row();
    if (item >= halves_base_) {
      const auto a = static_cast<int>(std::upper_bound(halves_.begin(), halves_.end(), item) -
                                      halves_.begin()) -
                     1;
      return half_row(item < half(kModifierHalf, a) ? kHeadHalf : kModifierHalf, a);
    }
    if (item >= open_base_) return open_row(item - open_base_);
    const auto k = std::upper_bound(closed_.begin(), closed_.end(), item) - closed_.begin() - 1;
    const int h = static_cast<int>(k / 2);
    const Side side = k % 2 == 1 ? Side::right : Side::left;
    const int distance = (item - closed_[static_cast<std::size_t>(k)]) / pitch(side, h);
    return closed_row(side, h, h + outward(side) * distance);
  }

  OwnParts own_parts(const Row& row) const {
    return {.arc = row.kind == kOpen ? index_.dep(row.x) : kNoPart};
  }

  template <class Visitor>
  [[gnu::always_inline]] void edges_into(const Row& row, Visitor& visitor) const {
    switch (row.kind) {
      case kHeadHalf:
        return head_half_edges(row, visitor);
      case kModifierHalf:
        return modifier_half_edges(row, visitor);
      case kOpen:
        return open_edges(row, visitor);
      case kClosed:
        return closed_edges(row, visitor);
      case kGoal:
        return goal_edges(visitor);
      default:
        return visitor.run({.head = row.first});  // K(h,h,-)
    }
  }

 private:
  enum Kind { kAxiom, kClosed, kOpen, kHeadHalf, kModifierHalf, kGoal };

  int pitch(Side side, int h) const { return std::max(1, index_.arcs_of(h, side).size()); }
  Item closed(Side side, int h, int e) const {
    return closed_[2 * static_cast<std::size_t>(h) + (side == Side::right ? 1 : 0)] +
           std::abs(e - h) * pitch(side, h);
  }
  Item open(int a) const { return open_base_ + a; }
  int splits(int a) const {
    const auto [h, m, side] = index_.arc(a);
    return h == 0 && index_.rule() == RootRule::single ? 1 : std::abs(m - h);
  }
  Item half(Kind kind, int a) const {
    return halves_[static_cast<std::size_t>(a)] + (kind == kHeadHalf ? 0 : splits(a));
  }

  Row closed_row(Side side, int h, int e) const {
    return {.kind = h == e ? kAxiom : kClosed,
            .h = h,
            .x = e,
            .side = side,
            .first = closed(side, h, e),
            .count = h == e ? 1 : index_.arcs_within(h, e)};
  }
  Row open_row(int a) const { return {.kind = kOpen, .x = a, .first = open(a), .count = 1}; }
  Row half_row(Kind kind, int a) const {
    return {.kind = kind, .x = a, .first = half(kind, a), .count = splits(a)};
  }
  Row goal_row() const { return {.kind = kGoal, .first = goal_, .count = 1}; }

  // head <- K(h,e,.) with the part for each outermost modifier; nobody's part comes first.
  template <class Visitor>
  [[gnu::always_inline]] void any_outermost(Item head, Side side, int h, int e, PartId parts,
                                            Item other, Visitor& visitor) const {
    if (h == e)
      visitor.run({.head = head, .a = closed(side, h, h), .b = other, .each = parts});
    else if (index_.arcs_within(h, e) > 0)
      visitor.run({.count = index_.arcs_within(h, e),
                   .head = head,
                   .a = closed(side, h, e),
                   .a_step = 1,
                   .b = other,
                   .lanes = parts + 1});
  }

  template <class Visitor>
  [[gnu::always_inline]] void head_half_edges(const Row& row, Visitor& visitor) const {  // HB
    const auto [h, m, side] = index_.arc(row.x);
    for (int k = 0; k < row.count; ++k)
      any_outermost(row.first + k, side, h, h + outward(side) * k, index_.sib(row.x, 0), kNoItem,
                    visitor);
  }
  template <class Visitor>
  [[gnu::always_inline]] void modifier_half_edges(const Row& row, Visitor& visitor) const {  // MB
    const auto [h, m, side] = index_.arc(row.x);
    for (int k = 0; k < row.count; ++k)
      any_outermost(row.first + k, opposite(side), m, h + outward(side) * (k + 1),
                    index_.grand(row.x), kNoItem, visitor);
  }
  template <class Visitor>
  [[gnu::always_inline]] void open_edges(const Row& row, Visitor& visitor) const {  // O
    visitor.run({.count = splits(row.x),
                 .head = row.first,
                 .a = half(kHeadHalf, row.x),
                 .a_step = 1,
                 .b = half(kModifierHalf, row.x),
                 .b_step = 1});
  }
  template <class Visitor>
  [[gnu::always_inline]] void closed_edges(const Row& row, Visitor& visitor) const {  // K
    const int first = index_.arcs_of(row.h, row.side).first;
    for (int k = 0; k < row.count; ++k)
      any_outermost(row.first + k, row.side, index_.arc(first + k).m, row.x,
                    index_.outer_grand(first + k), open(first + k), visitor);
  }
  template <class Visitor>
  [[gnu::always_inline]] void goal_edges(Visitor& visitor) const {
    const int count = n_ == 0 ? 1 : index_.arcs_within(0, n_);
    if (count > 0)
      visitor.run({.count = count, .head = goal_, .a = closed(Side::right, 0, n_), .a_step = 1});
  }

  const PartIndex& index_;
  int n_;
  Item end_ = 0;
  Item open_base_ = 0;
  Item halves_base_ = 0;
  Item goal_ = 0;
  std::vector<Item> closed_;  // [h][side]
  std::vector<Item> halves_;  // [a]
};

}  // namespace copse::charts
