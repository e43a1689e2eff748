// Counts of (history, future) events under 64-bit hashes, in one open-addressing table.
//
// A history's entry has its count c and the number u of different futures seen with it; an event's
// entry its count. Keys are mixed as in splitmix64; among ten million keys a collision has a chance
// of 3 in a million, so keys stand for what they were made of. The table is laid out in a model
// file as it is in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace copse::generative {

using EventKey = std::uint64_t;

// The key of what `key` stands for and then `part`.
inline EventKey extend_key(EventKey key, std::uint64_t part) {
  key = (key ^ (part + 0x9E3779B97F4A7C15ULL)) * 0xBF58476D1CE4E5B9ULL;
  key ^= key >> 29;
  key *= 0x94D049BB133111EBULL;
  return key ^ (key >> 32);
}

class EventCounts {
 public:
  struct Entry {
    EventKey key = 0;  // 0: free
    std::uint32_t count = 0;
    std::uint32_t futures = 0;  // of a history: different futures
  };

  EventCounts() : own_(kSmallest), entries_(own_) {}
  // A table as it was saved, kept alive by `owner`. Throws data_error if it cannot be one.
  EventCounts(std::span<const Entry> entries, std::shared_ptr<const void> owner);
  EventCounts(EventCounts&&) = default;
  EventCounts& operator=(EventCounts&&) = default;
  EventCounts(const EventCounts&) = delete;
  EventCounts& operator=(const EventCounts&) = delete;

  // Only on a table of its own, not on a saved one.
  void add(EventKey history, EventKey event);

  // A zero entry when the key was never seen.
  const Entry& find(EventKey key) const {
    for (std::size_t i = key & (entries_.size() - 1);; i = (i + 1) & (entries_.size() - 1)) {
      if (entries_[i].key == key || entries_[i].key == 0) return entries_[i];
    }
  }
  std::size_t size() const { return used_; }
  std::span<const Entry> entries() const { return entries_; }

 private:
  static constexpr std::size_t kSmallest = 1024;

  Entry& at(EventKey key);
  void grow();

  std::vector<Entry> own_;          // a power of two of them, at most half in use
  std::span<const Entry> entries_;  // own_, or those of a model file
  std::shared_ptr<const void> owner_;
  std::size_t used_ = 0;
};

}  // namespace copse::generative
