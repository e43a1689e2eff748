#include "copse/base/huge_pages.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace copse {
namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20;
constexpr std::size_t kLine = 64;
// From so many bytes on a large page is worth the room that it leaves empty.
constexpr std::size_t kWorthIt = kLargePage / 4;

}  // namespace

HugePageCopy::HugePageCopy(std::span<const std::byte> bytes) : size_(bytes.size()) {
  const std::size_t unit = size_ >= kWorthIt ? kLargePage : kLine;
  const std::size_t room = std::max(unit, (size_ + unit - 1) / unit * unit);
  auto* const memory = static_cast<std::byte*>(std::aligned_alloc(unit, room));
  if (memory == nullptr) throw std::bad_alloc();
  memory_ = std::shared_ptr<std::byte>(memory, [](std::byte* held) { std::free(held); });
  // A wish: where it is not granted, lookups are slower and nothing else.
  if (unit == kLargePage) (void)madvise(memory, room, MADV_HUGEPAGE);
  std::copy(bytes.begin(), bytes.end(), memory);
}

}  // namespace copse
