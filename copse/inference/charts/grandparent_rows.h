// What Models 0, 1 and 2 share: spans that carry g, the head of their head h.
//
//     C(g,h,h)          = one                                       parts stop(h,side,-)
//     C(g,h,e)  <- I(g,h,m), C(h,m,e)     h < m <= e  and mirrored  parts stop(h,side,m)
//
// Layout, g innermost: C[h][side][|e-h|][lane of g], I[arc (h,m)][lane of g]. Both have a place
// for every surviving head of h, so that steps along e are constant; the places of heads inside
// the span are never read. The second tail is one item: the lane of h among the heads of m.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "copse/inference/charts/run.h"

namespace copse::charts {

// kStops: does the factorisation have stop parts?
template <bool kStops>
class GrandparentRows {
 public:
  GrandparentRows(const PartIndex& index, int first_free_kind)
      : index_(index), open_kind_(first_free_kind) {
    const int n = index.words();
    for (int h = 0; h <= n; ++h) pitch_.push_back(index.lanes(h));
    for (int h = 0; h <= n; ++h)
      for (const Side side : {Side::left, Side::right}) {
        closed_.push_back(end_);
        const int ends = side == Side::left ? std::max(h, 1) : n - h + 1;
        end_ += ends * index.lanes(h);
      }
    open_base_ = end_;
    for (int a = 0; a < index.arcs(); ++a) {
      const auto [h, m, side] = index.arc(a);
      const int lane = index.lane_of_head(a);
      arcs_.push_back({.m = m,
                       .pitch = outward(side) * index.lanes(m),
                       .beyond = closed(side, m, m) + lane,
                       .towards = closed(opposite(side), m, m) + lane,
                       .open = end_});
      end_ += index.lanes(h);
    }
    find_reachable();
  }

  // Kinds below the first free one.
  enum Kind { kAxiom, kClosed, kFirstFree };

  Item end() const { return end_; }
  // Lane 0 of C(.,h,e); of I(.,h,m).
  Item closed(Side side, int h, int e) const {
    return closed_[2 * static_cast<std::size_t>(h) + (side == Side::right ? 1 : 0)] +
           std::abs(e - h) * pitch_[static_cast<std::size_t>(h)];
  }
  Item open(int a) const { return arcs_[static_cast<std::size_t>(a)].open; }
  // C(h,m,e) for e on the side of h: the inner span of m that arc a = (h,m) takes as a tail.
  Item closed_towards(int a, int e) const {
    const ArcItems& arc = arcs_[static_cast<std::size_t>(a)];
    return arc.towards - (e - arc.m) * arc.pitch;
  }

  Row closed_row(Side side, int h, int e) const {
    const PartIndex::Range lanes = index_.lanes_outside(h, e);
    return {.kind = h == e ? kAxiom : kClosed,
            .h = h,
            .x = e,
            .side = side,
            .first = closed(side, h, e) + lanes.first,
            .count = lanes.size()};
  }
  Row open_row(int a) const {
    const PartIndex::Range lanes = index_.grandparents(a);
    return {.kind = open_kind_,
            .h = index_.arc(a).h,
            .x = a,
            .side = index_.arc(a).side,
            .first = open(a) + lanes.first,
            .count = lanes.size()};
  }
  Row row_of(Item item) const {
    if (item >= open_base_) {
      const auto after =
          std::upper_bound(arcs_.begin(), arcs_.end(), item,
                           [](Item wanted, const ArcItems& arc) { return wanted < arc.open; });
      return open_row(static_cast<int>(after - arcs_.begin()) - 1);
    }
    const auto k = std::upper_bound(closed_.begin(), closed_.end(), item) - closed_.begin() - 1;
    const int h = static_cast<int>(k / 2);
    const Side side = k % 2 == 1 ? Side::right : Side::left;
    const int distance = (item - closed_[static_cast<std::size_t>(k)]) / index_.lanes(h);
    return closed_row(side, h, h + outward(side) * distance);
  }

  template <class Visit>
  void for_each_axiom(Visit&& visit) const {
    for (int h = 0; h <= index_.words(); ++h) {
      if (h != 0) visit(closed_row(Side::left, h, h));
      visit(closed_row(Side::right, h, h));
    }
  }
  // False if no tree has a span from h to e: nothing to build.
  bool has_closed_row(int h, int e) const { return reachable_[square(h, e)] != 0; }

  template <class Visitor>
  [[gnu::always_inline]] void axiom(const Row& row, Visitor& visitor) const {
    visitor.run({.count = row.count,
                 .head = row.first,
                 .head_step = 1,
                 .each = kStops ? index_.stop(row.h, row.side) : kNoPart});
  }

  template <class Visitor>
  [[gnu::always_inline]] void closed_edges(const Row& row, Visitor& visitor) const {
    const int e = row.x;
    const int lane = index_.lanes_outside(row.h, e).first;
    const ArcItems* const arcs = arcs_.data() + index_.arcs_of(row.h, row.side).first;
    const PartId stop = kStops ? index_.stop(row.h, row.side) + 1 : kNoPart;
    visitor.runs(index_.arcs_within(row.h, e), [=](int k) {
      const ArcItems& arc = arcs[k];
      return Run{.count = row.count,
                 .head = row.first,
                 .head_step = 1,
                 .a = arc.open + lane,
                 .a_step = 1,
                 .b = arc.beyond + (e - arc.m) * arc.pitch,  // C(h,m,e)
                 .each = kStops ? stop + k : kNoPart};
    });
  }

 private:
  // Of arc (h,m): where the spans of m start that have h as their g, and where I(.,h,m) starts.
  struct ArcItems {
    int m;
    int pitch;  // from e to e + 1: negative if m is on the left
    Item beyond;
    Item towards;
    Item open;
  };

  std::size_t square(int h, int e) const {
    return static_cast<std::size_t>(h) * (static_cast<std::size_t>(index_.words()) + 1) +
           static_cast<std::size_t>(e);
  }
  // Which C(.,h,e) can be built if every I(.,h,m) can: from h by arcs outwards to e exactly.
  void find_reachable() {
    const int n = index_.words();
    reachable_.assign(square(n, n) + 1, 0);
    const auto reach = [&](Side side, int h, int e) {
      const int first = index_.arcs_of(h, side).first;
      bool found = false;
      for (int a = first; a < first + index_.arcs_within(h, e) && !found; ++a)
        found = reachable_[square(index_.arc(a).m, e)] != 0;
      reachable_[square(h, e)] = found ? 1 : 0;
    };
    for (int e = 0; e <= n; ++e) {
      reachable_[square(e, e)] = 1;
      for (int h = e - 1; h >= 0; --h) reach(Side::right, h, e);
      for (int h = e + 1; h <= n && e > 0; ++h) reach(Side::left, h, e);
    }
  }

  const PartIndex& index_;
  int open_kind_;
  Item end_ = 0;
  Item open_base_ = 0;
  std::vector<Item> closed_;             // [h][side]
  std::vector<ArcItems> arcs_;           // [a]
  std::vector<std::uint8_t> reachable_;  // [h][e]
  std::vector<int> pitch_;               // [h]: lanes
};

}  // namespace copse::charts
