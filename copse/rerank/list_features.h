// The features of all candidates of a list, and where they come from.
//
// A feature has a key, the hash of what it says, and a name that people read. Learners of rankings
// know features that are 0 or 1: a feature that a candidate has c times is c of them, "NAME",
// "NAME x2" (at least twice), ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/model/feature_key.h"
#include "copse/model/model_file.h"
#include "copse/treebank/candidates.h"

namespace copse {

// The name and the key of "at least `times`" of a feature.
std::string name_of_times(std::string name, std::uint32_t times);
constexpr FeatureKey key_of_times(FeatureKey key, std::uint32_t times) {
  return times == 1 ? key : join(key, atom_of(std::uint64_t{times}));
}

struct ListFeatures {
  struct Count {
    std::uint32_t feature;  // index into keys
    std::uint32_t times;    // at least 1
  };
  std::vector<FeatureKey> keys;  // each once, in order of appearance
  std::vector<Count> counts;     // of all candidates, one after the other
  std::vector<std::size_t> rows = {0};
  // Of keys[feature]; as long as the list, the source and this live.
  std::function<std::string(std::uint32_t feature)> name;

  std::size_t candidates() const { return rows.size() - 1; }
  std::span<const Count> of(std::size_t candidate) const {
    return std::span(counts).subspan(rows[candidate], rows[candidate + 1] - rows[candidate]);
  }
};

// How often the candidates of a list have each feature, at least and at most.
struct FeatureExtremes {
  std::vector<std::uint32_t> least, most;  // by feature
};
// More than `max_times` becomes that.
FeatureExtremes find_extremes(ListFeatures& features, std::uint32_t max_times);

// Thread-safe.
class FeatureSource {
 public:
  virtual ~FeatureSource() = default;

  // Only features whose key is `wanted`, all if that is empty. Throws data_error for candidates
  // that have no such features.
  using Wanted = std::function<bool(FeatureKey)>;
  virtual ListFeatures features(const Candidates& list, const Wanted& wanted) const = 0;

  // "given" or "trees", and what has to be kept of it in a model.
  virtual std::string_view name() const = 0;
  virtual void save(ModelWriter& writer) const = 0;
};

// The features that stand in the list. Their values must be whole numbers, at least 1.
std::unique_ptr<FeatureSource> make_given_features();

// What save() kept, under its name.
std::unique_ptr<FeatureSource> load_feature_source(const ModelFile& file, std::string_view name);

}  // namespace copse
