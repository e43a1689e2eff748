// A range of numbers that the threads of a team (thread_team.h) go through together, in blocks.
// Each block has a thread that does it if it is there in time: what belongs to a number is then
// mostly in the cache of the thread that gets it. Who has nothing left of its own takes of the
// others.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <vector>

namespace copse {

class SharedRange {
 public:
  explicit SharedRange(int threads) : next_(static_cast<std::size_t>(threads)) {}

  // From now on 0 to size - 1, so many at a time. Nobody is inside for_each_block.
  void start(std::size_t size, std::size_t block) {
    size_ = size;
    block_ = block;
    for (Counter& counter : next_) counter.value.store(0, std::memory_order_relaxed);
  }

  // Calls visit(first, end) for blocks that nobody else has taken, until there are none.
  template <class Visit>
  void for_each_block(int thread, Visit&& visit) {
    const std::size_t threads = next_.size();
    for (std::size_t k = 0; k < threads; ++k) {
      const std::size_t owner = (static_cast<std::size_t>(thread) + k) % threads;
      for (;;) {
        const std::size_t turn = next_[owner].value.fetch_add(1, std::memory_order_relaxed);
        const std::size_t first = (turn * threads + owner) * block_;
        if (first >= size_) break;
        visit(first, std::min(first + block_, size_));
      }
    }
  }

 private:
  struct alignas(64) Counter {
    std::atomic<std::size_t> value = 0;
  };

  std::size_t size_ = 0;
  std::size_t block_ = 1;
  std::vector<Counter> next_;
};

}  // namespace copse
