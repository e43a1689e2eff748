// A set of words by their hashes, laid out to be used where it lies in a model file: 32-bit
// fingerprints, open addressing, half of the slots empty. A word that is not in the set is taken
// for one that is about once in 10^9 questions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "copse/model/feature_key.h"

namespace copse {

class WordSet {
 public:
  WordSet() = default;
  // A view of slots made by make(). Throws data_error when a search would not end, or not
  // soon.
  static WordSet view(std::span<const std::uint32_t> slots);
  static std::vector<std::uint32_t> make(std::span<const std::uint64_t> hashes);

  bool contains(std::uint64_t hash) const {
    if (slots_.empty()) return false;
    const std::uint32_t wanted = fingerprint(hash);
    for (std::size_t at = home(hash, slots_.size()); slots_[at] != 0;
         at = at + 1 == slots_.size() ? 0 : at + 1) {
      if (slots_[at] == wanted) return true;
    }
    return false;
  }

 private:
  static std::uint32_t fingerprint(std::uint64_t hash) {
    return static_cast<std::uint32_t>(scramble(hash)) | 1U;  // 0 is an empty slot
  }
  static std::size_t home(std::uint64_t hash, std::size_t slots) {
    return static_cast<std::size_t>((scramble(hash) >> 32) * slots >> 32);
  }

  std::span<const std::uint32_t> slots_;
};

}  // namespace copse
