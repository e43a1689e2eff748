#include "copse/dependency/part_scorer.h"

namespace copse {

void PartScorer::score(const PartIndex& index, const PositionAtoms& atoms, Scratch& scratch,
                       PartScores& out) const {
  out.reset(index, labels_);
  if (summed()) {
    std::array<bool, kTemplateSections> needed{};
    for (int f = 0; f < kPartFamilies; ++f) {
      needed[static_cast<std::size_t>(f)] = index.has(static_cast<PartFamily>(f));
    }
    needed[kLabelSection] = labels_ > 0;
    scratch.pieces.fill(features_, atoms, needed);
  }
  WeightSums& sums = scratch.sums;
  sums.begin(weights_, filter_, static_cast<std::size_t>(index.size()));
  for (int f = 0; f < kPartFamilies; ++f) {
    if (f == static_cast<int>(PartFamily::gsib)) continue;
    index.for_each(static_cast<PartFamily>(f), [&](PartIndex::Id id, const Part& part) {
      take_keys(f, atoms, part, scratch.pieces, sums.keys());
      if (sums.end_group(static_cast<std::size_t>(id))) scratch.stop.check();
    });
  }
  if (index.has(PartFamily::gsib)) sum_grand_siblings(index, atoms, scratch);
  scratch.stop.check();
  const auto found = sums.finish();
  for (PartIndex::Id id = 0; id < index.size(); ++id) {
    out[id] = static_cast<float>(found[static_cast<std::size_t>(id)]) * weights_.scale();
  }
  if (labels_ > 0) score_labels(index, atoms, scratch, out);
}

void PartScorer::take_keys(int section, const PositionAtoms& atoms, const Part& part,
                           FeaturePieces& pieces, KeyBuffer& out) const {
  if (summed()) {
    out.end_at(pieces.append(section, part, out.room_for(pieces.most(section, part))));
    return;
  }
  features_.for_each_member(section, atoms, part,
                            [&](FeatureKey key, int, FeatureCopy, int) { out.push_back(key); });
}

void PartScorer::sum_grand_siblings(const PartIndex& index, const PositionAtoms& atoms,
                                    Scratch& scratch) const {
  for (int h = 1; h <= index.words(); ++h) {
    for (const Side side : {Side::left, Side::right}) {
      const PartIndex::Range arcs = index.arcs_of(h, side);
      if (arcs.size() > 0) sum_grand_siblings(index, arcs, atoms, scratch);
    }
  }
}

// What parts that differ in s alone have in common is joined once.
void PartScorer::sum_grand_siblings(const PartIndex& index, PartIndex::Range arcs,
                                    const PositionAtoms& atoms, Scratch& scratch) const {
  WeightSums& sums = scratch.sums;
  const auto end_group = [&](PartIndex::Id id) {
    if (sums.end_group(static_cast<std::size_t>(id))) scratch.stop.check();
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
      const auto id = [&](std::size_t slot) {
        return index.gsib(a, static_cast<int>(slot)) + lane - lanes.first;
      };
      if (summed()) {
        scratch.pieces.begin_siblings(part);
        for (std::size_t slot = 0; slot < scratch.sibling_words.size(); ++slot) {
          scratch.pieces.append_sibling(scratch.sibling_words[slot], sums.keys());
          end_group(id(slot));
        }
      } else {
        features_.for_each_sibling(atoms, part, scratch.siblings,
                                   [&](std::size_t slot, FeatureKey key) {
                                     sums.keys().push_back(key);
                                     end_group(id(slot));
                                   });
      }
    }
    scratch.siblings.push_back(atoms.at(m));
    scratch.sibling_words.push_back(m);
  }
}

void PartScorer::score_labels(const PartIndex& index, const PositionAtoms& atoms, Scratch& scratch,
                              PartScores& out) const {
  scratch.ends.clear();
  for (int a = 0; a < index.arcs(); ++a) {
    const Part part{.h = index.arc(a).h, .m = index.arc(a).m};
    take_keys(kLabelSection, atoms, part, scratch.pieces, scratch.keys);
    scratch.ends.push_back(scratch.keys.size());
  }
  label_weights_.add_groups_to(scratch.keys.all(), scratch.ends, out.label_values());
  scratch.keys.clear();
}

}  // namespace copse
