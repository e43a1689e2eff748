// Sums of groups of keys are those of a map, however many keys come and in whatever order.
#include "copse/model/weight_sums.h"

#include <gtest/gtest.h>

#include <map>

#include "copse/base/huge_pages.h"
#include "copse/base/random.h"

namespace copse {
namespace {

struct Weighted {
  explicit Weighted(std::size_t count, Random& random) {
    std::vector<KeyWeight> weights;
    while (units.size() < count) {
      // The largest one says that units are wholes.
      const int unit = units.empty() ? 32767 : 1 + static_cast<int>(random.below(1000));
      const FeatureKey key = random.next();
      if (units.emplace(key, unit).second) weights.push_back({key, static_cast<float>(unit)});
    }
    for (const auto& [key, unit] : units) keys.push_back(key);
    const std::string frozen = freeze_scalars(weights);
    bytes = HugePageCopy(std::as_bytes(std::span(frozen)));
    table = ScalarTable::view(bytes.bytes());
    filter = KeyFilter(table);
  }
  std::map<FeatureKey, int> units;
  std::vector<FeatureKey> keys;
  HugePageCopy bytes;
  ScalarTable table;
  KeyFilter filter;
};

TEST(WeightSums, AreThoseOfAMap) {
  Random random(4);
  WeightSums sums;
  for (const std::size_t count : {1U, 50U, 5000U}) {
    const Weighted weights(count, random);
    for (const std::uint64_t most : {1U, 9U, 700U}) {
      SCOPED_TRACE(testing::Message() << count << " features, groups of up to " << most);
      constexpr std::size_t kGroups = 40;
      std::vector<std::int64_t> expected(kGroups, 0);
      sums.begin(weights.table, weights.filter, kGroups);
      bool some_looked_up = false;
      for (int times = 0; times < 300; ++times) {
        const std::size_t group = random.below(kGroups - 1);  // the last one has none
        const std::uint64_t size = random.below(most + 1);
        for (std::uint64_t k = 0; k < size; ++k) {
          const bool known = random.below(2) == 0;
          const FeatureKey key =
              known ? weights.keys[random.below(weights.keys.size())] : random.next();
          sums.keys().push_back(key);
          if (known) expected[group] += weights.units.at(key);
        }
        some_looked_up = sums.end_group(group) || some_looked_up;
      }
      const auto found = sums.finish();
      EXPECT_EQ(std::vector<std::int64_t>(found.begin(), found.end()), expected);
      EXPECT_EQ(some_looked_up, most > 1);
    }
  }
}

}  // namespace
}  // namespace copse
