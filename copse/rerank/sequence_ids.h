// Sequences of numbers to dense ids, 0, 1, 2, ... in order of first appearance, and back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace copse {

class SequenceIds {
 public:
  using Id = std::uint32_t;
  static constexpr Id kUnknown = UINT32_MAX;

  // The id of a sequence, given out anew if it was never seen.
  Id add(std::span<const std::uint32_t> sequence);
  // The id of a sequence, or kUnknown. Safe to call from many threads while nobody adds.
  Id find(std::span<const std::uint32_t> sequence) const;
  std::span<const std::uint32_t> sequence(Id id) const {
    return std::span(items_).subspan(ends_[id], ends_[id + 1] - ends_[id]);
  }
  Id size() const { return static_cast<Id>(ends_.size() - 1); }
  void clear();

  // All sequences one after the other, and where they begin (one more for the end).
  std::span<const std::uint32_t> items() const { return items_; }
  std::span<const std::uint64_t> ends() const { return ends_; }

 private:
  std::size_t place(std::span<const std::uint32_t> sequence) const;
  void grow();

  std::vector<std::uint32_t> items_;
  std::vector<std::uint64_t> ends_{0};
  std::vector<Id> table_;  // open addressing; a power of two
};

}  // namespace copse
