#include "copse/model/weight_sums.h"

namespace copse {

bool WeightSums::end_group(std::size_t group) {
  const std::size_t first = fresh_.groups.empty() ? 0 : fresh_.groups.back().end;
  for (const FeatureKey key : fresh_.keys.all().subspan(first)) filter_->prefetch(key);
  fresh_.groups.push_back({group, fresh_.keys.size()});
  if (fresh_.keys.size() < kKeysInFlight) return false;
  advance();
  return true;
}

std::span<const std::int64_t> WeightSums::finish() {
  advance();
  advance();
  return sums_;
}

void WeightSums::advance() {
  sum_known();
  filter_fresh();
}

void WeightSums::sum_known() {
  std::size_t first = 0;
  for (const auto& [group, end] : known_.groups) {
    sums_[group] += table_->sum(known_.keys.all().subspan(first, end - first));
    first = end;
  }
  known_.clear();
}

// Whether a key passes cannot be foretold: no branch depends on it.
void WeightSums::filter_fresh() {
  FeatureKey* known = known_.keys.room_for(fresh_.keys.size());
  const FeatureKey* key = fresh_.keys.data();
  for (const auto& [group, end] : fresh_.groups) {
    const FeatureKey* const first = known;
    for (const FeatureKey* const last = fresh_.keys.data() + end; key != last; ++key) {
      *known = *key;
      known += filter_->may_have(*key) ? 1 : 0;
    }
    for (const FeatureKey* each = first; each != known; ++each) table_->prefetch(*each);
    known_.keys.end_at(known);
    known_.groups.push_back({group, known_.keys.size()});
  }
  fresh_.clear();
}

}  // namespace copse
