#include "copse/rerank/list_features.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "copse/base/error.h"
#include "copse/rerank/tree_features.h"

namespace copse {
namespace {

constexpr std::string_view kGiven = "given";
constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
constexpr double kMostTimes = 1e6;

class GivenFeatures : public FeatureSource {
 public:
  ListFeatures features(const Candidates& list, const Wanted& wanted) const override {
    ListFeatures result;
    std::vector<std::uint32_t> number(list.names.size(), kNone);  // of a name among the features
    std::vector<std::uint32_t> names;
    for (std::uint32_t i = 0; i < list.names.size(); ++i) {
      const FeatureKey key = atom_of(list.names[i]);
      if (wanted && !wanted(key)) continue;
      number[i] = static_cast<std::uint32_t>(result.keys.size());
      result.keys.push_back(key);
      names.push_back(i);
    }
    for (const Candidate& candidate : list.items) {
      for (const SparseEntry& entry : candidate.features) {
        const std::uint32_t times = times_of(list, entry);
        if (number[entry.name] != kNone) result.counts.push_back({number[entry.name], times});
      }
      result.rows.push_back(result.counts.size());
    }
    result.name = [&list, names = std::move(names)](std::uint32_t feature) {
      return list.names[names[feature]];
    };
    return result;
  }

  std::string_view name() const override { return kGiven; }
  void save(ModelWriter& /*writer*/) const override {}

 private:
  static std::uint32_t times_of(const Candidates& list, const SparseEntry& entry) {
    const double value = entry.value;
    if (!(value >= 1 && value <= kMostTimes) || value != std::floor(value)) {
      throw data_error(
          fmt::format("feature {} has the value {}; expected a whole number from 1 to {}",
                      list.names[entry.name], value, kMostTimes));
    }
    return static_cast<std::uint32_t>(value);
  }
};

}  // namespace

std::string name_of_times(std::string name, std::uint32_t times) {
  return times == 1 ? name : fmt::format("{} x{}", name, times);
}

FeatureExtremes find_extremes(ListFeatures& features, std::uint32_t max_times) {
  const std::size_t size = features.keys.size();
  FeatureExtremes found{std::vector<std::uint32_t>(size, UINT32_MAX),
                        std::vector<std::uint32_t>(size, 0)};
  std::vector<std::uint32_t> having(size, 0);
  for (ListFeatures::Count& count : features.counts) {
    count.times = std::min(count.times, max_times);
    ++having[count.feature];
    found.least[count.feature] = std::min(found.least[count.feature], count.times);
    found.most[count.feature] = std::max(found.most[count.feature], count.times);
  }
  for (std::size_t f = 0; f < size; ++f) {
    if (having[f] < features.candidates()) found.least[f] = 0;
  }
  return found;
}

std::unique_ptr<FeatureSource> make_given_features() {
  return std::make_unique<GivenFeatures>();
}

std::unique_ptr<FeatureSource> load_feature_source(const ModelFile& file, std::string_view name) {
  if (name == kGiven) return make_given_features();
  if (name == kTreeFeatures) return load_tree_features(file);
  throw file.damaged("config", fmt::format("names the unknown features \"{}\"", name));
}

}  // namespace copse
