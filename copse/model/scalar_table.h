// One weight per feature, for prediction: an immutable hash table laid out for memory mapping, in
// which a lookup touches one cache line. Safe to share between threads.
//
//   header    scale, buckets, features, salt, padding                      128 bytes
//   buckets   64 bytes each: ten fingerprints u32, ten weights i16 in units of `scale` and a zero,
//             how many of the ten places are taken (u8), whether features of this bucket lie in
//             another one for lack of room (u8)
//
// The high half of a key says where it lies, the low half is its fingerprint: copies of a feature
// (feature_key.h) are neighbours. Features of the table are never mistaken for each other: the salt
// is chosen so that no two of them in reach of each other share a fingerprint. A feature that was
// never seen is taken for another one about once in 4 * 10^8 lookups. Sums are taken in whole
// numbers, so that their order does not matter.
#pragma once

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "copse/model/feature_key.h"

namespace copse {

struct KeyWeight {
  FeatureKey key = 0;
  float weight = 0;
};

// The bytes of a table. The largest weight becomes 32767 units; those that round to zero are left
// out, and those of at most `prune`. Throws a usage error when a key occurs twice, a data error
// when a weight is not a number or beyond 10^30.
std::string freeze_scalars(std::span<const KeyWeight> weights, float prune = 0);

class ScalarTable {
 public:
  ScalarTable() = default;
  // A view of bytes made by freeze_scalars(), which must outlive it and be aligned to 64.
  // Everything is checked; throws data_error. O(bytes).
  static ScalarTable view(std::span<const std::byte> bytes);

  // In units of scale(); 0 for features without a weight.
  std::int32_t find(FeatureKey key) const {
    const Bucket& bucket = buckets_[home(key)];
    const std::int32_t weight = weight_in(bucket, fingerprint(key));
    return is_elsewhere(bucket, weight) ? find_elsewhere(key) : weight;
  }
  // Of the weights of all keys. Whether a feature is there cannot be foretold: no branch depends on
  // it, and those that may lie beyond their own bucket wait until the others are through.
  std::int64_t sum(std::span<const FeatureKey> keys) const {
    constexpr std::size_t kChunk = 64;
    std::array<FeatureKey, kChunk> waiting;
    std::int64_t sum = 0;
    while (!keys.empty()) {
      const auto chunk = keys.first(std::min(kChunk, keys.size()));
      std::size_t count = 0;
      for (const FeatureKey key : chunk) {
        const Bucket& bucket = buckets_[home(key)];
        const std::int32_t weight = weight_in(bucket, fingerprint(key));
        sum += weight;
        waiting[count] = key;
        count += is_elsewhere(bucket, weight) ? 1 : 0;
      }
      for (std::size_t k = 0; k < count; ++k) sum += find_elsewhere(waiting[k]);
      keys = keys.subspan(chunk.size());
    }
    return sum;
  }
  void prefetch(FeatureKey key) const { __builtin_prefetch(buckets_ + home(key)); }
  float scale() const { return scale_; }
  // Of all features: the low halves of their keys.
  template <class Visit>
  void for_each_fingerprint(Visit&& visit) const {
    for (const Bucket& bucket : std::span(buckets_, bucket_count_)) {
      for (std::size_t k = 0; k < bucket.taken; ++k) visit(bucket.fingerprints[k]);
    }
  }

  std::size_t features() const { return features_; }
  std::size_t bytes() const { return kHeader + bucket_count_ * sizeof(Bucket); }

  static constexpr std::size_t kPlaces = 10;
  // On average. Copies come in groups, so that buckets fill unevenly.
  static constexpr std::size_t kMeanTaken = 5;

 private:
  struct Bucket {
    std::array<std::uint32_t, kPlaces> fingerprints;
    // Free places have weight 0, so that whatever their fingerprint is does no harm; so has the
    // one behind the last.
    std::array<std::int16_t, kPlaces + 1> weights;
    std::uint8_t taken;
    std::uint8_t overflows;  // 0 or 1
  };
  static_assert(sizeof(Bucket) == 64);
  static constexpr std::size_t kHeader = 128;
  friend class ScalarTableBuilder;

  static bool is_elsewhere(const Bucket& bucket, std::int32_t weight) {
    return bucket.overflows > (weight != 0 ? 1 : 0);
  }
  std::int32_t find_elsewhere(FeatureKey key) const;
  static std::int32_t weight_in(const Bucket& bucket, std::uint32_t wanted) {
    const std::uint32_t places = places_of(bucket, wanted) | (1U << kPlaces);
    return bucket.weights[static_cast<std::size_t>(std::countr_zero(places))];
  }
  // One bit for each place that has this fingerprint.
  static std::uint32_t places_of(const Bucket& bucket, std::uint32_t fingerprint) {
#ifdef __SSE2__
    // Three times four fingerprints; the last two are weights and masked out.
    const auto* const lanes = reinterpret_cast<const __m128i*>(&bucket);
    const __m128i wanted = _mm_set1_epi32(static_cast<int>(fingerprint));
    const __m128i low = _mm_cmpeq_epi32(_mm_loadu_si128(lanes), wanted);
    const __m128i middle = _mm_cmpeq_epi32(_mm_loadu_si128(lanes + 1), wanted);
    const __m128i high = _mm_cmpeq_epi32(_mm_loadu_si128(lanes + 2), wanted);
    const __m128i half = _mm_packs_epi32(low, middle);
    const __m128i rest = _mm_packs_epi32(high, _mm_setzero_si128());
    const auto all = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(half, rest)));
    return all & ((1U << kPlaces) - 1);
#else
    std::uint32_t places = 0;
    for (std::size_t k = 0; k < kPlaces; ++k) {
      places |= (bucket.fingerprints[k] == fingerprint ? 1U : 0U) << k;
    }
    return places;
#endif
  }
  static std::uint32_t fingerprint(FeatureKey key) {
    return static_cast<std::uint32_t>(key);
  }
  std::size_t home(FeatureKey key) const {
    const auto place = (static_cast<std::uint32_t>(key >> 32) ^ salt_) * 0x9E3779B1U;
    return static_cast<std::size_t>(std::uint64_t{place} * bucket_count_ >> 32);
  }
  // Where to look after a full bucket: in its partner first, a line that machines fetch with it.
  std::size_t next(std::size_t at, std::size_t step) const {
    if (step % 2 == 0) return at ^ 1U;
    const std::size_t pair = (at | 1U) + 1;
    return pair == bucket_count_ ? 0 : pair;
  }

  static const std::array<Bucket, 2> kEmpty;

  const Bucket* buckets_ = kEmpty.data();
  std::size_t bucket_count_ = kEmpty.size();
  std::size_t features_ = 0;
  std::uint32_t salt_ = 0;
  float scale_ = 0;
};

}  // namespace copse
