// Model 2 (Koo & Collins 2010, section 4.3): every tri-sibling, and the grand-siblings of the
// outermost modifier. O(n^4) time, O(n^3) space.
//
//     S(h;s,m)                                                  see sibling_pairs.h
//     J(h,m,-)  <- C(h,m,h+1)                                   parts tsib(h,m,-,-)
//     J(h,m,s)  <- J(h,s,t), S(h;s,m)   t in (h,s), or "-"      parts tsib(h,m,s,t)
//                                                               both: dep(h,m), sib(h,m,s)
//     I(g,h,m)  <- J(h,m,s)             s in (h,m), or "-"      parts gsib(g,h,m,s),
//                                                               grand(g,h,s) if there is s
//                                                               always grand(g,h,m)
//     C(g,h,e)                                                  see grandparent_rows.h
//     goal C(-,0,n);  h = 0: the I rule has no parts;  single root: for h = 0 only s = "-"
//
// I is a tail of C only, so its m is the outermost modifier of its side. J[arc][slot of s].
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

#include "copse/inference/charts/grandparent_rows.h"
#include "copse/inference/charts/sibling_pairs.h"

namespace copse::charts {

class Model2 {
  using Rows = GrandparentRows<true>;

 public:
  explicit Model2(const PartIndex& index)
      : index_(index),
        rows_(index, kOpen),
        pairs_(index, rows_, kPair, rows_.end()),
        end_(pairs_.end()) {
    for (int a = 0; a < index.arcs(); ++a) {
      chain_.push_back(end_);
      end_ += index.sibling_slots(a);
    }
  }
  Model2(const Model2&) = delete;
  Model2& operator=(const Model2&) = delete;

  int words() const { return index_.words(); }
  int items() const { return end_; }
  Item goal() const { return rows_.closed(Side::right, 0, index_.words()); }
  Row row_of(Item item) const {
    if (item >= pairs_.end())
      return chain_row(
          static_cast<int>(std::upper_bound(chain_.begin(), chain_.end(), item) - chain_.begin()) -
          1);
    return item >= pairs_.base() ? pairs_.row_of(item) : rows_.row_of(item);
  }

  template <class Visit>
  void axioms(Visit&& visit) const {
    rows_.for_each_axiom(visit);
  }
  template <class Visit>
  [[gnu::always_inline]] void cell(int i, int j, Visit&& visit) const {
    if (pairs_.has_row(i, j)) visit(pairs_.row(i, j));
    for (const int a : {index_.find_arc(i, j), index_.find_arc(j, i)}) {
      if (a == kNoItem) continue;
      visit(chain_row(a));
      visit(rows_.open_row(a));
    }
    if (rows_.has_closed_row(i, j)) visit(rows_.closed_row(Side::right, i, j));
    if (i != 0 && rows_.has_closed_row(j, i)) visit(rows_.closed_row(Side::left, j, i));
  }
  template <class Visit>
  void top(Visit&& /*visit*/) const {}

  OwnParts own_parts(const Row& row) const {
    if (row.kind == kChain) return {.arc = index_.dep(row.x), .lanes = index_.sib(row.x, 0)};
    if (row.kind == kOpen && row.h != 0) return {.lanes = index_.grand(row.x)};
    return {};
  }

  template <class Visitor>
  [[gnu::always_inline]] void edges_into(const Row& row, Visitor& visitor) const {
    switch (row.kind) {
      case kPair:
        return pairs_.edges_into(row, visitor);
      case kChain:
        return chain_edges(row, visitor);
      case kOpen:
        return open_edges(row, visitor);
      case Rows::kClosed:
        return rows_.closed_edges(row, visitor);
      default:
        return rows_.axiom(row, visitor);
    }
  }

 private:
  enum Kind { kOpen = Rows::kFirstFree, kPair, kChain };

  Item chain(int a, int slot) const { return chain_[static_cast<std::size_t>(a)] + slot; }
  Row chain_row(int a) const {
    return {.kind = kChain,
            .h = index_.arc(a).h,
            .x = a,
            .first = chain(a, 0),
            .count = index_.sibling_slots(a)};
  }

  template <class Visitor>
  [[gnu::always_inline]] void chain_edges(const Row& row, Visitor& visitor) const {  // J
    const int a = row.x;
    const auto [h, m, side] = index_.arc(a);
    visitor.run({.head = chain(a, 0),
                 .a = rows_.closed_towards(a, h + outward(side)),
                 .each = index_.tsib(a, 0)});
    const int innermost = index_.arcs_of(h, side).first;
    for (int slot = 1; slot < index_.sibling_slots(a); ++slot)
      visitor.run({.count = slot,  // the slots of t: as many as J(h,s,.) has
                   .head = chain(a, slot),
                   .a = chain(innermost + slot - 1, 0),
                   .a_step = 1,
                   .b = pairs_.item(a, slot),
                   .lanes = index_.tsib(a, slot)});
  }

  template <class Visitor>
  [[gnu::always_inline]] void open_edges(const Row& row, Visitor& visitor) const {  // I
    const int a = row.x;
    const auto [h, m, side] = index_.arc(a);
    const int innermost = index_.arcs_of(h, side).first;
    const PartId first_gsib = h == 0 ? kNoPart : index_.gsib(a, 0);
    const auto gsib = [&](int slot) {
      return first_gsib == kNoPart ? kNoPart : first_gsib + slot * row.count;
    };
    const Item chain = this->chain(a, 0);
    visitor.run(
        {.count = row.count, .head = row.first, .head_step = 1, .a = chain, .lanes = gsib(0)});
    const int lane = row.first - rows_.open(a);
    visitor.runs(index_.sibling_slots(a) - 1, [&, h = h](int k) {
      const int s = innermost + k;  // the arc (h,s)
      return Run{.count = row.count,
                 .head = row.first,
                 .head_step = 1,
                 .a = chain + k + 1,
                 .lanes = gsib(k + 1),
                 .more = h == 0 ? kNoPart : index_.grand(s) + lane - index_.grandparents(s).first};
    });
  }

  const PartIndex& index_;
  Rows rows_;
  SiblingPairs pairs_;
  Item end_;
  std::vector<Item> chain_;  // [a]
};

}  // namespace copse::charts
