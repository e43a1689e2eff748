// Seeded random numbers that are the same bytes on every machine and with every standard
// library: the engine is splitmix64-seeded xoshiro256**, the distributions are written out here
// because those of <random> differ between implementations.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

namespace copse {

class Random {
 public:
  explicit Random(std::uint64_t seed);

  std::uint64_t next();
  // Uniform in [0, bound), bound > 0; no modulo bias.
  std::uint64_t below(std::uint64_t bound);
  // Uniform in [low, high].
  int between(int low, int high) {
    return low + static_cast<int>(below(static_cast<std::uint64_t>(high - low) + 1));
  }
  // Uniform in [0, 1), 53 bits.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  double normal();  // mean 0, standard deviation 1
  bool chance(double probability) { return uniform() < probability; }

  // Index drawn in proportion to the weights; they need not sum to one but must not all be zero.
  std::size_t draw(std::span<const double> weights);

  template <class T>
  void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  std::uint64_t state_[4];
};

}  // namespace copse
