// Memory in large pages, for tables that are looked into at random: with ordinary pages most
// lookups would first have to find out where their page lies.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace copse {

// A copy of the bytes, aligned to at least 64, in large pages where the system has them. Small
// copies take ordinary memory.
class HugePageCopy {
 public:
  HugePageCopy() = default;
  explicit HugePageCopy(std::span<const std::byte> bytes);

  std::span<const std::byte> bytes() const { return {memory_.get(), size_}; }
  std::shared_ptr<const void> owner() const { return memory_; }

 private:
  std::shared_ptr<std::byte> memory_;
  std::size_t size_ = 0;
};

}  // namespace copse
