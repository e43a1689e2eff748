// Says of most features that a table does not have that it does not have them, from memory that is
// small enough to stay near: one bit for each of many values of a fingerprint's hash (a Bloom filter
// with one hash function; Bloom 1970). Most of what a parser of high order asks for was never seen
// in training, and a table answers from far memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "copse/model/scalar_table.h"

namespace copse {

class KeyFilter {
 public:
  // Of a table without features: has nothing.
  KeyFilter() : KeyFilter(ScalarTable()) {}
  explicit KeyFilter(const ScalarTable& table);

  // Never false for a feature of the table.
  bool may_have(FeatureKey key) const {
    const std::uint32_t at = place(static_cast<std::uint32_t>(key));
    return (bits_[at / 64] >> (at % 64) & 1U) != 0;
  }
  void prefetch(FeatureKey key) const {
    __builtin_prefetch(bits_.data() + place(static_cast<std::uint32_t>(key)) / 64);
  }
  std::size_t bytes() const { return 8 * bits_.size(); }

 private:
  std::uint32_t place(std::uint32_t fingerprint) const {
    return fingerprint * 0x9E3779B1U >> shift_;
  }

  int shift_;
  std::vector<std::uint64_t> bits_;
};

}  // namespace copse
