#include "copse/rerank/joined_features.h"

#include <utility>

namespace copse {

ListFeatures with_given_features(ListFeatures features, const Candidates& list,
                                 const FeatureSource::Wanted& wanted) {
  if (list.names.empty()) return features;
  ListFeatures given = make_given_features()->features(list, wanted);
  ListFeatures joined;
  const auto count = static_cast<std::uint32_t>(features.keys.size());
  joined.keys = std::move(features.keys);
  joined.keys.insert(joined.keys.end(), given.keys.begin(), given.keys.end());
  for (std::size_t c = 0; c < given.candidates(); ++c) {
    const auto own = features.of(c);
    joined.counts.insert(joined.counts.end(), own.begin(), own.end());
    for (const ListFeatures::Count& each : given.of(c)) {
      joined.counts.push_back({count + each.feature, each.times});
    }
    joined.rows.push_back(joined.counts.size());
  }
  joined.name = [count, first = std::move(features.name),
                 second = std::move(given.name)](std::uint32_t feature) {
    return feature < count ? first(feature) : second(feature - count);
  };
  return joined;
}

}  // namespace copse
