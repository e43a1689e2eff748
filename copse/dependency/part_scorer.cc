#include "copse/dependency/part_scorer.h"

namespace copse {
namespace {

// Keys asked for ahead of the sums: enough to hide the memory's latency, few enough to stay cached.
constexpr std::size_t kKeysInFlight = 256;

}  // namespace

void PartScorer::score(const PartIndex& index, const PositionAtoms& atoms, Scratch& scratch,
                       PartScores& out) const {
  out.reset(index, labels_);
  scratch.keys.clear();
  scratch.waiting.clear();
  const auto take = [&](FeatureKey key, int, FeatureCopy) {
    weights_.prefetch(key);
    scratch.keys.push_back(key);
  };
  for (int f = 0; f < kPartFamilies; ++f) {
    if (f == static_cast<int>(PartFamily::gsib)) continue;
    index.for_each(static_cast<PartFamily>(f), [&](PartIndex::Id id, const Part& part) {
      features_.for_each(atoms, part, take);
      scratch.waiting.push_back({id, scratch.keys.size()});
      if (scratch.keys.size() >= kKeysInFlight) look_up(scratch, out);
    });
  }
  look_up(scratch, out);
  if (index.has(PartFamily::gsib)) score_grand_siblings(index, atoms, scratch, out);
  if (labels_ > 0) score_labels(index, atoms, scratch, out);
}

void PartScorer::look_up(Scratch& scratch, PartScores& out) const {
  scratch.stop.check();
  std::size_t k = 0;
  for (const auto& [part, end] : scratch.waiting) {
    const auto keys = std::span(scratch.keys).subspan(k, end - k);
    out[part] = static_cast<float>(weights_.sum(keys)) * weights_.scale();
    k = end;
  }
  scratch.keys.clear();
  scratch.waiting.clear();
}

// Most parts are of this family, and most of their features were never seen in training.
void PartScorer::score_grand_siblings(const PartIndex& index, const PositionAtoms& atoms,
                                      Scratch& scratch, PartScores& out) const {
  for (int h = 1; h <= index.words(); ++h) {
    for (const Side side : {Side::left, Side::right}) {
      const PartIndex::Range arcs = index.arcs_of(h, side);
      if (arcs.size() > 0) score_grand_siblings(index, arcs, atoms, scratch, out);
    }
  }
}

// Of the arcs of one side of a head; the numbers of their parts follow each other.
void PartScorer::score_grand_siblings(const PartIndex& index, PartIndex::Range arcs,
                                      const PositionAtoms& atoms, Scratch& scratch,
                                      PartScores& out) const {
  scratch.stop.check();
  const PartIndex::Id first = index.gsib(arcs.first, 0);
  const PartIndex::Id last = index.gsib(arcs.last - 1, index.sibling_slots(arcs.last - 1));
  scratch.sums.assign(static_cast<std::size_t>(last - first), 0);
  scratch.summands.resize(kKeysInFlight);
  std::size_t count = 0;
  const auto flush = [&] {
    for (const auto& [part, key] : std::span(scratch.summands).first(count)) {
      scratch.sums[static_cast<std::size_t>(part - first)] += weights_.find(key);
    }
    count = 0;
  };
  scratch.siblings.assign(1, atoms.at(kNobody));
  for (int a = arcs.first; a < arcs.last; ++a) {
    const auto [h, m, side] = index.arc(a);
    const PartIndex::Range lanes = index.grandparents(a);
    for (int lane = lanes.first; lane < lanes.last; ++lane) {
      const Part part{.family = PartFamily::gsib,
                      .g = index.heads(h)[static_cast<std::size_t>(lane)],
                      .h = h,
                      .m = m,
                      .side = side};
      if (part.g == m) continue;
      PartIndex::Id id = index.gsib(a, 0) + lane - lanes.first;
      features_.for_each_sibling(
          atoms, part, scratch.siblings, [&](std::size_t slot, FeatureKey key) {
            // Whether it passes cannot be foretold: no branch but the prefetch depends on it.
            scratch.summands[count] = {id + static_cast<PartIndex::Id>(slot) * lanes.size(), key};
            const bool passes = filter_.may_have(key);
            if (passes) weights_.prefetch(key);
            count += passes ? 1 : 0;
            if (count == kKeysInFlight) flush();
          });
    }
    scratch.siblings.push_back(atoms.at(m));
  }
  flush();
  for (PartIndex::Id id = first; id < last; ++id) {
    const std::int64_t sum = scratch.sums[static_cast<std::size_t>(id - first)];
    out[id] = static_cast<float>(sum) * weights_.scale();
  }
}

void PartScorer::score_labels(const PartIndex& index, const PositionAtoms& atoms, Scratch& scratch,
                              PartScores& out) const {
  scratch.ends.clear();
  for (int a = 0; a < index.arcs(); ++a) {
    features_.for_each_of_label(
        atoms, index.arc(a).h, index.arc(a).m,
        [&](FeatureKey key, int, FeatureCopy) { scratch.keys.push_back(key); });
    scratch.ends.push_back(scratch.keys.size());
  }
  label_weights_.add_groups_to(scratch.keys, scratch.ends, out.label_values());
  scratch.keys.clear();
}

}  // namespace copse
