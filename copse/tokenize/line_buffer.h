// Bytes of text under construction.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

namespace copse {

// Text under construction; most of what is written goes through here. Room is made once per line,
// so that the pieces of a line are plain copies.
class LineBuffer {
 public:
  explicit LineBuffer(std::size_t room)
      : bytes_(std::make_unique_for_overwrite<char[]>(room)), room_(room) {}

  void make_room(std::size_t bytes) {
    if (room_ - size_ < bytes) grow(bytes);
  }
  // These need the room.
  void put(std::string_view text) {
    std::memcpy(bytes_.get() + size_, text.data(), text.size());
    size_ += text.size();
  }
  template <std::size_t kSize>
  void put(const char (&literal)[kSize]) {
    std::memcpy(bytes_.get() + size_, literal, kSize - 1);
    size_ += kSize - 1;
  }
  void put(std::uint64_t number) {
    char* const begin = bytes_.get() + size_;
    const char* const end = std::to_chars(begin, begin + kLongestNumber, number).ptr;
    size_ += static_cast<std::size_t>(end - begin);
  }
  // This makes it.
  void append(std::string_view text) {
    make_room(text.size());
    put(text);
  }

  void drop_last() { --size_; }

  std::size_t size() const { return size_; }
  std::string_view view() const { return {bytes_.get(), size_}; }
  void clear() { size_ = 0; }
  std::unique_ptr<char[]> take() { return std::move(bytes_); }

  static constexpr std::size_t kLongestNumber = 20;

 private:
  void grow(std::size_t bytes) {
    const std::size_t room = std::max(room_ * 2, size_ + bytes);
    auto larger = std::make_unique_for_overwrite<char[]>(room);
    std::memcpy(larger.get(), bytes_.get(), size_);
    bytes_ = std::move(larger);
    room_ = room;
  }

  std::unique_ptr<char[]> bytes_;
  std::size_t room_;
  std::size_t size_ = 0;
};

}  // namespace copse
