#include "copse/cluster/pair_losses.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "copse/base/random.h"

namespace copse {
namespace {

using Answer = std::tuple<Fixed, std::uint32_t, std::uint32_t>;  // loss, smaller id, larger id

Answer least_of_all(const PairLosses& losses, const std::vector<std::uint32_t>& ids,
                    const std::vector<bool>& alive) {
  Answer least{PairLosses::kNever, 0, 0};
  for (std::uint32_t i = 0; i < ids.size(); ++i) {
    for (std::uint32_t j = 0; j < i; ++j) {
      if (!alive[i] || !alive[j]) continue;
      least =
          std::min(least, Answer{losses(i, j), std::min(ids[i], ids[j]), std::max(ids[i], ids[j])});
    }
  }
  return least;
}

// Few different values make many ties.
TEST(PairLosses, FindsTheLeastPairAfterAnyChanges) {
  constexpr std::uint32_t kSize = 6;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    PairLosses losses(kSize);
    std::vector<std::uint32_t> ids(kSize);
    std::vector<bool> alive(kSize);
    const auto value = [&] { return static_cast<Fixed>(random.below(5)); };
    for (std::uint32_t step = 0; step < 60; ++step) {
      const auto i = static_cast<std::uint32_t>(random.below(kSize));
      const auto living = std::count(alive.begin(), alive.end(), true);
      if (!alive[i] || random.chance(0.2)) {
        std::vector<Fixed> fresh(kSize, PairLosses::kNever);
        for (std::uint32_t j = 0; j < kSize; ++j) {
          if (alive[j]) fresh[j] = value();
        }
        ids[i] = 1000 - step * (random.chance(0.5) ? 1U : 7U);
        alive[i] = true;
        losses.replace(i, fresh);
      } else if (living > 2 && random.chance(0.3)) {
        losses.remove(i);
        alive[i] = false;
      } else {
        Fixed least = PairLosses::kNever;
        for (std::uint32_t j = 0; j < i; ++j) {
          if (alive[j] && random.chance(0.5)) {
            losses.row(i)[j] = value();
            least = std::min(least, losses.row(i)[j]);
          }
        }
        losses.changed(i, least);
      }
      if (std::count(alive.begin(), alive.end(), true) < 2) continue;
      const PairLosses::Least found = losses.least(ids);
      EXPECT_EQ(Answer(found.loss, ids[found.first], ids[found.second]),
                least_of_all(losses, ids, alive));
    }
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace copse
