#include "copse/model/key_filter.h"

#include <algorithm>
#include <bit>

namespace copse {
namespace {

// Bits for each feature; more let fewer others pass.
constexpr std::size_t kBitsEach = 8;
// As logarithms: a word, and a megabyte, beyond which it is no longer near.
constexpr int kLeast = 6, kMost = 23;

}  // namespace

KeyFilter::KeyFilter(const ScalarTable& table) {
  const auto wanted = static_cast<int>(std::bit_width(kBitsEach * table.features()));
  const int width = std::clamp(wanted, kLeast, kMost);
  shift_ = 32 - width;
  bits_.assign((std::size_t{1} << width) / 64, 0);
  table.for_each_fingerprint([&](std::uint32_t fingerprint) {
    const std::uint32_t at = place(fingerprint);
    bits_[at / 64] |= std::uint64_t{1} << (at % 64);
  });
}

}  // namespace copse
