#include "copse/cluster/third_clusters.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace copse {

ThirdClusters::ThirdClusters(std::uint32_t size, const FixedLog& logs)
    : logs_(logs),
      with_big_(size),
      with_small_(size),
      marked_(size / 64 + 1),
      following_(size, &Cross::follows),
      preceding_(size, &Cross::precedes) {}

void ThirdClusters::see_added(const Cells& cells) {
  clear();
  added_ = true;
  cross(cells, with_small_);
  list();
}

ThirdClusters::Cross ThirdClusters::see_merged(Slot big, const Cells& of_big, Slot small,
                                               const Cells& of_small) {
  clear();
  added_ = false;
  cross(of_big, with_big_);
  cross(of_small, with_small_);
  with_small_[big] = {};
  const Cross between = std::exchange(with_big_[small], {});
  list();
  return between;
}

std::size_t ThirdClusters::pairs() const {
  std::size_t total = 0;
  for (const Direction* direction : {&following_, &preceding_}) {
    total += direction->joined.size() * (direction->joined.size() + direction->only_big_count);
  }
  return total;
}

void ThirdClusters::clear() {
  for (const Slot slot : slots_) with_big_[slot] = with_small_[slot] = {};
}

void ThirdClusters::cross(const Cells& cells, std::vector<Cross>& crosses) {
  const auto mark = [this](Slot slot) { marked_[slot / 64] |= std::uint64_t{1} << (slot % 64); };
  for (const Cell cell : cells.follows) {
    crosses[cell.column()].follows = cell.count();
    mark(cell.column());
  }
  for (const Cell cell : cells.precedes) {
    crosses[cell.column()].precedes = cell.count();
    mark(cell.column());
  }
}

void ThirdClusters::list() {
  slots_.clear();
  for (std::size_t i = 0; i < marked_.size(); ++i) {
    for (; marked_[i] != 0; marked_[i] &= marked_[i] - 1) {
      const auto bit = static_cast<unsigned>(std::countr_zero(marked_[i]));
      slots_.push_back(static_cast<Slot>(i * 64 + bit));
    }
  }
  list(following_);
  list(preceding_);
}

// Which slots are on which list is close to random, so the loop does not branch on it.
void ThirdClusters::list(Direction& direction) const {
  const auto side = direction.side;
  std::uint64_t largest = 0;
  std::uint16_t joined = 0;
  std::uint16_t only_big = 0;
  for (const Slot slot : slots_) {
    const std::uint64_t big = with_big_[slot].*side;
    const std::uint64_t small = with_small_[slot].*side;
    largest = std::max(largest, big + small);
    direction.joined_before[slot] = joined;
    direction.only_big_before[slot] = only_big;
    direction.joined_slots[joined] = slot;
    direction.only_big[only_big] = Cell(slot, big);
    joined = static_cast<std::uint16_t>(joined + (small > 0 ? 1 : 0));
    only_big = static_cast<std::uint16_t>(only_big + (small == 0 && big > 0 ? 1 : 0));
  }
  direction.largest = largest;
  direction.only_big_count = only_big;
  direction.joined.clear();
  for (const Slot slot : std::span(direction.joined_slots).first(joined)) {
    const std::uint64_t big = with_big_[slot].*side;
    const std::uint64_t small = with_small_[slot].*side;
    const Fixed one_sided = logs_.f(big) - logs_.f(big + small);
    direction.joined.push_back(
        {slot, big, small, big + small, one_sided, one_sided + logs_.f(small)});
  }
}

// g(a+b, p+q) - g(a,p) - g(b,q), where a, b are the counts of the row with B and S, p, q those of
// j; g(b,q) if S is new. It is not negative, because g is concave and homogeneous.
Fixed ThirdClusters::add_gains(const Direction& direction, Slot row, std::span<Fixed> kept) const {
  const std::uint64_t big = with_big_[row].*direction.side;
  const std::uint64_t small = with_small_[row].*direction.side;
  const std::uint64_t both = big + small;
  if (both == 0) return 0;
  Fixed most = 0;
  const auto add = [&](Slot other, Fixed gain) {
    kept[other] += gain;
    most = std::max(most, gain);
  };
  const auto joined = std::span(direction.joined).first(direction.joined_before[row]);
  const auto only_big = std::span(direction.only_big).first(direction.only_big_before[row]);
  with_f(logs_, both + direction.largest, [&](const auto& f) {
    if (added_) {
      for (const Joined& other : joined) {
        add(other.slot, f(small + other.small) - f(small) + other.one_sided);
      }
      return;
    }
    if (small == 0) {
      for (const Joined& other : joined) {
        add(other.slot, f(big + other.both) - f(big + other.big) + other.one_sided);
      }
      return;
    }
    const Fixed one_sided = f(big) - f(both);
    const Fixed two_sided = one_sided + f(small);
    for (const Joined& other : joined) {
      add(other.slot, f(both + other.both) - f(big + other.big) - f(small + other.small) +
                          other.two_sided + two_sided);
    }
    for (const Cell& other : only_big) {
      add(other.column(), f(both + other.count()) - f(big + other.count()) + one_sided);
    }
  });
  return most;
}

}  // namespace copse
