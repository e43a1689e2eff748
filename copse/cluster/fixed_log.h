// Logarithms of whole numbers to the base 2 as whole numbers, in units of 2^-fraction. Sums of
// counts times such values are exact: they do not depend on the order of addition, so neither on
// threads nor on history. Only integer arithmetic is used: the C library's log2 differs between
// systems in the last bit.
#pragma once

#include <cstdint>
#include <vector>

namespace copse {

using Fixed = std::int64_t;

// Immutable; 1 MB.
class FixedLog {
 public:
  static constexpr std::uint64_t kTabled = std::uint64_t{1} << 16;
  // Largest number of bigrams that are counted.
  static constexpr std::uint64_t kLargestTotal = std::uint64_t{1} << 36;

  // 0 to 40.
  explicit FixedLog(int fraction);
  // The most digits with which sums of a few f(total) still fit Fixed: 37 for a million, 20 for a
  // few billions.
  static int fraction_for(std::uint64_t total);

  int fraction() const { return fraction_; }
  // log2 x rounded to the nearest; 0 for x = 0.
  Fixed log(std::uint64_t x) const { return x < kTabled ? logs_[x] : compute(x); }
  // f(x) = x log2 x
  Fixed f(std::uint64_t x) const { return x < kTabled ? table_[x] : times(x, compute(x)); }
  // g(a, b) = f(a + b) - f(a) - f(b): what is lost when two cells become one.
  Fixed g(std::uint64_t a, std::uint64_t b) const {
    return a == 0 || b == 0 ? 0 : f(a + b) - f(a) - f(b);
  }
  // f(0), f(1), ... f(kTabled - 1)
  const Fixed* table() const { return table_.data(); }

  static Fixed times(std::uint64_t x, Fixed log) { return static_cast<Fixed>(x) * log; }

 private:
  Fixed compute(std::uint64_t x) const;

  int fraction_;
  std::vector<std::uint64_t> log_of_step_;  // log2(1 + i / steps), units of 2^-64
  std::vector<Fixed> logs_;
  std::vector<Fixed> table_;
};

// Calls visit with the fastest form of f that is right for arguments up to `largest`.
template <class Visit>
void with_f(const FixedLog& logs, std::uint64_t largest, Visit&& visit) {
  if (largest < FixedLog::kTabled) {
    visit([table = logs.table()](std::uint64_t x) { return table[x]; });
  } else {
    visit([&logs](std::uint64_t x) { return logs.f(x); });
  }
}

}  // namespace copse
