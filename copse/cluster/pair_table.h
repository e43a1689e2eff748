// A value for every pair: a triangle with a row for each i and a column for each j < i.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "copse/cluster/fixed_log.h"

namespace copse {

class PairTable {
 public:
  explicit PairTable(std::uint32_t size) : values_(std::size_t{size} * (size - 1) / 2) {}

  Fixed operator()(std::uint32_t i, std::uint32_t j) const { return i > j ? row(i)[j] : row(j)[i]; }
  Fixed& operator()(std::uint32_t i, std::uint32_t j) { return i > j ? row(i)[j] : row(j)[i]; }
  std::span<Fixed> row(std::uint32_t i) { return {values_.data() + start(i), i}; }
  std::span<const Fixed> row(std::uint32_t i) const { return {values_.data() + start(i), i}; }

  // A column is spread over memory: who is going to read one says so some time before.
  void prefetch(std::uint32_t i, std::uint32_t j) const {
    __builtin_prefetch(values_.data() + start(i) + j);
  }

 private:
  static std::size_t start(std::uint32_t i) { return std::size_t{i} * (i - (i > 0 ? 1U : 0U)) / 2; }

  std::vector<Fixed> values_;
};

}  // namespace copse
