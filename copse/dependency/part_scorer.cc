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
    index.for_each(static_cast<PartFamily>(f), [&](PartIndex::Id id, const Part& part) {
      features_.for_each(atoms, part, take);
      scratch.waiting.push_back({id, scratch.keys.size()});
      if (scratch.keys.size() >= kKeysInFlight) look_up(scratch, out);
    });
  }
  look_up(scratch, out);
  if (labels_ > 0) score_labels(index, atoms, scratch, out);
}

void PartScorer::look_up(Scratch& scratch, PartScores& out) const {
  std::size_t k = 0;
  for (const auto& [part, end] : scratch.waiting) {
    const auto keys = std::span(scratch.keys).subspan(k, end - k);
    out[part] = static_cast<float>(weights_.sum(keys)) * weights_.scale();
    k = end;
  }
  scratch.keys.clear();
  scratch.waiting.clear();
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
