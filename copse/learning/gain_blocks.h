// The largest of many numbers that change a few thousand at a time, found without looking at all
// of them; ties: the lowest index. Exactly what a scan would answer.
//
// Blocks of 512 numbers. Of each block a bound is kept, at least every number in it; unless the
// block is stale, the bound is its maximum and `holder` the lowest index that reaches it. Setting a
// number costs O(1); best() looks at the bounds, and again at the numbers of stale blocks whose
// bound is the largest.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace copse {

class GainBlocks {
 public:
  static constexpr std::size_t kBlock = 512;

  explicit GainBlocks(std::size_t size)
      : gains_(size, 0.0), blocks_((size + kBlock - 1) / kBlock) {}

  double operator[](std::size_t index) const { return gains_[index]; }
  std::size_t size() const { return gains_.size(); }
  std::size_t rescans() const { return rescans_; }

  void set(std::size_t index, double gain) {
    gains_[index] = gain;
    Block& block = blocks_[index / kBlock];
    if (gain > block.bound) {
      block = {gain, static_cast<std::uint32_t>(index), false};
    } else if (gain == block.bound || index == block.holder) {
      block.stale = true;
    }
  }

  // Index of the largest number; 0 if all are 0. There must be one.
  std::size_t best() {
    for (;;) {
      double most = -1;
      for (const Block& block : blocks_) most = std::max(most, block.bound);
      bool again = false;
      std::size_t holder = gains_.size();
      for (std::size_t b = 0; b < blocks_.size(); ++b) {
        if (blocks_[b].bound != most) continue;
        if (blocks_[b].stale) {
          rescan(b);
          again = again || blocks_[b].bound != most;
        }
        if (blocks_[b].bound == most) holder = std::min<std::size_t>(holder, blocks_[b].holder);
      }
      if (holder < gains_.size()) return holder;
      if (!again) return 0;
    }
  }

 private:
  struct Block {
    double bound = 0;  // gains are at least 0
    std::uint32_t holder = 0;
    bool stale = true;
  };

  void rescan(std::size_t b) {
    ++rescans_;
    const std::size_t begin = b * kBlock, end = std::min(begin + kBlock, gains_.size());
    const auto at = std::max_element(gains_.begin() + static_cast<std::ptrdiff_t>(begin),
                                     gains_.begin() + static_cast<std::ptrdiff_t>(end));
    blocks_[b] = {*at, static_cast<std::uint32_t>(at - gains_.begin()), false};
  }

  std::vector<double> gains_;
  std::vector<Block> blocks_;
  std::size_t rescans_ = 0;
};

}  // namespace copse
