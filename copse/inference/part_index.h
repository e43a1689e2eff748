// Numbers the surviving parts of one sentence: the parts all of whose arcs the mask allows and
// that some tree of the class, projective or not, can contain. Scores going in and marginals coming out are flat arrays
// over these numbers, so that nothing is ever computed, stored or scored for a pruned part.
//
// Arcs.   Numbered by head, then left side before right side, then from the head outwards:
//         arcs_of(h, side) is one range, and the inner siblings of an arc are the arcs before it
//         in that range. position(a) counts from 0 at the head.
// Lanes.  The surviving heads of a word h in cyclic order, h+1 .. n, 0 .. h-1. The grandparents g
//         of an arc (h,m) lie outside [h,m]: in this order they are one contiguous run of lanes,
//         a suffix for right arcs and a prefix for left ones. The root has one lane, "no head".
//         Where arcs may cross, every head of h but m is a grandparent: all lanes are, and the
//         numbers of the one that is m itself stand for nothing (for_each passes over them).
//
// Parts.  All families share one numbering, family by family; within a family:
//     dep     a                                                   the number of the arc itself
//     stop    stop(h, side) = nobody, then its arcs in order      [h][side][1 + position]
//     sib     [a][slot]                 slot 0 = nobody, 1 + k = the k-th modifier from h
//     grand   [a][lane - first_lane(a)]                           Models 0, 1, 2; h >= 1
//             [a = (g,h)][inner slot of m .. outer slot of m]     Carreras, slot 0 = nobody
//     tsib    [a][slot of s][slot of t]                           triangular
//     gsib    [a][slot of s][lane - first_lane(a)]                h >= 1
// sib and gsib rows are what the innermost loops of the charts read front to back.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "copse/inference/arc_mask.h"
#include "copse/inference/part.h"

namespace copse {

class PartIndex {
 public:
  using Id = std::int32_t;
  static constexpr Id kNone = -1;

  struct Range {
    int first = 0;
    int last = 0;
    int size() const { return last - first; }
  };
  struct Arc {
    int h = 0;
    int m = 0;
    Side side = Side::right;
  };

  // Throws a usage error if there are more than 2^31 - 1 parts: see search_plan.h, which says
  // beforehand. O(arcs * n) time.
  PartIndex(const ArcMask& mask, Factorisation factorisation, RootRule rule,
            Crossing crossing = Crossing::never);

  int words() const { return words_; }
  Factorisation factorisation() const { return factorisation_; }
  RootRule rule() const { return rule_; }
  Crossing crossing() const { return crossing_; }
  bool has(PartFamily family) const { return has_family(factorisation_, family); }

  int arcs() const { return static_cast<int>(arcs_.size()); }
  const Arc& arc(int a) const { return arcs_[at(a)]; }
  int find_arc(int h, int m) const { return arc_of_[square(h, m)]; }  // kNone if pruned
  Range arcs_of(int h, Side side) const {
    const std::size_t k = side_index(h, side);
    return {side_first_[k], side_first_[k + 1]};
  }
  // How many modifiers h has between itself and e, e included: arcs_of(..).first is the innermost.
  int arcs_within(int h, int e) const { return arcs_within_[square(h, e)]; }
  int position(int a) const { return a - arcs_of(arc(a).h, arc(a).side).first; }

  // Do the items of the chart carry the head of their head? Only then lanes_outside is known.
  bool has_lanes() const {
    return factorisation_ == Factorisation::model0 || factorisation_ == Factorisation::model1 ||
           factorisation_ == Factorisation::model2;
  }
  // The surviving heads of h, by lane; empty for the root, which has the one lane "no head".
  std::span<const int> heads(int h) const {
    return {lane_heads_.data() + lane_first_[at(h)], static_cast<std::size_t>(surviving_heads(h))};
  }
  int lanes(int h) const { return h == 0 ? 1 : surviving_heads(h); }
  int lane_of_head(int a) const { return head_lane_[at(a)]; }  // of h among the lanes of m
  // The lanes of h whose head lies outside the span from h to x; h itself counts as a span. All
  // lanes where arcs may cross.
  const Range& lanes_outside(int h, int x) const { return outside_[square(h, x)]; }
  const Range& grandparents(int a) const { return lanes_outside(arc(a).h, arc(a).m); }

  // How many choices of s the arc has, nobody included; 1 for root arcs under a single root.
  int sibling_slots(int a) const { return sibling_slots_[at(a)]; }
  // How many choices of m grand(g,h,m) has for a = (g,h), nobody included (Carreras).
  int inner_slots(int a) const { return inner_slots_[at(a)]; }
  int outer_slots(int a) const;

  // The numbers of parts.
  Id dep(int a) const { return a; }
  Id stop(int h, Side side) const {
    return first(PartFamily::stop) + static_cast<Id>(side_index(h, side)) + arcs_of(h, side).first;
  }
  Id stop(int a) const {  // as many nobodies before it as sides, and the arcs before it
    return first(PartFamily::stop) + static_cast<Id>(side_index(arc(a).h, arc(a).side)) + 1 + a;
  }
  Id sib(int a, int slot) const { return sib_[at(a)] + slot; }
  Id grand(int a) const { return grand_[at(a)]; }  // of the first grandparent lane, or inner slot
  Id outer_grand(int a) const { return grand(a) + inner_slots(a); }  // Carreras, slot 0
  Id tsib(int a, int slot) const {
    return tsib_[at(a)] + (slot == 0 ? 0 : 1 + slot * (slot - 1) / 2);
  }
  // Slots follow each other at a distance of grandparents(a).size().
  Id gsib(int a, int slot) const { return gsib_[at(a)] + slot * grandparents(a).size(); }

  Id size() const { return first_[kPartFamilies]; }
  Id first(PartFamily family) const { return first_[static_cast<std::size_t>(family)]; }
  Id count(PartFamily family) const {
    return first_[static_cast<std::size_t>(family) + 1] - first(family);
  }

  // What a number stands for, and back (kNone for a part that did not survive). Slow: for
  // messages and tests; to walk all parts use for_each.
  Part part(Id id) const;
  Id find(const Part& part) const;

  // visit(id, part) for every part of the family, in rising order of id.
  template <class Visit>
  void for_each(PartFamily family, Visit&& visit) const;

 private:
  static std::size_t at(int k) { return static_cast<std::size_t>(k); }
  static std::size_t side_index(int h, Side side) { return 2 * at(h) + at(side == Side::right); }
  std::size_t square(int h, int m) const { return at(h) * at(words_ + 1) + at(m); }
  int surviving_heads(int h) const { return lane_first_[at(h) + 1] - lane_first_[at(h)]; }

  void number_arcs(const ArcMask& mask);
  void number_lanes(const ArcMask& mask);
  void number_parts();
  std::int64_t parts_of_arc(int a, PartFamily family) const;
  template <class Visit>
  void for_each_of_arc(PartFamily family, int a, Visit&& visit) const;

  int words_;
  Factorisation factorisation_;
  RootRule rule_;
  Crossing crossing_;
  std::vector<Arc> arcs_;
  std::vector<int> arc_of_;       // [h][m] -> arc or kNone
  std::vector<int> arcs_within_;  // [h][e]
  std::vector<int> side_first_;   // [h][side] -> first arc; one past the end at the end
  std::vector<int> lane_heads_;   // the heads of word 1, of word 2, ...
  std::vector<int> lane_first_;   // [h] -> where its heads start
  std::vector<int> head_lane_;    // [a]
  std::vector<Range> outside_;    // [h][x] -> lanes_outside
  std::vector<int> sibling_slots_, inner_slots_;  // [a]
  std::vector<Id> sib_, grand_, tsib_, gsib_;     // [a] -> first part of the arc
  std::array<Id, kPartFamilies + 1> first_{};
};

template <class Visit>
void PartIndex::for_each_of_arc(PartFamily family, int a, Visit&& visit) const {
  const auto [h, m, side] = arc(a);
  const Range inner = arcs_of(h, side);
  const auto modifier = [](const PartIndex& index, const Range& arcs, int slot) {
    return slot == 0 ? kNobody : index.arc(arcs.first + slot - 1).m;
  };
  const Range lanes = has_lanes() ? grandparents(a) : Range{};
  Part part{.family = family, .h = h, .m = m, .side = side};
  switch (family) {
    case PartFamily::dep:
      visit(dep(a), part);
      break;
    case PartFamily::stop:
      visit(stop(a), part);
      break;
    case PartFamily::sib:
      for (int slot = 0; slot < sibling_slots(a); ++slot) {
        part.s = modifier(*this, inner, slot);
        visit(sib(a, slot), part);
      }
      break;
    case PartFamily::grand:
      if (factorisation_ == Factorisation::carreras) {
        const Side in = side == Side::right ? Side::left : Side::right;
        for (int slot = 0; slot < inner_slots(a) + outer_slots(a); ++slot) {
          const bool outer = slot >= inner_slots(a);
          const Side where = outer ? side : in;
          const int k = outer ? slot - inner_slots(a) : slot;
          visit(grand(a) + slot, Part{.family = family,
                                      .g = h,
                                      .h = m,
                                      .m = modifier(*this, arcs_of(m, where), k),
                                      .side = where});
        }
      } else if (h != 0) {
        for (int lane = lanes.first; lane < lanes.last; ++lane) {
          part.g = heads(h)[at(lane)];
          if (part.g != m) visit(grand(a) + lane - lanes.first, part);
        }
      }
      break;
    case PartFamily::gsib:
      if (h == 0) break;
      for (int slot = 0; slot < sibling_slots(a); ++slot) {
        part.s = modifier(*this, inner, slot);
        for (int lane = lanes.first; lane < lanes.last; ++lane) {
          part.g = heads(h)[at(lane)];
          if (part.g != m) visit(gsib(a, slot) + lane - lanes.first, part);
        }
      }
      break;
    case PartFamily::tsib:
      for (int slot = 0; slot < sibling_slots(a); ++slot) {
        part.s = modifier(*this, inner, slot);
        for (int deeper = 0; deeper < (slot == 0 ? 1 : slot); ++deeper) {
          part.t = modifier(*this, inner, deeper);
          visit(tsib(a, slot) + deeper, part);
        }
      }
      break;
  }
}

template <class Visit>
void PartIndex::for_each(PartFamily family, Visit&& visit) const {
  if (!has(family)) return;
  if (family != PartFamily::stop) {
    for (int a = 0; a < arcs(); ++a) for_each_of_arc(family, a, visit);
    return;
  }
  for (int h = 0; h <= words_; ++h)
    for (const Side side : {Side::left, Side::right}) {
      if (h != 0 || side == Side::right)
        visit(stop(h, side), Part{.family = family, .h = h, .side = side});
      for (int a = arcs_of(h, side).first; a < arcs_of(h, side).last; ++a)
        for_each_of_arc(family, a, visit);
    }
}

}  // namespace copse
