// log2 x = e + log2 m with x = 2^e m, 1 <= m < 2. With c the largest multiple of 1/128 up to m,
//
//   log2 m = log2 c + 2 / ln 2 * atanh(z),   z = (m - c) / (m + c) <= 2^-8,
//   atanh z = z + z^3/3 + z^5/5 + z^7/7 + ...      (the next term is below 2^-75)
//
// Fractions are 64-bit numbers in units of 2^-64.
#include "copse/cluster/fixed_log.h"

#include <algorithm>
#include <bit>

namespace copse {
namespace {

__extension__ typedef unsigned __int128 Wide;  // NOLINT(modernize-use-using)

constexpr int kStepBits = 7;
constexpr std::uint64_t kSteps = std::uint64_t{1} << kStepBits;

std::uint64_t upper_half(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>((static_cast<Wide>(a) * b) >> 64);
}

// 2 / ln 2 * (z + z^3/3 + ... ), z = `difference` / `sum`, both in the same unit.
std::uint64_t log2_of_ratio(std::uint64_t difference, Wide sum, int terms) {
  constexpr std::uint64_t kTwoOverLn2 = 0xB8AA3B295C17F0BC;  // 2 / ln 2 = 2.885..., units of 2^-62
  const auto z = static_cast<std::uint64_t>((static_cast<Wide>(difference) << 64) / sum);
  const std::uint64_t square = upper_half(z, z);
  std::uint64_t total = 0;
  std::uint64_t power = z;
  for (int k = 0; k < terms; ++k, power = upper_half(power, square)) {
    total += power / static_cast<std::uint64_t>(2 * k + 1);
  }
  return static_cast<std::uint64_t>((static_cast<Wide>(total) * kTwoOverLn2) >> 62);
}

}  // namespace

int FixedLog::fraction_for(std::uint64_t total) {
  constexpr int kMost = 40;
  constexpr int kRoom = 60;  // bits for f(total): sums of a few such values must fit 63
  const auto bits = static_cast<unsigned>(std::bit_width(total));
  return std::clamp(kRoom - static_cast<int>(bits) - static_cast<int>(std::bit_width(bits)), 0,
                    kMost);
}

FixedLog::FixedLog(int fraction) : fraction_(fraction) {
  constexpr int kTermsOfOneThird = 24;  // z <= 1/3
  for (std::uint64_t i = 0; i < kSteps; ++i) {
    log_of_step_.push_back(log2_of_ratio(i, 2 * kSteps + i, kTermsOfOneThird));
  }
  logs_.resize(kTabled);
  table_.resize(kTabled);
  for (std::uint64_t x = 1; x < kTabled; ++x) {
    logs_[x] = compute(x);
    table_[x] = times(x, logs_[x]);
  }
}

Fixed FixedLog::compute(std::uint64_t x) const {
  constexpr int kTermsOfStep = 4;
  const int exponent = static_cast<int>(std::bit_width(x)) - 1;
  const std::uint64_t m = x << (63 - exponent);  // units of 2^-63
  const std::uint64_t c = m >> (63 - kStepBits) << (63 - kStepBits);
  const std::uint64_t digits = log_of_step_[(c << 1) >> (64 - kStepBits)] +
                               log2_of_ratio(m - c, static_cast<Wide>(m) + c, kTermsOfStep);
  const int drop = 64 - fraction_;
  const Wide rounded = (static_cast<Wide>(digits) + (Wide{1} << (drop - 1))) >> drop;
  return (static_cast<Fixed>(exponent) << fraction_) + static_cast<Fixed>(rounded);
}

}  // namespace copse
