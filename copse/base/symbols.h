// Strings to dense ids, 0, 1, 2, ... in order of first appearance, and back.
#pragma once

#include <tsl/robin_map.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace copse {

class Symbols {
 public:
  using Id = std::uint32_t;
  static constexpr Id kUnknown = UINT32_MAX;

  // The id of `text`, given out anew if it was never seen.
  Id add(std::string_view text);
  // The id of `text`, or kUnknown. Safe to call from many threads while nobody adds.
  Id find(std::string_view text) const;
  std::string_view text(Id id) const { return texts_[id]; }
  Id size() const { return static_cast<Id>(texts_.size()); }

 private:
  std::deque<std::string> texts_;  // a deque, so that the keys below stay where they are
  // With hashes beside the keys: most others are told apart without looking at their text.
  tsl::robin_map<std::string_view, Id, std::hash<std::string_view>, std::equal_to<std::string_view>,
                 std::allocator<std::pair<std::string_view, Id>>, true>
      ids_;
};

}  // namespace copse
