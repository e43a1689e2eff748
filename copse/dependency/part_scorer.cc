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
  if (summed()) {
    std::array<bool, kTemplateSections> needed{};
    for (int f = 0; f < kPartFamilies; ++f) {
      needed[static_cast<std::size_t>(f)] = index.has(static_cast<PartFamily>(f));
    }
    needed[kLabelSection] = labels_ > 0;
    scratch.pieces.fill(features_, atoms, needed);
  }
  for (int f = 0; f < kPartFamilies; ++f) {
    if (f == static_cast<int>(PartFamily::gsib)) continue;
    index.for_each(static_cast<PartFamily>(f), [&](PartIndex::Id id, const Part& part) {
      const std::size_t before = scratch.keys.size();
      take_keys(f, atoms, part, scratch);
      keep_known(before, scratch);
      scratch.waiting.push_back({id, scratch.keys.size()});
      if (scratch.keys.size() >= kKeysInFlight) look_up(scratch, out);
    });
  }
  look_up(scratch, out);
  if (index.has(PartFamily::gsib)) score_grand_siblings(index, atoms, scratch, out);
  if (labels_ > 0) score_labels(index, atoms, scratch, out);
}

void PartScorer::take_keys(int section, const PositionAtoms& atoms, const Part& part,
                           Scratch& scratch) const {
  if (summed()) {
    const std::size_t size = scratch.keys.size();
    scratch.keys.resize(size + scratch.pieces.most(section, part));
    const FeatureKey* const end = scratch.pieces.append(section, part, scratch.keys.data() + size);
    scratch.keys.resize(static_cast<std::size_t>(end - scratch.keys.data()));
    return;
  }
  features_.for_each_member(section, atoms, part, [&](FeatureKey key, int, FeatureCopy, int) {
    scratch.keys.push_back(key);
  });
}

void PartScorer::keep_known(std::size_t first, Scratch& scratch) const {
  std::size_t kept = first;
  for (std::size_t k = first; k < scratch.keys.size(); ++k) {
    const FeatureKey key = scratch.keys[k];
    scratch.keys[kept] = key;
    const bool passes = filter_.may_have(key);
    if (passes) weights_.prefetch(key);
    kept += passes ? 1 : 0;
  }
  scratch.keys.resize(kept);
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
  scratch.sibling_words.assign(1, kNobody);
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
      const auto take = [&](std::size_t slot, FeatureKey key) {
        // Whether it passes cannot be foretold: no branch but the prefetch depends on it.
        scratch.summands[count] = {id + static_cast<PartIndex::Id>(slot) * lanes.size(), key};
        const bool passes = filter_.may_have(key);
        if (passes) weights_.prefetch(key);
        count += passes ? 1 : 0;
        if (count == kKeysInFlight) flush();
      };
      if (summed()) {
        scratch.pieces.for_each_sibling(part, scratch.sibling_words, take);
      } else {
        features_.for_each_sibling(atoms, part, scratch.siblings, take);
      }
    }
    scratch.siblings.push_back(atoms.at(m));
    scratch.sibling_words.push_back(m);
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
    const Part part{.h = index.arc(a).h, .m = index.arc(a).m};
    take_keys(kLabelSection, atoms, part, scratch);
    scratch.ends.push_back(scratch.keys.size());
  }
  label_weights_.add_groups_to(scratch.keys, scratch.ends, out.label_values());
  scratch.keys.clear();
}

}  // namespace copse
