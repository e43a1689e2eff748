// One weight per feature while it learns: a hash table of key, weight and moment (lazy_average.h)
// in one place, so that a lookup costs one wait for memory. Features are added when their weight
// first changes. What it becomes in use: scalar_table.h.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "copse/model/feature_key.h"
#include "copse/model/lazy_average.h"
#include "copse/model/scalar_table.h"

namespace copse {

class ScalarWeights {
 public:
  // 0 for features without a weight.
  float weight(FeatureKey key) const {
    for (std::size_t at = home(key);; at = (at + 1) & mask_) {
      const Slot& slot = slots_[at];
      if (slot.key == key) return slot.weight;
      if (slot.key == kAbsent) return 0;
    }
  }
  // Of the weights of all keys. Their places are asked for ahead of time, so that waits overlap.
  double sum(std::span<const FeatureKey> keys) const {
    constexpr std::size_t kAhead = 24;
    double sum = 0;
    for (std::size_t k = 0; k < std::min(kAhead, keys.size()); ++k) prefetch(keys[k]);
    for (std::size_t k = 0; k < keys.size(); ++k) {
      if (k + kAhead < keys.size()) prefetch(keys[k + kAhead]);
      sum += weight(keys[k]);
    }
    return sum;
  }

  // During the current step. The key must not be kAbsent.
  void change(FeatureKey key, double by) {
    if ((size_ + 1) * 2 > slots_.size()) grow();
    std::size_t at = home(key);
    while (slots_[at].key != key && slots_[at].key != kAbsent) at = (at + 1) & mask_;
    if (slots_[at].key == kAbsent) {
      slots_[at].key = key;
      ++size_;
    }
    change_weight(slots_[at].weight, slots_[at].moment, by, steps_);
  }
  void end_step() { ++steps_; }
  std::uint64_t steps() const { return steps_; }
  std::size_t size() const { return size_; }

  // The weights averaged over the steps ended so far, those of zero left out, keys ascending.
  std::vector<KeyWeight> averaged() const {
    std::vector<KeyWeight> out;
    for (const Slot& slot : slots_) {
      if (slot.key == kAbsent) continue;
      const float average = average_weight(slot.weight, slot.moment, steps_);
      if (average != 0) out.push_back({slot.key, average});
    }
    std::ranges::sort(out, {}, &KeyWeight::key);
    return out;
  }

 private:
  struct Slot {
    FeatureKey key = kAbsent;
    double moment = 0;
    float weight = 0;
  };

  std::size_t home(FeatureKey key) const {
    return static_cast<std::size_t>(key * 0x9E3779B97F4A7C15ULL >> shift_);
  }
  void prefetch(FeatureKey key) const { __builtin_prefetch(slots_.data() + home(key)); }
  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    mask_ = slots_.size() - 1;
    --shift_;
    for (const Slot& slot : old) {
      if (slot.key == kAbsent) continue;
      std::size_t at = home(slot.key);
      while (slots_[at].key != kAbsent) at = (at + 1) & mask_;
      slots_[at] = slot;
    }
  }

  static constexpr int kFirstBits = 10;

  std::vector<Slot> slots_{std::size_t{1} << kFirstBits};
  std::size_t mask_ = (std::size_t{1} << kFirstBits) - 1;
  int shift_ = 64 - kFirstBits;
  std::size_t size_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace copse
