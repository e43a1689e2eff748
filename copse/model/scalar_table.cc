#include "copse/model/scalar_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "copse/base/error.h"
#include "copse/model/probe_runs.h"

namespace copse {

const std::array<ScalarTable::Bucket, 2> ScalarTable::kEmpty{};

namespace {

constexpr float kLargestWeight = 1e30F;
constexpr int kUnits = 32767;

struct Header {
  float scale = 0;
  std::uint32_t unused = 0;
  std::uint64_t buckets = 0;
  std::uint64_t features = 0;
  std::uint64_t salt = 0;
  std::array<std::uint64_t, 12> padding{};  // partners share a pair of lines
};
static_assert(sizeof(Header) == 128);

struct Unit {
  FeatureKey key;
  std::int16_t units;
};

}  // namespace

class ScalarTableBuilder {
 public:
  ScalarTableBuilder(std::span<const KeyWeight> weights, float prune) {
    float largest = 0;
    for (const KeyWeight& each : weights) {
      if (!(std::abs(each.weight) <= kLargestWeight)) {
        throw data_error("a weight is not a number or beyond all bounds");
      }
      largest = std::max(largest, std::abs(each.weight));
    }
    scale_ = largest / kUnits;
    for (const KeyWeight& each : weights) {
      const long units = scale_ > 0 ? std::lround(each.weight / scale_) : 0;
      if (units == 0 || std::abs(each.weight) <= prune) continue;
      const long bounded = std::clamp<long>(units, -kUnits, kUnits);
      units_.push_back({each.key, static_cast<std::int16_t>(bounded)});
    }
    refuse_repeated_keys(weights);
  }

  std::string build() {
    // Equal fingerprints meet about once in a hundred million features.
    for (std::uint64_t salt = 1; salt <= 64; ++salt) {
      if (try_salt(salt)) return bytes();
    }
    throw machine_error("no salt keeps the features of this table apart");
  }

 private:
  static void refuse_repeated_keys(std::span<const KeyWeight> weights) {
    std::vector<FeatureKey> keys(weights.size());
    std::transform(weights.begin(), weights.end(), keys.begin(),
                   [](const KeyWeight& each) { return each.key; });
    std::sort(keys.begin(), keys.end());
    if (std::adjacent_find(keys.begin(), keys.end()) != keys.end()) {
      throw usage_error("a feature has two weights");
    }
  }

  bool try_salt(std::uint64_t salt) {
    table_.salt_ = static_cast<std::uint32_t>(scramble(salt));
    table_.bucket_count_ = 2 * (units_.size() / (2 * ScalarTable::kMeanTaken) + 1);
    buckets_.assign(table_.bucket_count_, {});
    for (const Unit& unit : units_) {
      if (!place(unit)) return false;
    }
    return true;
  }

  // A bucket that is full passes on what comes later; nothing that could be found on the way may
  // look the same.
  bool place(const Unit& unit) {
    const std::uint32_t fingerprint = ScalarTable::fingerprint(unit.key);
    std::size_t at = table_.home(unit.key);
    for (std::size_t step = 0;; ++step) {
      ScalarTable::Bucket& bucket = buckets_[at];
      const auto end = bucket.fingerprints.begin() + bucket.taken;
      if (std::find(bucket.fingerprints.begin(), end, fingerprint) != end) return false;
      if (bucket.taken < ScalarTable::kPlaces) {
        bucket.fingerprints[bucket.taken] = fingerprint;
        bucket.weights[bucket.taken] = unit.units;
        ++bucket.taken;
        return true;
      }
      bucket.overflows = 1;
      at = table_.next(at, step);
    }
  }

  std::string bytes() const {
    Header header;
    header.scale = scale_;
    header.buckets = buckets_.size();
    header.features = units_.size();
    header.salt = table_.salt_;
    std::string out(sizeof(Header) + buckets_.size() * sizeof(ScalarTable::Bucket), '\0');
    std::memcpy(out.data(), &header, sizeof(Header));
    std::memcpy(out.data() + sizeof(Header), buckets_.data(),
                buckets_.size() * sizeof(ScalarTable::Bucket));
    return out;
  }

  float scale_ = 0;
  std::vector<Unit> units_;
  ScalarTable table_;
  std::vector<ScalarTable::Bucket> buckets_;
};

std::string freeze_scalars(std::span<const KeyWeight> weights, float prune) {
  return ScalarTableBuilder(weights, prune).build();
}

std::int32_t ScalarTable::find_elsewhere(FeatureKey key) const {
  std::size_t at = home(key);
  for (std::size_t step = 0;; ++step) {
    at = next(at, step);
    const std::int32_t weight = weight_in(buckets_[at], fingerprint(key));
    if (!is_elsewhere(buckets_[at], weight)) return weight;
  }
}

ScalarTable ScalarTable::view(std::span<const std::byte> bytes) {
  const auto damaged = [](std::string_view what) {
    return data_error(fmt::format("damaged table of weights: {}", what));
  };
  Header header;
  if (bytes.size() < sizeof(Header)) throw damaged("too short");
  std::memcpy(&header, bytes.data(), sizeof(Header));
  if (header.buckets == 0 || header.buckets % 2 != 0 || header.buckets > UINT32_MAX ||
      bytes.size() != sizeof(Header) + header.buckets * sizeof(Bucket)) {
    throw damaged("its size is not what its header says");
  }
  if (!(header.scale >= 0 && header.scale <= kLargestWeight)) throw damaged("its scale");
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(Bucket) != 0) {
    throw damaged("it is not aligned");
  }
  ScalarTable table;
  table.buckets_ = reinterpret_cast<const Bucket*>(bytes.data() + sizeof(Header));
  table.bucket_count_ = header.buckets;
  table.features_ = header.features;
  table.salt_ = static_cast<std::uint32_t>(header.salt);
  table.scale_ = header.scale;
  const std::span buckets(table.buckets_, table.bucket_count_);
  // A search ends at a bucket that passes nothing on.
  const auto ends = [](const Bucket& bucket) { return bucket.overflows == 0; };
  if (std::none_of(buckets.begin(), buckets.end(), ends)) throw damaged("no search would end");
  std::size_t taken = 0;
  std::size_t run = 0, longest = 0;  // of buckets that pass on
  for (const Bucket& bucket : buckets) {
    if (bucket.taken > kPlaces) throw damaged("a bucket with too many features");
    if (bucket.overflows > 1) throw damaged("a bucket that is neither full nor not");
    if (bucket.overflows != 0 && bucket.taken < kPlaces) {
      throw damaged("a bucket that passes on though it has room");
    }
    taken += bucket.taken;
    run = bucket.overflows != 0 ? run + 1 : 0;
    longest = std::max(longest, run);
    for (std::size_t k = bucket.taken; k < bucket.weights.size(); ++k) {
      if (bucket.weights[k] != 0) throw damaged("a weight where no feature is");
    }
  }
  if (taken != header.features) throw damaged("the number of its features");
  // As the builder leaves it: lookups stay short whatever the file holds.
  if (taken > kMeanTaken * buckets.size() || longest > ProbeRuns::kLongest) {
    throw damaged("it is too full");
  }
  return table;
}

}  // namespace copse
