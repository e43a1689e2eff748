#include "copse/inference/part_index.h"

#include <algorithm>
#include <limits>

#include "copse/base/error.h"

namespace copse {

PartIndex::PartIndex(const ArcMask& mask, Factorisation factorisation, RootRule rule,
                     Crossing crossing)
    : words_(mask.words()), factorisation_(factorisation), rule_(rule), crossing_(crossing) {
  number_arcs(mask);
  number_lanes(mask);
  number_parts();
}

void PartIndex::number_arcs(const ArcMask& mask) {
  arc_of_.assign(square(words_, words_) + 1, kNone);
  arcs_within_.assign(square(words_, words_) + 1, 0);
  arcs_.reserve(at(mask.arcs()));
  sibling_slots_.reserve(at(mask.arcs()));
  const auto add = [&](int h, int m, Side side) {
    if (!mask.allowed(h, m)) return;
    arc_of_[square(h, m)] = arcs();
    arcs_.push_back({h, m, side});
    const bool only = h == 0 && rule_ == RootRule::single;
    sibling_slots_.push_back(only ? 1 : arcs() - side_first_.back());
  };
  for (int h = 0; h <= words_; ++h) {
    side_first_.push_back(arcs());
    for (int m = h - 1; m >= 1; --m) {
      add(h, m, Side::left);
      arcs_within_[square(h, m)] = arcs() - side_first_.back();
    }
    side_first_.push_back(arcs());
    for (int m = h + 1; m <= words_; ++m) {
      add(h, m, Side::right);
      arcs_within_[square(h, m)] = arcs() - side_first_.back();
    }
  }
  side_first_.push_back(arcs());
}

void PartIndex::number_lanes(const ArcMask& mask) {
  lane_first_.assign({0, 0});  // the root has no heads
  head_lane_.assign(arcs_.size(), 0);
  if (has_lanes()) outside_.assign(square(words_, words_) + 1, Range{0, 1});
  lane_heads_.reserve(arcs_.size());
  for (int m = 1; m <= words_; ++m) {
    const auto add = [&](int h) {
      if (!mask.allowed(h, m)) return;
      head_lane_[at(find_arc(h, m))] = static_cast<int>(lane_heads_.size()) - lane_first_.back();
      lane_heads_.push_back(h);
    };
    for (int h = m + 1; h <= words_; ++h) add(h);
    for (int h = 0; h < m; ++h) add(h);
    lane_first_.push_back(static_cast<int>(lane_heads_.size()));
    if (!has_lanes()) continue;
    // Lanes inside a span to the right come first in cyclic order, those to the left come last.
    const int all = lane_first_.back() - lane_first_[at(m)];
    if (crossing_ == Crossing::allowed) {
      for (int x = 0; x <= words_; ++x) outside_[square(m, x)] = {0, all};
      continue;
    }
    for (int x = m, first = 0; x <= words_; ++x)
      outside_[square(m, x)] = {first += mask.allowed(x, m) ? 1 : 0, all};
    for (int x = m - 1, last = all; x >= 0; --x)
      outside_[square(m, x)] = {0, last -= mask.allowed(x, m) ? 1 : 0};
  }
}

int PartIndex::outer_slots(int a) const {
  return 1 + arcs_of(arc(a).m, arc(a).side).size();
}

std::int64_t PartIndex::parts_of_arc(int a, PartFamily family) const {
  const std::int64_t slots = sibling_slots(a);
  const std::int64_t lanes = has_lanes() && arc(a).h != 0 ? grandparents(a).size() : 0;
  switch (family) {
    case PartFamily::dep:
    case PartFamily::stop:
      return 1;
    case PartFamily::sib:
      return slots;
    case PartFamily::grand:
      return factorisation_ == Factorisation::carreras ? inner_slots(a) + outer_slots(a) : lanes;
    case PartFamily::gsib:
      return slots * lanes;
    case PartFamily::tsib:
      return 1 + slots * (slots - 1) / 2;
  }
  return 0;
}

void PartIndex::number_parts() {
  if (factorisation_ == Factorisation::carreras) {
    inner_slots_.resize(arcs_.size());
    for (int a = 0; a < arcs(); ++a) {
      // The modifiers of m towards h and short of it; they lie outwards from m in order.
      const auto [h, m, side] = arc(a);
      const Range inner = arcs_of(m, side == Side::right ? Side::left : Side::right);
      int slots = 1;
      while (slots <= inner.size() && (side == Side::right ? arc(inner.first + slots - 1).m > h
                                                           : arc(inner.first + slots - 1).m < h))
        ++slots;
      inner_slots_[at(a)] = slots;
    }
  }
  std::int64_t next = 0;
  for (int f = 0; f < kPartFamilies; ++f) {
    const auto family = static_cast<PartFamily>(f);
    first_[at(f)] = static_cast<Id>(next);
    if (!has(family)) continue;
    std::vector<Id>* const starts = family == PartFamily::sib     ? &sib_
                                    : family == PartFamily::grand ? &grand_
                                    : family == PartFamily::gsib  ? &gsib_
                                    : family == PartFamily::tsib  ? &tsib_
                                                                  : nullptr;
    if (starts != nullptr) starts->reserve(arcs_.size());
    if (family == PartFamily::stop) next += 2 * (std::int64_t{words_} + 1);
    for (int a = 0; a < arcs(); ++a) {
      if (starts != nullptr) starts->push_back(static_cast<Id>(next));
      next += parts_of_arc(a, family);
      if (next > std::numeric_limits<Id>::max())
        throw usage_error("the sentence has more parts than can be numbered",
                          "prune its arcs or use a lower order; plan_search() does both");
    }
  }
  first_[kPartFamilies] = static_cast<Id>(next);
}

Part PartIndex::part(Id id) const {
  Part found;
  for (int f = 0; f < kPartFamilies; ++f) {
    const auto family = static_cast<PartFamily>(f);
    if (id < first(family) || id >= first(family) + count(family)) continue;
    for_each(family, [&](Id each, const Part& part) {
      if (each == id) found = part;
    });
  }
  return found;
}

PartIndex::Id PartIndex::find(const Part& wanted) const {
  Id found = kNone;
  if (!has(wanted.family)) return found;
  for_each(wanted.family, [&](Id id, const Part& part) {
    if (part == wanted) found = id;
  });
  return found;
}

}  // namespace copse
