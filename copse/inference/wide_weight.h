// A weight >= 0 with the digits of a double and an exponent that never runs out:
//
//   value = mantissa * 2^(128 * exponent),   1 <= mantissa < 2^128,   or zero
//
// exp(-1e15) is an ordinary number here. It does what sums of logarithms are used for, but sums and
// products take a few comparisons instead of exp and log1p, and keep all 53 bits whatever the size,
// where the logarithm of 2 e^-1000000 keeps ten digits less.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

namespace copse {

class WideWeight {
 public:
  constexpr WideWeight() = default;

  // e^x for any finite x; zero for minus infinity.
  static WideWeight exp(double x) {
    if (x == -HUGE_VAL) return {};
    // x = twos * ln 2 + rest, with ln 2 in two pieces so that the rest is good to the last bit.
    constexpr double kLn2Rest = 2.3190468138462996e-17;  // of ln 2 beyond double
    const double twos = std::floor(x / std::numbers::ln2);
    const double rest = std::fma(-twos, std::numbers::ln2, x) - twos * kLn2Rest;
    const double exponent = std::floor(twos / 128);
    const double mantissa = std::ldexp(std::exp(rest), static_cast<int>(twos - 128 * exponent));
    return normal(mantissa, static_cast<std::int64_t>(exponent));
  }

  bool is_zero() const { return mantissa_ == 0; }
  double log() const {
    return std::log(mantissa_) + 128 * std::numbers::ln2 * static_cast<double>(exponent_);
  }
  // As a double: zero or infinite if out of range.
  double plain() const {
    if (is_zero() || exponent_ < -16) return 0;
    return std::ldexp(mantissa_, exponent_ > 16 ? 2048 : 128 * static_cast<int>(exponent_));
  }

  friend WideWeight operator+(WideWeight a, WideWeight b) {
    if (a.exponent_ < b.exponent_) return b + a;
    if (a.exponent_ == b.exponent_) return normal(a.mantissa_ + b.mantissa_, a.exponent_);
    if (a.exponent_ - b.exponent_ > 1) return a;  // b is below 2^-128 of a
    return normal(a.mantissa_ + b.mantissa_ * 0x1p-128, a.exponent_);
  }
  friend WideWeight operator*(WideWeight a, WideWeight b) {
    if (a.is_zero() || b.is_zero()) return {};
    return normal(a.mantissa_ * b.mantissa_, a.exponent_ + b.exponent_);
  }
  // b must not be zero.
  friend WideWeight operator/(WideWeight a, WideWeight b) {
    if (a.is_zero()) return {};
    return normal(a.mantissa_ / b.mantissa_, a.exponent_ - b.exponent_);
  }
  friend bool operator<(WideWeight a, WideWeight b) {
    return a.exponent_ != b.exponent_ ? a.exponent_ < b.exponent_ : a.mantissa_ < b.mantissa_;
  }

 private:
  // Below every exponent that finite sums and products of e^x can reach.
  static constexpr std::int64_t kZeroExponent = -(std::int64_t{1} << 62);

  constexpr WideWeight(double mantissa, std::int64_t exponent)
      : mantissa_(mantissa), exponent_(exponent) {}
  // One operation on normal numbers leaves the mantissa at most one unit of exponent off.
  static WideWeight normal(double mantissa, std::int64_t exponent) {
    if (mantissa >= 0x1p128) return {mantissa * 0x1p-128, exponent + 1};
    if (mantissa < 1 && mantissa > 0) return {mantissa * 0x1p128, exponent - 1};
    return {mantissa, exponent};
  }

  double mantissa_ = 0;
  std::int64_t exponent_ = kZeroExponent;
};

}  // namespace copse
