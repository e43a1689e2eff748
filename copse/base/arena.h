// Scratch memory for one thread: allocations are a pointer bump, reset() forgets them all and
// keeps the largest block, so that from sentence to sentence nothing is allocated.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace copse {

class Arena {
 public:
  // `count` value-initialised objects, alive until reset(). Alignment is 64 bytes, a cache line.
  template <class T>
  std::span<T> make(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>, "an arena runs no destructors");
    static_assert(alignof(T) <= kAlignment);
    T* first = reinterpret_cast<T*>(allocate(count * sizeof(T)));
    std::uninitialized_value_construct_n(first, count);
    return {first, count};
  }

  void reset();
  std::size_t bytes_reserved() const;

 private:
  static constexpr std::size_t kAlignment = 64;
  struct FreeAligned {
    void operator()(std::byte* block) const;
  };
  struct Chunk {
    std::unique_ptr<std::byte[], FreeAligned> bytes;
    std::size_t size = 0;
  };

  std::byte* allocate(std::size_t bytes);

  std::vector<Chunk> chunks_;  // the last one is in use
  std::size_t used_ = 0;
};

}  // namespace copse
