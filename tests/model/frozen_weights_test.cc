// Frozen weights: equal to the rows they were made of, and deaf to hostile bytes.
#include "copse/model/frozen_weights.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <set>

#include "copse/base/error.h"
#include "copse/base/random.h"

namespace copse {
namespace {

// Bytes at an address that view() accepts.
class AlignedBytes {
 public:
  explicit AlignedBytes(const std::string& bytes)
      : words_(bytes.size() / 8 + 1), size_(bytes.size()) {
    std::memcpy(words_.data(), bytes.data(), bytes.size());
  }
  std::span<const std::byte> bytes() const {
    return std::as_bytes(std::span(words_)).subspan(0, size_);
  }

 private:
  std::vector<std::uint64_t> words_;
  std::size_t size_;
};

WeightRows random_rows(Random& random, int count, int labels) {
  WeightRows rows;
  std::set<FeatureKey> keys;
  while (static_cast<int>(keys.size()) < count) {
    const FeatureKey key = random.next();
    if (key == kAbsent || !keys.insert(key).second) continue;
    std::vector<LabelWeight> row;
    for (int label = 0; label < labels; ++label) {
      if (!random.chance(2.0 / labels)) continue;
      row.push_back({static_cast<Label>(label), static_cast<float>(random.normal())});
    }
    rows.add(key, row);
  }
  return rows;
}

float largest_weight(const WeightRows& rows) {
  float largest = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (const auto& entry : rows.row(i)) largest = std::max(largest, std::abs(entry.weight));
  }
  return largest;
}

// Every key leads to its own weights, each within `tolerance` of what it was.
void ExpectSameWeights(const WeightRows& rows, const FrozenWeights& table, float tolerance,
                       float prune = 0) {
  std::size_t weights = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    std::map<Label, float> found;
    table.for_each(table.find(rows.key(i)), [&](Label label, float weight) {
      EXPECT_TRUE(found.emplace(label, weight).second);
    });
    weights += found.size();
    for (const auto& [label, weight] : rows.row(i)) {
      if (std::abs(weight) <= prune) {
        ASSERT_FALSE(found.contains(label));
      } else {
        ASSERT_NEAR(found[label], weight, tolerance);
      }
    }
  }
  EXPECT_EQ(weights, table.weights());
}

TEST(FrozenWeights, Float32KeepsEveryWeightExactly) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed);
    const WeightRows rows = random_rows(random, random.between(0, 300), random.between(1, 60));
    const AlignedBytes bytes(freeze(rows, 60, {Precision::float32, 0}));
    const FrozenWeights table = FrozenWeights::view(bytes.bytes());
    ExpectSameWeights(rows, table, 0);
    EXPECT_EQ(table.precision(), Precision::float32);
    EXPECT_EQ(table.weights(), rows.weights());
    EXPECT_EQ(table.labels(), 60U);
  }
}

TEST(FrozenWeights, Int16RoundsToHalfAUnit) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed);
    const WeightRows rows = random_rows(random, random.between(1, 300), random.between(1, 60));
    const AlignedBytes bytes(freeze(rows, 60));
    const float unit = largest_weight(rows) / 32767;
    const FrozenWeights table = FrozenWeights::view(bytes.bytes());
    EXPECT_EQ(table.precision(), Precision::int16);
    // A hair more for the rounding of float32 itself: units times scale has 24 bits.
    ExpectSameWeights(rows, table, unit * 0.503F, 0);
  }
}

TEST(FrozenWeights, TheLargestWeightIsKeptWhateverItsSize) {
  for (const float largest : {1e-44F, 1e-38F, 1e-30F, 0.1F, 1.0F, 1e30F}) {
    WeightRows rows;
    rows.add(1, std::vector<LabelWeight>{{0, largest}, {1, -largest}});
    const AlignedBytes bytes(freeze(rows, 2));
    const FrozenWeights table = FrozenWeights::view(bytes.bytes());
    std::vector<float> scores(2);
    table.add_to(table.find(1), scores);
    const float tolerance = std::max(largest / 32767, std::numeric_limits<float>::min());
    EXPECT_NEAR(scores[0], largest, tolerance);
    EXPECT_EQ(scores[0], -scores[1]);
  }
}

TEST(FrozenWeights, SmallWeightsArePrunedAndRowsWithoutAnyAreGone) {
  Random random(9);
  const WeightRows rows = random_rows(random, 500, 20);
  for (const Precision precision : {Precision::float32, Precision::int16}) {
    const AlignedBytes bytes(freeze(rows, 20, {precision, 0.8F}));
    const FrozenWeights table = FrozenWeights::view(bytes.bytes());
    ExpectSameWeights(rows, table, largest_weight(rows) / 32767, 0.8F);
    EXPECT_LT(table.rows(), rows.rows());
    EXPECT_LT(table.weights(), rows.weights());
    EXPECT_GT(table.weights(), 0U);
  }
}

TEST(FrozenWeights, UnseenKeysGiveNothing) {
  Random random(10);
  const WeightRows rows = random_rows(random, 1000, 5);
  const AlignedBytes bytes(freeze(rows, 5, {Precision::float32, 0}));
  const FrozenWeights table = FrozenWeights::view(bytes.bytes());
  // One in 10^9 would be mistaken; these are the same 10^5 every time.
  for (int i = 0; i < 100000; ++i) {
    ASSERT_EQ(table.find(random.next()), FrozenWeights::kNoRow);
  }
  std::vector<float> scores(5);
  table.add_to(FrozenWeights::kNoRow, scores);
  EXPECT_EQ(scores, std::vector<float>(5));
}

TEST(FrozenWeights, ATableWithoutRowsAnswers) {
  const AlignedBytes bytes(freeze(WeightRows(), 3));
  const std::vector<FeatureKey> keys{1, 2, 3};
  for (const FrozenWeights& table : {FrozenWeights(), FrozenWeights::view(bytes.bytes())}) {
    EXPECT_EQ(table.find(1), FrozenWeights::kNoRow);
    EXPECT_EQ(table.rows(), 0U);
    EXPECT_EQ(table.weights(), 0U);
    std::vector<float> scores(3);
    table.add_all_to(keys, scores);
    EXPECT_EQ(scores, std::vector<float>(3));
  }
}

TEST(FrozenWeights, ManyRowsAreAllFound) {
  WeightRows rows;
  // Counted keys: long runs of neighbouring slots, and the last ones wrap around to the first.
  for (FeatureKey key = 1; key <= 100000; ++key) {
    rows.add(key, std::vector<LabelWeight>{{0, static_cast<float>(key)}});
  }
  const AlignedBytes bytes(freeze(rows, 1, {Precision::float32, 0}));
  const FrozenWeights table = FrozenWeights::view(bytes.bytes());
  EXPECT_EQ(table.rows(), 100000U);
  for (FeatureKey key = 1; key <= 100000; ++key) {
    float score = 0;
    table.add_to(table.find(key), {&score, 1});
    ASSERT_EQ(score, static_cast<float>(key));
  }
}

// The inverse of scramble().
FeatureKey unscramble(std::uint64_t x) {
  x = (x ^ (x >> 31) ^ (x >> 62)) * 0x319642B2D24D8EC3ULL;
  x = (x ^ (x >> 27) ^ (x >> 54)) * 0x96DE1B173F119089ULL;
  return x ^ (x >> 30) ^ (x >> 60);
}

TEST(FrozenWeights, KeysWithTheSameFingerprintAreKeptApart) {
  ASSERT_EQ(scramble(unscramble(12345)), 12345U);
  WeightRows rows;
  // The upper halves of the scrambled keys, their fingerprints, are all alike.
  for (std::uint64_t low = 1; low <= 50; ++low) {
    rows.add(unscramble(0xABCDEF0100000000ULL + low),
             std::vector<LabelWeight>{{0, static_cast<float>(low)}});
  }
  const AlignedBytes bytes(freeze(rows, 1, {Precision::float32, 0}));
  ExpectSameWeights(rows, FrozenWeights::view(bytes.bytes()), 0);
}

TEST(FrozenWeights, GroupsHaveScoresOfTheirOwn) {
  Random random(13);
  const WeightRows rows = random_rows(random, 700, 12);
  const AlignedBytes bytes(freeze(rows, 12));
  const FrozenWeights table = FrozenWeights::view(bytes.bytes());
  std::vector<FeatureKey> keys;
  std::vector<std::size_t> ends;
  std::vector<float> expected;
  for (const std::size_t size : {0, 3, 0, 0, 200, 1, 128, 55, 0}) {
    for (std::size_t k = 0; k < size; ++k) keys.push_back(rows.key(random.below(rows.rows())));
    ends.push_back(keys.size());
    std::vector<float> own(12, 0.5F);
    table.add_all_to(std::span(keys).last(size), own);
    expected.insert(expected.end(), own.begin(), own.end());
  }
  std::vector<float> scores(expected.size(), 0.5F);
  table.add_groups_to(keys, ends, scores);
  EXPECT_EQ(scores, expected);
}

TEST(FrozenWeights, AddAllToEqualsOneByOne) {
  Random random(11);
  const WeightRows rows = random_rows(random, 700, 12);
  for (const Precision precision : {Precision::float32, Precision::int16}) {
    const AlignedBytes bytes(freeze(rows, 12, {precision, 0}));
    const FrozenWeights table = FrozenWeights::view(bytes.bytes());
    for (const std::size_t count : {0, 1, 63, 64, 65, 128, 500}) {
      std::vector<FeatureKey> keys;
      for (std::size_t i = 0; i < count; ++i) {
        keys.push_back(i % 5 == 0   ? kAbsent
                       : i % 7 == 0 ? random.next()
                                    : rows.key(random.below(rows.rows())));
      }
      std::vector<float> together(12, 1.0F);
      std::vector<float> one_by_one(12, 1.0F);
      table.add_all_to(keys, together);
      for (const FeatureKey key : keys) {
        if (key != kAbsent) table.add_to(table.find(key), one_by_one);
      }
      ASSERT_EQ(together, one_by_one) << count;
    }
  }
}

TEST(FrozenWeights, AllLabelsThereCanBe) {
  WeightRows rows;
  std::vector<LabelWeight> row;
  for (int label = 0; label < 65536; ++label) {
    row.push_back({static_cast<Label>(label), label % 2 == 0 ? 1.0F : -1.0F});
  }
  rows.add(5, row);
  for (const Precision precision : {Precision::float32, Precision::int16}) {
    const AlignedBytes bytes(freeze(rows, 65536, {precision, 0}));
    ExpectSameWeights(rows, FrozenWeights::view(bytes.bytes()), 1e-6F);
  }
}

ErrorKind kind_of_failure(const auto& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.kind();
  }
  throw std::logic_error("nothing was thrown");
}

TEST(FrozenWeights, WhatCannotBeFrozenIsRefused) {
  const auto frozen = [](std::vector<LabelWeight> row, std::size_t labels, int copies = 1) {
    WeightRows rows;
    for (int i = 0; i < copies; ++i) rows.add(1, row);
    return [rows, labels] { freeze(rows, labels); };
  };
  EXPECT_EQ(kind_of_failure(frozen({{3, 1}}, 3)), ErrorKind::usage);
  EXPECT_EQ(kind_of_failure(frozen({{1, 1}, {0, 1}}, 3)), ErrorKind::usage);
  EXPECT_EQ(kind_of_failure(frozen({{1, 1}, {1, 1}}, 3)), ErrorKind::usage);
  EXPECT_EQ(kind_of_failure(frozen({{1, 1}}, 65537)), ErrorKind::usage);
  EXPECT_EQ(kind_of_failure(frozen({{1, 1}}, 3, 2)), ErrorKind::usage);
  EXPECT_EQ(kind_of_failure(frozen({{1, std::nanf("")}}, 3)), ErrorKind::data);
  EXPECT_EQ(kind_of_failure(frozen({{1, -INFINITY}}, 3)), ErrorKind::data);
  EXPECT_EQ(kind_of_failure(frozen({{1, 2e30F}}, 3)), ErrorKind::data);
}

// Where the parts of a table with two rows stand.
struct Layout {
  static constexpr std::size_t kPrecision = 0, kLabels = 4, kSlots = 8, kWords = 16, kScale = 24,
                               kFirstSlot = 32;
};

std::string two_rows(Precision precision) {
  WeightRows rows;
  rows.add(1, std::vector<LabelWeight>{{0, 1}, {2, -1}});
  rows.add(2, std::vector<LabelWeight>{{1, 0.5F}});
  return freeze(rows, 3, {precision, 0});
}

std::string refusal_of(const std::string& bytes) {
  try {
    FrozenWeights::view(AlignedBytes(bytes).bytes());
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    return error.message();
  }
  return {};
}

template <class T>
std::string with(std::string bytes, std::size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
  return bytes;
}

TEST(FrozenWeights, EachKindOfDamageIsRefused) {
  const std::string good = two_rows(Precision::float32);
  ASSERT_EQ(refusal_of(good), "");
  const std::uint64_t slots = 5;
  const std::size_t first_word = Layout::kFirstSlot + slots * 8;
  ASSERT_EQ(good.size(), first_word + (1 + 2 * 2 + 1 + 2) * 4);
  const std::string wrong_length = "the table of weights is not as long as it says";
  const std::string wrong_place = "a row of weights lies outside of its place";
  EXPECT_EQ(refusal_of(""), "the table of weights is cut short");
  EXPECT_EQ(refusal_of(good.substr(0, 31)), "the table of weights is cut short");
  EXPECT_EQ(refusal_of(good.substr(0, good.size() - 1)), wrong_length);
  EXPECT_EQ(refusal_of(good + "x"), wrong_length);
  EXPECT_EQ(refusal_of(with<std::uint32_t>(good, Layout::kPrecision, 2)),
            "weights of an unknown precision");
  EXPECT_EQ(refusal_of(with<std::uint32_t>(good, Layout::kLabels, 65537)),
            "a table of weights with too many labels");
  for (const std::uint64_t count : {std::uint64_t{0}, std::uint64_t{6}, std::uint64_t{1} << 61,
                                    (std::uint64_t{1} << 61) + slots, UINT64_MAX}) {
    EXPECT_EQ(refusal_of(with(good, Layout::kSlots, count)), wrong_length);
    EXPECT_EQ(refusal_of(with(good, Layout::kWords, count)), wrong_length);
  }
  EXPECT_EQ(refusal_of(with(good, Layout::kScale, INFINITY)),
            "the scale of the weights is not a number");
  for (const float scale : {1e38F, 1e26F, -1e26F}) {
    EXPECT_EQ(refusal_of(with(good, Layout::kScale, scale)),
              "the scale of the weights is not a number");
  }
  const std::string wrong_weight =
      "a weight that is not a number or for a label that does not exist";
  EXPECT_EQ(refusal_of(with<std::uint32_t>(good, Layout::kLabels, 2)), wrong_weight);
  EXPECT_EQ(refusal_of(with<std::uint32_t>(good, Layout::kLabels, 0)), wrong_place);
  // The first row: which of the two it is depends on the hash; both begin with their count.
  EXPECT_EQ(refusal_of(with<std::uint32_t>(good, first_word, 2)), wrong_place);
  EXPECT_EQ(refusal_of(with<std::uint32_t>(good, first_word, 100)), wrong_place);
  EXPECT_EQ(refusal_of(with<std::uint32_t>(good, first_word, UINT32_MAX)), wrong_place);
  EXPECT_EQ(refusal_of(with<std::uint32_t>(good, first_word + 4, 0x10000)), wrong_weight);
  EXPECT_EQ(refusal_of(with(good, first_word + 8, std::nanf(""))), wrong_weight);
  EXPECT_EQ(refusal_of(with(good, first_word + 8, 2e30F)), wrong_weight);
  const std::string packed = two_rows(Precision::int16);
  ASSERT_EQ(refusal_of(packed), "");
  EXPECT_EQ(refusal_of(with<std::uint16_t>(packed, first_word + 4, 0x0100)), wrong_weight);
  std::string fewer = good;
  for (std::size_t i = 0; i < slots; ++i) {
    std::uint32_t begin = 0;
    std::memcpy(&begin, good.data() + Layout::kFirstSlot + i * 8 + 4, 4);
    const bool is_empty = begin == UINT32_MAX;
    if (!is_empty) {
      EXPECT_EQ(refusal_of(with(good, Layout::kFirstSlot + i * 8 + 4, begin + 1)), wrong_place);
      fewer = with(fewer, Layout::kFirstSlot + i * 8 + 4, UINT32_MAX);
    }
    EXPECT_EQ(refusal_of(with<std::uint32_t>(good, Layout::kFirstSlot + i * 8 + 4, 1000)),
              wrong_place);
  }
  EXPECT_EQ(refusal_of(fewer), "weights that belong to no feature");
}

TEST(FrozenWeights, ATableWithoutAFreeSlotIsRefused) {
  // Words of zero are rows of one weight each, two words long: five of them fill the five slots.
  std::string bytes = two_rows(Precision::int16).substr(0, 32 + 5 * 8);
  bytes.resize(bytes.size() + 5 * 8, '\0');
  bytes = with<std::uint64_t>(bytes, Layout::kWords, 10);
  for (std::uint32_t i = 0; i < 5; ++i) bytes = with(bytes, Layout::kFirstSlot + i * 8 + 4, i * 2);
  EXPECT_EQ(refusal_of(bytes), "the table of weights has too few free slots");
}

// Half of the slots are free, but those that are taken lie in one row.
TEST(FrozenWeights, ATableWithALongRunOfTakenSlotsIsRefused) {
  const auto table = [](std::size_t taken) {
    const std::size_t slots = 2 * taken + 1;
    std::string bytes = two_rows(Precision::int16).substr(0, 32);
    bytes.resize(32 + slots * 8 + taken * 8, '\0');
    bytes = with<std::uint64_t>(bytes, Layout::kSlots, slots);
    bytes = with<std::uint64_t>(bytes, Layout::kWords, 2 * taken);
    for (std::size_t i = 0; i < slots; ++i) {
      const auto begin = i < taken ? static_cast<std::uint32_t>(2 * i) : UINT32_MAX;
      std::memcpy(bytes.data() + Layout::kFirstSlot + i * 8 + 4, &begin, 4);
    }
    return bytes;
  };
  EXPECT_EQ(refusal_of(table(1024)), "");
  EXPECT_EQ(refusal_of(table(1025)), "the table of weights has too few free slots");
}

TEST(FrozenWeights, BytesThatAreNotAlignedAreRefused) {
  const AlignedBytes bytes("01234567" + two_rows(Precision::int16));
  EXPECT_EQ(kind_of_failure([&] { FrozenWeights::view(bytes.bytes().subspan(4)); }),
            ErrorKind::usage);
}

TEST(FrozenWeights, CorruptedTablesAreRefusedOrHarmless) {
  int survived = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    Random random(seed);
    const WeightRows rows = random_rows(random, random.between(0, 12), 4);
    const Precision precision = seed % 2 == 0 ? Precision::float32 : Precision::int16;
    std::string bytes = freeze(rows, 4, {precision, 0});
    for (int changes = random.between(1, 4); changes > 0; --changes) {
      bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
    }
    const AlignedBytes aligned(bytes);
    try {
      const FrozenWeights table = FrozenWeights::view(aligned.bytes());
      ++survived;
      if (table.labels() > 1000) continue;
      std::vector<float> scores(table.labels());
      for (std::size_t i = 0; i < rows.rows(); ++i) {
        table.add_to(table.find(rows.key(i)), scores);
        table.add_to(table.find(random.next()), scores);
      }
      for (const float score : scores) ASSERT_TRUE(std::isfinite(score)) << "seed " << seed;
    } catch (const Error& error) {
      ASSERT_EQ(error.kind(), ErrorKind::data) << "seed " << seed;
    }
  }
  EXPECT_GT(survived, 100);  // fingerprints and weights may be anything
  EXPECT_LT(survived, 3900);
}

}  // namespace
}  // namespace copse
