#include "copse/base/arena.h"

#include <algorithm>
#include <new>
#include <utility>

namespace copse {

void Arena::FreeAligned::operator()(std::byte* block) const {
  ::operator delete[](block, std::align_val_t{kAlignment});
}

std::byte* Arena::allocate(std::size_t bytes) {
  bytes = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  if (chunks_.empty() || chunks_.back().size - used_ < bytes) {
    const std::size_t doubled = chunks_.empty() ? std::size_t{1} << 14 : chunks_.back().size * 2;
    const std::size_t size = std::max(bytes, doubled);
    auto* block = static_cast<std::byte*>(::operator new[](size, std::align_val_t{kAlignment}));
    chunks_.push_back({std::unique_ptr<std::byte[], FreeAligned>(block), size});
    used_ = 0;
  }
  std::byte* start = chunks_.back().bytes.get() + used_;
  used_ += bytes;
  return start;
}

void Arena::reset() {
  used_ = 0;
  if (chunks_.size() <= 1) return;
  // Each chunk is at least as large as all before it: the last alone serves the next round.
  Chunk largest = std::move(chunks_.back());
  chunks_.clear();
  chunks_.push_back(std::move(largest));
}

std::size_t Arena::bytes_reserved() const {
  std::size_t total = 0;
  for (const Chunk& chunk : chunks_) total += chunk.size;
  return total;
}

}  // namespace copse
