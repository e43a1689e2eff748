#include "copse/base/block_sum.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace copse {

std::size_t blocks_for(std::size_t examples) {
  constexpr std::size_t kFewest = 16, kMost = 256, kExamples = 512;  // in a block
  return std::clamp(std::bit_floor(examples / kExamples), kFewest, kMost);
}

int BlockTree::owner(std::size_t block) const {
  return static_cast<int>(block * members_ / blocks_);
}

std::vector<BlockTree::Node> BlockTree::shared_nodes() const {
  std::vector<Node> out;
  for (int level = 1; (std::size_t{1} << level) <= blocks_; ++level) {
    for (std::size_t index = 0; index < blocks_ >> level; ++index) {
      const std::size_t last = ((index + 1) << level) - 1;
      if (owner(index << level) != owner(last)) out.push_back({level, index});
    }
  }
  return out;
}

void BlockSum::evaluate(std::span<double> total, const Add& add) {
  parts_.clear();
  add_own_blocks(total.size(), add);
  add_of_others(total.size());
  if (group_.leads()) {
    std::ranges::copy(parts_.front().sums, total.begin());
    free_.push_back(std::move(parts_.front().sums));
  }
  parts_.clear();
  broadcast(group_, total);
}

BlockSum::Sums BlockSum::take_zeros(std::size_t size) {
  Sums out;
  if (!free_.empty()) {
    out = std::move(free_.back());
    free_.pop_back();
  }
  out.assign(size, 0.0);
  return out;
}

// A wave of blocks at a time: as many vectors are held as there are blocks in it, and one for each
// level of the tree above.
void BlockSum::add_own_blocks(std::size_t size, const Add& add) {
  constexpr std::size_t kWave = 4;  // with fewer, threads would wait for the slowest block
  const auto threads = static_cast<std::size_t>(team_.size());
  const std::size_t wave = threads == 1 ? 1 : std::max(kWave, threads);
  for (Range left = own(); left.size() > 0;) {
    std::vector<Sums> sums(std::min(wave, left.size()));
    for (Sums& each : sums) each = take_zeros(size);
    team_.for_each(sums.size(), [&](std::size_t k) { add(left.begin + k, sums[k]); });
    for (Sums& each : sums) push({{0, left.begin++}, std::move(each)});
  }
}

void BlockSum::push(Part part) {
  const BlockTree::Node parent{part.node.level + 1, part.node.index / 2};
  if (part.node.index % 2 == 0 || find(parent.left()) == parts_.end()) {
    parts_.push_back(std::move(part));
    return;
  }
  Part left = std::move(parts_.back());  // nothing stands between siblings
  parts_.pop_back();
  for (std::size_t j = 0; j < left.sums.size(); ++j) left.sums[j] += part.sums[j];
  free_.push_back(std::move(part.sums));
  push({parent, std::move(left.sums)});
}

void BlockSum::join(const BlockTree::Node& parent, Sums right) {
  const auto left = find(parent.left());
  for (std::size_t j = 0; j < right.size(); ++j) left->sums[j] += right[j];
  left->node = parent;
  free_.push_back(std::move(right));
}

// All members go through the same nodes in the same order: nobody waits for ever.
void BlockSum::add_of_others(std::size_t size) {
  for (const BlockTree::Node& node : tree_.shared_nodes()) {
    const int to = tree_.owner(node.left()), from = tree_.owner(node.right());
    if (group_.rank() == from) {
      const auto mine = find(node.right());
      Sums sums = std::move(mine->sums);
      parts_.erase(mine);
      if (from == to) {
        join(node, std::move(sums));
      } else {
        group_.send(to, std::as_bytes(std::span(std::as_const(sums))));
        free_.push_back(std::move(sums));
      }
    } else if (group_.rank() == to) {
      Sums sums = take_zeros(size);
      group_.receive(from, std::as_writable_bytes(std::span(sums)));
      join(node, std::move(sums));
    }
  }
}

std::vector<BlockSum::Part>::iterator BlockSum::find(const BlockTree::Node& node) {
  return std::ranges::find(parts_, node, &Part::node);
}

}  // namespace copse
