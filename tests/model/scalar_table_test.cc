// One weight per feature: equal to what it was made of, and deaf to hostile bytes.
#include "copse/model/scalar_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include "copse/base/error.h"
#include "copse/base/random.h"

namespace copse {
namespace {

// Bytes at an address that view() accepts, and nothing behind them.
class AlignedBytes {
 public:
  explicit AlignedBytes(const std::string& bytes)
      : lines_((bytes.size() + sizeof(Line) - 1) / sizeof(Line)), size_(bytes.size()) {
    if (size_ > 0) std::memcpy(lines_.data(), bytes.data(), size_);
  }
  std::span<const std::byte> bytes() const { return std::as_bytes(std::span(lines_)).first(size_); }

 private:
  struct alignas(64) Line {
    std::array<std::byte, 64> bytes;
  };
  std::vector<Line> lines_;
  std::size_t size_;
};

std::vector<KeyWeight> random_weights(Random& random, int count) {
  std::vector<KeyWeight> weights;
  std::set<FeatureKey> keys;
  while (static_cast<int>(weights.size()) < count) {
    const FeatureKey key = random.next();
    if (keys.insert(key).second) weights.push_back({key, static_cast<float>(random.normal())});
  }
  return weights;
}

float largest(std::span<const KeyWeight> weights) {
  float most = 0;
  for (const KeyWeight& each : weights) most = std::max(most, std::abs(each.weight));
  return most;
}

ErrorKind kind_of_failure(const auto& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.kind();
  }
  throw std::logic_error("nothing was thrown");
}

TEST(ScalarTable, KeepsEveryWeightToHalfAUnit) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const auto weights = random_weights(random, random.between(1, 3000));
    const AlignedBytes bytes(freeze_scalars(weights));
    const ScalarTable table = ScalarTable::view(bytes.bytes());
    const float unit = largest(weights) / 32767;
    EXPECT_FLOAT_EQ(table.scale(), unit);
    EXPECT_EQ(table.bytes(), bytes.bytes().size());
    std::size_t kept = 0;
    for (const auto& [key, weight] : weights) {
      kept += table.find(key) != 0 ? 1 : 0;
      // A hair more for the rounding of float32 itself.
      ASSERT_NEAR(static_cast<float>(table.find(key)) * table.scale(), weight, unit * 0.503F);
    }
    EXPECT_EQ(table.features(), kept);
  }
}

TEST(ScalarTable, TheLargestWeightHas32767Units) {
  for (const float size : {1e-30F, 0.1F, 1.0F, 12345.0F, 1e30F}) {
    const std::vector<KeyWeight> weights{{5, size}, {6, -size}, {7, size / 2}};
    const AlignedBytes bytes(freeze_scalars(weights));
    const ScalarTable table = ScalarTable::view(bytes.bytes());
    EXPECT_EQ(table.find(5), 32767);
    EXPECT_EQ(table.find(6), -32767);
    EXPECT_NEAR(table.find(7), 16384, 1);
  }
}

TEST(ScalarTable, WeightsNearTheSmallestFloatsDoNoHarm) {
  for (const float size : {1e-45F, 1e-44F, 1e-41F, 1e-40F, 1e-38F}) {
    const std::vector<KeyWeight> weights{{5, size}, {6, -size / 2}};
    const AlignedBytes bytes(freeze_scalars(weights));
    const ScalarTable table = ScalarTable::view(bytes.bytes());
    EXPECT_NEAR(static_cast<float>(table.find(5)) * table.scale(), size, 1e-40F);
  }
}

TEST(ScalarTable, AbsentKeysHaveNoWeight) {
  Random random(3);
  const auto weights = random_weights(random, 5000);
  const AlignedBytes bytes(freeze_scalars(weights));
  const ScalarTable table = ScalarTable::view(bytes.bytes());
  // About one in 4 * 10^8 would be mistaken; these are the same 10^5 every time.
  for (int k = 0; k < 100000; ++k) ASSERT_EQ(table.find(random.next()), 0);
}

TEST(ScalarTable, SmallWeightsAreLeftOut) {
  const std::vector<KeyWeight> weights{{1, 1.0F}, {2, 0.5F}, {3, -0.5F}, {4, 0.51F}, {5, 1e-6F}};
  const AlignedBytes all(freeze_scalars(weights));
  EXPECT_EQ(ScalarTable::view(all.bytes()).features(), 4U);  // 1e-6 rounds to zero
  const AlignedBytes some(freeze_scalars(weights, 0.5F));
  const ScalarTable table = ScalarTable::view(some.bytes());
  EXPECT_EQ(table.features(), 2U);
  EXPECT_EQ(table.find(1), 32767);
  EXPECT_EQ(table.find(2), 0);
  EXPECT_EQ(table.find(3), 0);
  EXPECT_NE(table.find(4), 0);
}

TEST(ScalarTable, ATableWithoutFeaturesAnswers) {
  const AlignedBytes none(freeze_scalars({}));
  const AlignedBytes zeros(freeze_scalars(std::vector<KeyWeight>{{1, 0.0F}, {2, -0.0F}}));
  for (const ScalarTable& table :
       {ScalarTable(), ScalarTable::view(none.bytes()), ScalarTable::view(zeros.bytes())}) {
    EXPECT_EQ(table.features(), 0U);
    for (FeatureKey key = 0; key < 100; ++key) EXPECT_EQ(table.find(key), 0);
    table.prefetch(7);
  }
}

constexpr std::size_t kHeader = 128, kBucket = 64, kPlaces = ScalarTable::kPlaces;
constexpr std::size_t kScale = 0, kBuckets = 8, kFeatures = 16, kSalt = 24;
constexpr std::size_t kWeights = kPlaces * 4, kTaken = kPlaces * 6 + 2, kOverflows = kTaken + 1;

template <class T>
T number_at(const std::string& bytes, std::size_t offset) {
  T value{};
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

template <class T>
std::string with(std::string bytes, std::size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
  return bytes;
}

// Keys whose home is among the first buckets, whatever the table's first salt: found by looking.
std::vector<KeyWeight> crowded_weights(int count) {
  Random random(11);
  const auto probe = freeze_scalars(random_weights(random, count));
  const auto salt = number_at<std::uint32_t>(probe, kSalt);
  std::vector<KeyWeight> weights;
  while (static_cast<int>(weights.size()) < count) {
    const FeatureKey key = random.next();
    const std::uint32_t place = (static_cast<std::uint32_t>(key >> 32) ^ salt) * 0x9E3779B1U;
    // The highest bits choose the bucket: those at the end wrap around to the first.
    if (place >> 24 == 0xFF) {
      weights.push_back({key, static_cast<float>(weights.size() + 1)});
    }
  }
  return weights;
}

TEST(ScalarTable, BucketsThatOverflowPassOnTheirFeatures) {
  const auto weights = crowded_weights(400);
  const std::string made = freeze_scalars(weights);
  std::size_t overflowing = 0;
  for (std::size_t at = kHeader; at < made.size(); at += kBucket) {
    overflowing += number_at<std::uint8_t>(made, at + kOverflows);
  }
  ASSERT_GT(overflowing, 35U);  // a run of full buckets that goes over the end of the table
  const AlignedBytes bytes(made);
  const ScalarTable table = ScalarTable::view(bytes.bytes());
  EXPECT_EQ(table.features(), weights.size());
  for (const auto& [key, weight] : weights) {
    ASSERT_NEAR(static_cast<float>(table.find(key)) * table.scale(), weight, table.scale());
  }
}

TEST(ScalarTable, SumsEqualOneByOne) {
  Random random(17);
  const auto scattered = random_weights(random, 3000);
  for (const auto& weights : {scattered, crowded_weights(400)}) {
    const AlignedBytes bytes(freeze_scalars(weights));
    const ScalarTable table = ScalarTable::view(bytes.bytes());
    for (const int count : {0, 1, 2, 63, 64, 65, 128, 300}) {
      std::vector<FeatureKey> keys;
      std::int64_t expected = 0;
      for (int k = 0; k < count; ++k) {
        keys.push_back(k % 3 == 0 ? random.next() : weights[random.below(weights.size())].key);
        expected += table.find(keys.back());
      }
      ASSERT_EQ(table.sum(keys), expected) << count;
    }
  }
  EXPECT_EQ(ScalarTable().sum(std::vector<FeatureKey>{1, 2, 3}), 0);
}

TEST(ScalarTable, CopiesOfAFeatureLieTogether) {
  Random random(19);
  std::vector<KeyWeight> weights;
  for (int k = 0; k < 500; ++k) {
    const FeatureKey feature = random.next();
    for (const FeatureKey key : {feature, copy_of(feature, atom_of(7))}) {
      EXPECT_EQ(key >> 32, feature >> 32);
      weights.push_back({key, static_cast<float>(weights.size() + 1)});
    }
  }
  const std::string made = freeze_scalars(weights);
  for (std::size_t at = kHeader; at < made.size(); at += kBucket) {
    ASSERT_EQ(number_at<std::uint8_t>(made, at + kTaken) % 2, 0) << "a pair was torn apart";
  }
}

TEST(ScalarTable, KeysOfOneFingerprintInOneBucketAreRefusedRatherThanConfused) {
  // Fingerprints are the low halves of keys; the two buckets of a small table hold all of these.
  const std::vector<KeyWeight> alike{
      {0x100000007ULL, 1.0F}, {0x200000007ULL, 2.0F}, {0x300000007ULL, 3.0F}};
  EXPECT_EQ(kind_of_failure([&] { freeze_scalars(alike); }), ErrorKind::machine);
}

TEST(ScalarTable, AnotherSaltKeepsEqualFingerprintsApart) {
  Random random(12);
  auto weights = random_weights(random, 2000);
  for (int k = 0; k < 45; ++k)
    weights.push_back({(random.next() & ~UINT64_C(0xFFFFFFFF)) + 7, 1.0F});
  const std::string made = freeze_scalars(weights);
  EXPECT_NE(number_at<std::uint64_t>(made, kSalt), scramble(1) & UINT32_MAX)
      << "the first would have done";
  const AlignedBytes bytes(made);
  const ScalarTable table = ScalarTable::view(bytes.bytes());
  for (const auto& [key, weight] : weights) {
    ASSERT_NEAR(static_cast<float>(table.find(key)) * table.scale(), weight, table.scale());
  }
}

TEST(ScalarTable, WhatCannotBeFrozenIsRefused) {
  const auto frozen = [](std::vector<KeyWeight> weights) {
    return [weights = std::move(weights)] { freeze_scalars(weights); };
  };
  EXPECT_EQ(kind_of_failure(frozen({{1, 1.0F}, {2, 3.0F}, {1, 2.0F}})), ErrorKind::usage);
  EXPECT_EQ(kind_of_failure(frozen({{1, 0.0F}, {1, 0.0F}})), ErrorKind::usage);
  EXPECT_EQ(kind_of_failure(frozen({{1, std::nanf("")}})), ErrorKind::data);
  EXPECT_EQ(kind_of_failure(frozen({{1, INFINITY}})), ErrorKind::data);
  EXPECT_EQ(kind_of_failure(frozen({{1, 1.0F}, {2, -2e30F}})), ErrorKind::data);
}

std::string refusal_of(const std::string& bytes) {
  try {
    ScalarTable::view(AlignedBytes(bytes).bytes());
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    return error.message();
  }
  return {};
}

TEST(ScalarTable, EachKindOfDamageIsRefused) {
  const std::string good = freeze_scalars(std::vector<KeyWeight>{{1, 1.0F}, {2, 2.0F}, {3, -1.0F}});
  ASSERT_EQ(good.size(), kHeader + 2 * kBucket);
  ASSERT_EQ(refusal_of(good), "");
  const std::string size = "damaged table of weights: its size is not what its header says";
  EXPECT_EQ(refusal_of(""), "damaged table of weights: too short");
  EXPECT_EQ(refusal_of(good.substr(0, 127)), "damaged table of weights: too short");
  EXPECT_EQ(refusal_of(good.substr(0, 128)), size);
  EXPECT_EQ(refusal_of(good + "x"), size);
  EXPECT_EQ(refusal_of(good.substr(0, good.size() - 1)), size);
  for (const std::uint64_t count : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{4},
                                    (std::uint64_t{1} << 58) + 1, UINT64_MAX}) {
    EXPECT_EQ(refusal_of(with(good, kBuckets, count)), size) << count;
  }
  for (const float scale : {std::nanf(""), INFINITY, -1.0F, 2e30F}) {
    EXPECT_EQ(refusal_of(with(good, kScale, scale)), "damaged table of weights: its scale");
  }
  for (const std::uint64_t count : {std::uint64_t{0}, std::uint64_t{4}, UINT64_MAX}) {
    EXPECT_EQ(refusal_of(with(good, kFeatures, count)),
              "damaged table of weights: the number of its features");
  }
  EXPECT_EQ(refusal_of(with<std::uint8_t>(good, kHeader + kTaken, 11)),
            "damaged table of weights: a bucket with too many features");
  EXPECT_EQ(refusal_of(with<std::uint8_t>(good, kHeader + kOverflows, 2)),
            "damaged table of weights: a bucket that is neither full nor not");
  const std::string one = with<std::uint8_t>(good, kHeader + kOverflows, 1);
  EXPECT_EQ(refusal_of(one),
            "damaged table of weights: a bucket that passes on though it has room");
  EXPECT_EQ(refusal_of(with<std::uint8_t>(one, kHeader + kBucket + kOverflows, 1)),
            "damaged table of weights: no search would end");
  EXPECT_EQ(refusal_of(with<std::int16_t>(good, kHeader + kWeights + 6, 5)),
            "damaged table of weights: a weight where no feature is");
}

// Searches end, but each of them would read half of the table.
TEST(ScalarTable, ATableThatIsTooFullIsRefused) {
  constexpr std::size_t kMany = 3000;
  std::string full = freeze_scalars(std::vector<KeyWeight>{{1, 1.0F}}).substr(0, kHeader);
  full.resize(kHeader + kMany * kBucket, '\0');
  full = with<std::uint64_t>(full, kBuckets, kMany);
  std::size_t features = 0;
  const auto fill = [&](std::size_t bucket, bool passes_on) {
    full[kHeader + bucket * kBucket + kTaken] = 10;
    full[kHeader + bucket * kBucket + kOverflows] = passes_on ? 1 : 0;
    features += 10;
  };
  for (std::size_t bucket = 0; bucket < kMany / 2; ++bucket) fill(bucket, bucket % 2 == 0);
  full = with<std::uint64_t>(full, kFeatures, features);
  EXPECT_EQ(refusal_of(full), "");
  fill(kMany - 1, false);
  EXPECT_EQ(refusal_of(with<std::uint64_t>(full, kFeatures, features)),
            "damaged table of weights: it is too full");
  features = 0;
  std::fill(full.begin() + kHeader, full.end(), '\0');
  for (std::size_t bucket = 0; bucket < kMany / 2; ++bucket) fill(bucket, true);
  EXPECT_EQ(refusal_of(with<std::uint64_t>(full, kFeatures, features)),
            "damaged table of weights: it is too full");
}

TEST(ScalarTable, BytesThatAreNotAlignedAreRefused) {
  const AlignedBytes bytes("x" + freeze_scalars(std::vector<KeyWeight>{{1, 1.0F}}));
  EXPECT_EQ(kind_of_failure([&] { ScalarTable::view(bytes.bytes().subspan(1)); }), ErrorKind::data);
}

TEST(ScalarTable, DamagedTablesAreRefusedOrHarmless) {
  int survived = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    Random random(seed);
    const auto weights = random_weights(random, random.between(0, 40));
    std::string bytes = freeze_scalars(weights);
    for (int changes = random.between(1, 4); changes > 0; --changes) {
      bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
    }
    const AlignedBytes aligned(bytes);
    try {
      const ScalarTable table = ScalarTable::view(aligned.bytes());
      ++survived;
      for (const auto& [key, weight] : weights) {
        ASSERT_LE(std::abs(table.find(key)), 32768);
        ASSERT_LE(std::abs(table.find(random.next())), 32768);
      }
      ASSERT_TRUE(std::isfinite(table.scale()));
    } catch (const Error& error) {
      ASSERT_EQ(error.kind(), ErrorKind::data) << "seed " << seed;
    }
  }
  EXPECT_GT(survived, 100);  // fingerprints and weights may be anything
  EXPECT_LT(survived, 3900);
}

TEST(ScalarTable, TheSameWeightsGiveTheSameBytes) {
  Random random(5);
  const auto weights = random_weights(random, 500);
  EXPECT_EQ(freeze_scalars(weights), freeze_scalars(weights));
}

}  // namespace
}  // namespace copse
