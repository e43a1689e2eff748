// What a filter lets pass: everything that the table has, and little else.
#include "copse/model/key_filter.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "copse/base/random.h"

namespace copse {
namespace {

// Bytes at an address that ScalarTable accepts.
struct alignas(64) Line {
  std::array<std::byte, 64> bytes;
};
std::vector<Line> lines_of(const std::string& bytes) {
  std::vector<Line> lines((bytes.size() + sizeof(Line) - 1) / sizeof(Line));
  std::memcpy(lines.data(), bytes.data(), bytes.size());
  return lines;
}

TEST(KeyFilter, LetsAllFeaturesPassAndFewOthers) {
  Random random(1);
  for (const int count : {1, 7, 100, 3000, 40'000}) {
    SCOPED_TRACE(count);
    std::vector<KeyWeight> weights;
    std::set<FeatureKey> keys;
    while (static_cast<int>(keys.size()) < count) keys.insert(random.next());
    for (const FeatureKey key : keys) weights.push_back({key, 1});
    const std::string bytes = freeze_scalars(weights);
    const std::vector<Line> lines = lines_of(bytes);
    const ScalarTable table =
        ScalarTable::view(std::as_bytes(std::span(lines)).first(bytes.size()));
    const KeyFilter filter(table);
    for (const FeatureKey key : keys) ASSERT_TRUE(filter.may_have(key));
    // At least eight bits for each feature.
    int passed = 0;
    for (int k = 0; k < 20'000; ++k) passed += filter.may_have(random.next()) ? 1 : 0;
    EXPECT_LT(passed, 20'000 / 7);
    EXPECT_GT(passed, 0);
    EXPECT_LE(filter.bytes(), 8U + 2U * static_cast<std::size_t>(count));
  }
}

TEST(KeyFilter, OfAnEmptyTableLetsNothingPass) {
  const KeyFilter filter;
  Random random(2);
  for (int k = 0; k < 1000; ++k) EXPECT_FALSE(filter.may_have(random.next()));
}

}  // namespace
}  // namespace copse
