#include "copse/base/mapped_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "copse/base/error.h"
#include "copse/base/watched_files.h"

namespace copse {
namespace {

// A descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  int value() const { return value_; }
  int release() { return std::exchange(value_, -1); }

 private:
  int value_;
};

}  // namespace

MappedFile MappedFile::open(const std::string& path) {
  // Without O_NONBLOCK a named pipe would wait here for somebody to write into it.
  const int opened = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (opened < 0) throw machine_error(fmt::format("cannot open {}", path), errno);
  Descriptor file(opened);
  struct stat status {};
  if (::fstat(file.value(), &status) != 0) {
    throw machine_error(fmt::format("cannot read {}", path), errno);
  }
  if (!S_ISREG(status.st_mode)) throw machine_error(fmt::format("{} is not a plain file", path));
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return MappedFile(nullptr, 0, -1);
  void* const data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file.value(), 0);
  if (data == MAP_FAILED) throw machine_error(fmt::format("cannot map {}", path), errno);
  const int watched = WatchedFiles::add(file.release(), path);
  return MappedFile(static_cast<const std::byte*>(data), size, watched);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      watched_(std::exchange(other.watched_, -1)) {}

MappedFile::~MappedFile() {
  WatchedFiles::forget(watched_);
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

}  // namespace copse
