// Feature keys to dense numbers 0, 1, 2, ... in order of first appearance. Open addressing with
// linear probing; the whole key is compared, so nothing collides silently.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "copse/model/feature_key.h"

namespace copse {

class FeatureTable {
 public:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t find(FeatureKey key) const {
    if (slots_.empty()) return kNone;
    for (std::size_t at = home(key);; at = (at + 1) & mask_) {
      if (slots_[at].number == kNone || slots_[at].key == key) return slots_[at].number;
    }
  }

  // Asks for the memory that find() will look at.
  void prefetch(FeatureKey key) const {
    if (!slots_.empty()) __builtin_prefetch(slots_.data() + home(key));
  }

  // The number of `key`, and whether it was given out just now.
  struct Added {
    std::uint32_t number;
    bool is_new;
  };
  Added add(FeatureKey key) {
    if ((std::size_t{size_} + 1) * 8 > slots_.size() * 5) grow();
    for (std::size_t at = home(key);; at = (at + 1) & mask_) {
      if (slots_[at].number == kNone) {
        slots_[at] = {key, size_};
        return {size_++, true};
      }
      if (slots_[at].key == key) return {slots_[at].number, false};
    }
  }

  std::uint32_t size() const { return size_; }
  std::size_t bytes() const { return slots_.capacity() * sizeof(Slot); }

 private:
  struct Slot {
    FeatureKey key = 0;
    std::uint32_t number = kNone;
  };

  // Keys are well mixed in their high bits.
  std::size_t home(FeatureKey key) const {
    return static_cast<std::size_t>(key * 0x9E3779B97F4A7C15ULL >> shift_);
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 1024 : slots_.size() * 2);
    old.swap(slots_);
    mask_ = slots_.size() - 1;
    shift_ = 64;
    for (std::size_t size = slots_.size(); size > 1; size /= 2) --shift_;
    for (const Slot& slot : old) {
      if (slot.number == kNone) continue;
      std::size_t at = home(slot.key);
      while (slots_[at].number != kNone) at = (at + 1) & mask_;
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
  int shift_ = 64;
  std::uint32_t size_ = 0;
};

}  // namespace copse
