// A sum over examples and its gradient, by several threads, the same bytes for any number of them:
// the examples are cut into the same pieces always, each with a gradient of its own, and the pieces
// are added in order.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "copse/base/thread_team.h"

namespace copse {

// Every piece has a gradient of its own: more of them cost memory, fewer leave cores idle.
inline constexpr std::size_t kShards = 4;

struct Shard {
  double value = 0;
  std::vector<double> gradient;
};

// Each shard may have memory of its own beside the sums (a struct derived from Shard).
template <class Each = Shard>
class ShardedSum {
 public:
  // The team must outlive the sum.
  ShardedSum(std::size_t examples, std::size_t dimension, ThreadTeam& team)
      : examples_(examples), team_(team) {
    for (Each& shard : shards_) shard.gradient.resize(dimension);
  }

  // add(i, shard) adds example i to the value and the gradient of the shard; called by several
  // threads at once for different shards. Returns the sum of the values; writes all of `gradient`.
  template <class Add>
  double evaluate(std::span<double> gradient, Add&& add) {
    team_.for_each(kShards, [&](std::size_t k) {
      Each& shard = shards_[k];
      shard.value = 0;
      std::ranges::fill(shard.gradient, 0.0);
      const std::size_t end = examples_ * (k + 1) / kShards;
      for (std::size_t i = examples_ * k / kShards; i < end; ++i) add(i, shard);
    });
    double value = 0;
    std::ranges::fill(gradient, 0.0);
    for (const Each& shard : shards_) {
      value += shard.value;
      for (std::size_t j = 0; j < gradient.size(); ++j) gradient[j] += shard.gradient[j];
    }
    return value;
  }

 private:
  std::size_t examples_;
  ThreadTeam& team_;
  std::array<Each, kShards> shards_;
};

}  // namespace copse
