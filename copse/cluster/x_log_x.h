// f(x) = x log2 x of whole numbers, as a whole number of units of 2^-20 bits. Sums of such values
// are exact: they do not depend on the order of addition, so neither on threads nor on history.
// Only integer arithmetic is used: the C library's log2 differs between systems in the last bit.
#pragma once

#include <cstdint>
#include <vector>

namespace copse {

using Fixed = std::int64_t;
inline constexpr int kFixedFraction = 20;
// Largest x that is allowed; sums of two values of f still fit Fixed.
inline constexpr std::uint64_t kLargestXLogX = std::uint64_t{1} << 36;

// Immutable; 512 KB.
class XLogX {
 public:
  static constexpr std::uint64_t kTabled = std::uint64_t{1} << 16;

  XLogX();

  // f(0) = 0. Within 0.51 units of the true value up to 2^30, within one unit up to kLargestXLogX.
  Fixed operator()(std::uint64_t x) const { return x < kTabled ? table_[x] : compute(x); }
  // g(a, b) = f(a + b) - f(a) - f(b): what two cells lose when they become one.
  Fixed joint(std::uint64_t a, std::uint64_t b) const {
    return a == 0 || b == 0 ? 0 : (*this)(a + b) - (*this)(a) - (*this)(b);
  }
  // f(0), f(1), ... f(kTabled - 1)
  const Fixed* table() const { return table_.data(); }

 private:
  Fixed compute(std::uint64_t x) const;

  std::vector<std::uint64_t> log2_of_step_;  // log2(1 + i / steps), units of 2^-64
  std::vector<Fixed> table_;
};

}  // namespace copse
