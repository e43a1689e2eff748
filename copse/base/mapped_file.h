// A file mapped into memory, read only. It must not be changed while it is (watched_files.h says what
// happens then); Output replaces files, never changes them.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace copse {

class MappedFile {
 public:
  // Throws a machine error when the file cannot be read; directories, pipes and devices included.
  static MappedFile open(const std::string& path);

  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&&) = delete;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  std::span<const std::byte> bytes() const { return {data_, size_}; }

 private:
  MappedFile(const std::byte* data, std::size_t size, int watched)
      : data_(data), size_(size), watched_(watched) {}

  const std::byte* data_;
  std::size_t size_;
  int watched_;  // its number among the watched files
};

}  // namespace copse
