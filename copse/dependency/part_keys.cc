#include "copse/dependency/part_keys.h"

namespace copse {

void PartKeys::fill(const PartIndex& index, const PartFeatures& features,
                    const PositionAtoms& atoms, bool labels) {
  keys.clear();
  begin.clear();
  const auto take = [&](FeatureKey key, int, FeatureCopy) { keys.push_back(key); };
  const auto mark = [&] { begin.push_back(static_cast<std::uint32_t>(keys.size())); };
  for (int f = 0; f < kPartFamilies; ++f) {
    const auto family = static_cast<PartFamily>(f);
    PartIndex::Id next = index.first(family);
    index.for_each(family, [&](PartIndex::Id id, const Part& part) {
      for (; next <= id; ++next) mark();
      features.for_each(atoms, part, take);
    });
    const PartIndex::Id end = index.first(family) + index.count(family);
    for (; next < end; ++next) mark();
  }
  for (int a = 0; labels && a < index.arcs(); ++a) {
    mark();
    features.for_each_of_label(atoms, index.arc(a).h, index.arc(a).m, take);
  }
  mark();
}

}  // namespace copse
