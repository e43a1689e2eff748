// Keys one after the other, with room for more behind them that nobody clears.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>

#include "copse/model/feature_key.h"

namespace copse {

class KeyBuffer {
 public:
  std::size_t size() const { return size_; }
  std::span<const FeatureKey> all() const { return {keys_.get(), size_}; }
  FeatureKey* data() { return keys_.get(); }
  void clear() { size_ = 0; }
  void push_back(FeatureKey key) {
    *room_for(1) = key;
    ++size_;
  }

  // Where keys may be written behind the last one, and how far they were.
  FeatureKey* room_for(std::size_t more) {
    if (size_ + more > capacity_) grow(size_ + more);
    return keys_.get() + size_;
  }
  void end_at(const FeatureKey* end) { size_ = static_cast<std::size_t>(end - keys_.get()); }

 private:
  void grow(std::size_t least) {
    const std::size_t capacity = std::max(least, 2 * capacity_);
    auto keys = std::make_unique_for_overwrite<FeatureKey[]>(capacity);
    std::copy_n(keys_.get(), size_, keys.get());
    keys_ = std::move(keys);
    capacity_ = capacity;
  }

  std::unique_ptr<FeatureKey[]> keys_;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace copse
