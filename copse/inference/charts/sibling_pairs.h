// Sibling spans of Models 1 and 2: s < m are successive modifiers of one head h outside [s,m].
//
//     S(h;s,m)  <- C(h,s,r), C(h,m,r+1)    s <= r < m
//
// Layout, h innermost: a row per pair (s,m) with a place for each head that survives for both, in
// the order of lanes (m+1 .. n, 0 .. s-1). Heads that are neighbours among the lanes of s and of m
// alike form a segment; without pruning a row is one segment.
#pragma once

#include <algorithm>
#include <vector>

#include "copse/inference/charts/grandparent_rows.h"

namespace copse::charts {

class SiblingPairs {
 public:
  SiblingPairs(const PartIndex& index, const GrandparentRows<true>& rows, int kind, Item first)
      : index_(index), rows_(rows), kind_(kind), base_(first), end_(first) {
    const int n = index.words();
    pair_of_.assign((static_cast<std::size_t>(n) + 1) * (static_cast<std::size_t>(n) + 1), -1);
    item_of_.assign(static_cast<std::size_t>(index.count(PartFamily::sib)), kNoItem);
    for (int s = 1; s <= n; ++s)
      for (int m = s + 1; m <= n; ++m) add_pair(s, m);
  }

  Item base() const { return base_; }
  Item end() const { return end_; }
  // S(h;s,m) for a = (h,m) and the slot of s >= 1.
  Item item(int a, int slot) const {
    return item_of_[static_cast<std::size_t>(index_.sib(a, slot) - index_.first(PartFamily::sib))];
  }
  bool has_row(int s, int m) const { return pair_of_[square(s, m)] >= 0; }
  Row row(int s, int m) const {
    const Pair& pair = pairs_[static_cast<std::size_t>(pair_of_[square(s, m)])];
    return {.kind = kind_, .h = s, .x = m, .first = pair.first, .count = pair.count};
  }
  Row row_of(Item item) const {
    const auto after =
        std::upper_bound(pairs_.begin(), pairs_.end(), item,
                         [](Item wanted, const Pair& pair) { return wanted < pair.first; });
    const Pair& pair = *(after - 1);
    return row(pair.s, pair.m);
  }

  template <class Visitor>
  [[gnu::always_inline]] void edges_into(const Row& row, Visitor& visitor) const {
    const int s = row.h;
    const int m = row.x;
    const Pair& pair = pairs_[static_cast<std::size_t>(pair_of_[square(s, m)])];
    for (int k = pair.segments_first; k < pair.segments_last; ++k) {
      const Segment& segment = segments_[static_cast<std::size_t>(k)];
      if (segment.count < kShort) {
        for (int lane = 0; lane < segment.count; ++lane) along_splits(s, m, segment, lane, visitor);
      } else {
        along_heads(s, m, segment, visitor);
      }
    }
  }

 private:
  struct Segment {
    Item first = kNoItem;
    int lane_of_s = 0;
    int lane_of_m = 0;
    int count = 0;
  };
  struct Pair {
    int s = 0;
    int m = 0;
    Item first = kNoItem;
    int count = 0;
    int segments_first = 0;
    int segments_last = 0;
  };
  // Segments shorter than this run over the split r, longer ones over the heads.
  static constexpr int kShort = 4;

  std::size_t square(int s, int m) const {
    return static_cast<std::size_t>(s) * (static_cast<std::size_t>(index_.words()) + 1) +
           static_cast<std::size_t>(m);
  }

  void add_pair(int s, int m) {
    const auto of_s = index_.heads(s);
    const auto of_m = index_.heads(m);
    // Heads outside [s,m] are a suffix of the lanes of s and a prefix of the lanes of m.
    int i = index_.lanes_outside(s, m).first;
    const int last_i = index_.lanes(s);
    int j = 0;
    const int last_j = index_.lanes_outside(m, s).last;
    const auto order = [&](int h) { return h > m ? h - m : h + index_.words(); };
    Pair pair{s, m, end_, 0, static_cast<int>(segments_.size()), 0};
    bool joined = false;
    while (i < last_i && j < last_j) {
      const int h = of_s[static_cast<std::size_t>(i)];
      const int other = of_m[static_cast<std::size_t>(j)];
      if (h == other) {
        if (!joined) segments_.push_back({end_ + pair.count, i, j, 0});
        ++segments_.back().count;
        register_item(s, m, h, end_ + pair.count++);
        joined = true, ++i, ++j;
      } else {
        joined = false;
        (order(h) < order(other) ? i : j) += 1;
      }
    }
    if (pair.count == 0) return;
    pair.segments_last = static_cast<int>(segments_.size());
    pair_of_[square(s, m)] = static_cast<int>(pairs_.size());
    end_ += pair.count;
    pairs_.push_back(pair);
  }

  void register_item(int s, int m, int h, Item item) {
    const int inner = index_.find_arc(h, h < s ? s : m);
    const int outer = index_.find_arc(h, h < s ? m : s);
    const int slot = 1 + index_.position(inner);
    if (slot >= index_.sibling_slots(outer)) return;  // the root takes one modifier only
    item_of_[static_cast<std::size_t>(index_.sib(outer, slot) - index_.first(PartFamily::sib))] =
        item;
  }

  template <class Visitor>
  [[gnu::always_inline]] void along_heads(int s, int m, const Segment& segment,
                                          Visitor& visitor) const {
    const Item right_of_s = rows_.closed(Side::right, s, s) + segment.lane_of_s;
    const Item left_of_m = rows_.closed(Side::left, m, s + 1) + segment.lane_of_m;
    visitor.runs(m - s, [&](int k) {  // r = s + k
      return Run{.count = segment.count,
                 .head = segment.first,
                 .head_step = 1,
                 .a = right_of_s + k * index_.lanes(s),
                 .a_step = 1,
                 .b = left_of_m - k * index_.lanes(m),
                 .b_step = 1};
    });
  }
  template <class Visitor>
  [[gnu::always_inline]] void along_splits(int s, int m, const Segment& segment, int lane,
                                           Visitor& visitor) const {
    visitor.run({.count = m - s,
                 .head = segment.first + lane,
                 .a = rows_.closed(Side::right, s, s) + segment.lane_of_s + lane,
                 .a_step = index_.lanes(s),
                 .b = rows_.closed(Side::left, m, s + 1) + segment.lane_of_m + lane,
                 .b_step = -index_.lanes(m)});
  }

  const PartIndex& index_;
  const GrandparentRows<true>& rows_;
  int kind_;
  Item base_;
  Item end_;
  std::vector<int> pair_of_;  // [s][m]
  std::vector<Pair> pairs_;
  std::vector<Segment> segments_;
  std::vector<Item> item_of_;  // by sib part
};

}  // namespace copse::charts
