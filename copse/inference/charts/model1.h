// Model 1 (Koo & Collins 2010, section 4.2): every grand-sibling. O(n^4) time, O(n^3) space.
//
//     S(h;s,m)                                         see sibling_pairs.h
//     I(g,h,m)  <- C(h,m,h+1)                          parts sib(h,m,-), gsib(g,h,m,-)
//     I(g,h,m)  <- I(g,h,s), S(h;s,m)   h < s < m      parts sib(h,m,s), gsib(g,h,m,s)
//                                                      both: dep(h,m), grand(g,h,m)
//     C(g,h,e)                                         see grandparent_rows.h
//     goal C(-,0,n);  single root: the second I rule is dropped for h = 0
#pragma once

#include <tuple>

#include "copse/inference/charts/grandparent_rows.h"
#include "copse/inference/charts/sibling_pairs.h"

namespace copse::charts {

class Model1 {
  using Rows = GrandparentRows<true>;

 public:
  explicit Model1(const PartIndex& index)
      : index_(index), rows_(index, kOpen), pairs_(index, rows_, kPair, rows_.end()) {}
  Model1(const Model1&) = delete;
  Model1& operator=(const Model1&) = delete;

  int words() const { return index_.words(); }
  int items() const { return pairs_.end(); }
  Item goal() const { return rows_.closed(Side::right, 0, index_.words()); }
  Row row_of(Item item) const {
    return item >= pairs_.base() ? pairs_.row_of(item) : rows_.row_of(item);
  }

  template <class Visit>
  void axioms(Visit&& visit) const {
    rows_.for_each_axiom(visit);
  }
  template <class Visit>
  [[gnu::always_inline]] void cell(int i, int j, Visit&& visit) const {
    if (pairs_.has_row(i, j)) visit(pairs_.row(i, j));
    if (const int a = index_.find_arc(i, j); a != kNoItem) visit(rows_.open_row(a));
    if (const int a = index_.find_arc(j, i); a != kNoItem) visit(rows_.open_row(a));
    if (rows_.has_closed_row(i, j)) visit(rows_.closed_row(Side::right, i, j));
    if (i != 0 && rows_.has_closed_row(j, i)) visit(rows_.closed_row(Side::left, j, i));
  }
  template <class Visit>
  void top(Visit&& /*visit*/) const {}

  OwnParts own_parts(const Row& row) const {
    if (row.kind != kOpen) return {};
    return {.arc = index_.dep(row.x), .lanes = row.h == 0 ? kNoPart : index_.grand(row.x)};
  }

  template <class Visitor>
  [[gnu::always_inline]] void edges_into(const Row& row, Visitor& visitor) const {
    switch (row.kind) {
      case kPair:
        return pairs_.edges_into(row, visitor);
      case kOpen:
        return open_edges(row, visitor);
      case Rows::kClosed:
        return rows_.closed_edges(row, visitor);
      default:
        return rows_.axiom(row, visitor);
    }
  }

 private:
  enum Kind { kOpen = Rows::kFirstFree, kPair };

  template <class Visitor>
  [[gnu::always_inline]] void open_edges(const Row& row, Visitor& visitor) const {
    const int a = row.x;
    const auto [h, m, side] = index_.arc(a);
    const int lane = row.first - rows_.open(a);
    const PartId first_gsib = h == 0 ? kNoPart : index_.gsib(a, 0);
    const auto gsib = [&](int slot) {
      return first_gsib == kNoPart ? kNoPart : first_gsib + slot * row.count;
    };
    visitor.run({.count = row.count,
                 .head = row.first,
                 .head_step = 1,
                 .a = rows_.closed_towards(a, h + outward(side)),
                 .each = index_.sib(a, 0),
                 .lanes = gsib(0)});
    const int innermost = index_.arcs_of(h, side).first;
    const PartId sib = index_.sib(a, 0);
    visitor.runs(index_.sibling_slots(a) - 1, [&](int k) {
      return Run{.count = row.count,
                 .head = row.first,
                 .head_step = 1,
                 .a = rows_.open(innermost + k) + lane,
                 .a_step = 1,
                 .b = pairs_.item(a, k + 1),
                 .each = sib + k + 1,
                 .lanes = gsib(k + 1)};
    });
  }

  const PartIndex& index_;
  Rows rows_;
  SiblingPairs pairs_;
};

}  // namespace copse::charts
