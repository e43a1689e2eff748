// Model 0 (Koo & Collins 2010, section 4.1): every grandchild. O(n^4) time, O(n^3) space.
//
//     I(g,h,m)  <- C(g,h,r), C(h,m,r+1)    h <= r < m     parts dep(h,m), grand(g,h,m)
//     C(g,h,e)                                            see grandparent_rows.h, no stop parts
//     goal C(-,0,n);  single root: for h = 0 only r = 0
#pragma once

#include <tuple>

#include "copse/inference/charts/grandparent_rows.h"

namespace copse::charts {

class Model0 {
  using Rows = GrandparentRows<false>;

 public:
  explicit Model0(const PartIndex& index) : index_(index), rows_(index, kOpen) {}

  int words() const { return index_.words(); }
  int items() const { return rows_.end(); }
  Item goal() const { return rows_.closed(Side::right, 0, index_.words()); }
  Row row_of(Item item) const { return rows_.row_of(item); }

  template <class Visit>
  void axioms(Visit&& visit) const {
    rows_.for_each_axiom(visit);
  }
  template <class Visit>
  [[gnu::always_inline]] void cell(int i, int j, Visit&& visit) const {
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
      case kOpen:
        return open_edges(row, visitor);
      case Rows::kClosed:
        return rows_.closed_edges(row, visitor);
      default:
        return rows_.axiom(row, visitor);
    }
  }

 private:
  enum Kind { kOpen = Rows::kFirstFree };

  template <class Visitor>
  [[gnu::always_inline]] void open_edges(const Row& row, Visitor& visitor) const {
    const int a = row.x;
    const auto [h, m, side] = index_.arc(a);
    const int lane = row.first - rows_.open(a);
    const int out = outward(side);
    const bool only_root = h == 0 && index_.rule() == RootRule::single;
    const Item head_side = rows_.closed(side, h, h) + lane;  // C(g,h,r), r = h, h+1, ..
    visitor.runs(only_root ? 1 : std::abs(m - h), [&, h = h](int k) {
      return Run{.count = row.count,
                 .head = row.first,
                 .head_step = 1,
                 .a = head_side + k * index_.lanes(h),
                 .a_step = 1,
                 .b = rows_.closed_towards(a, h + out * (k + 1))};
    });
  }

  const PartIndex& index_;
  Rows rows_;
};

}  // namespace copse::charts
