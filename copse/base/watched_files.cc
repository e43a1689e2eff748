#include "copse/base/watched_files.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "copse/base/error.h"

namespace copse {
namespace {

struct Slot {
  std::atomic<char*> path{nullptr};  // null: free; set last and cleared first
  int descriptor = -1;
  off_t size = 0;
  struct timespec written {};
};

// Global because signal handlers are.
std::array<Slot, 256> table{};
std::mutex changing;  // a signal handler only reads

}  // namespace

int WatchedFiles::add(int descriptor, const std::string& path) {
  struct stat status {};
  char* copy = ::fstat(descriptor, &status) == 0 ? ::strdup(path.c_str()) : nullptr;
  if (copy != nullptr) {
    const std::scoped_lock lock(changing);
    for (std::size_t i = 0; i < table.size(); ++i) {
      Slot& slot = table[i];
      if (slot.path.load() != nullptr) continue;
      slot.descriptor = descriptor;
      slot.size = status.st_size;
      slot.written = status.st_mtim;
      slot.path.store(copy);
      return static_cast<int>(i);
    }
  }
  ::free(copy);
  ::close(descriptor);
  return -1;
}

void WatchedFiles::forget(int number) {
  if (number < 0) return;
  const std::scoped_lock lock(changing);
  Slot& slot = table[static_cast<std::size_t>(number)];
  char* path = slot.path.exchange(nullptr);
  ::close(slot.descriptor);
  ::free(path);
}

const char* WatchedFiles::changed() noexcept {
  for (const Slot& slot : table) {
    const char* path = slot.path.load();
    struct stat now {};
    if (path == nullptr || ::fstat(slot.descriptor, &now) != 0) continue;
    if (now.st_size != slot.size || now.st_mtim.tv_sec != slot.written.tv_sec ||
        now.st_mtim.tv_nsec != slot.written.tv_nsec) {
      return path;
    }
  }
  return nullptr;
}

void WatchedFiles::check() {
  const std::scoped_lock lock(changing);  // no other thread may forget the path meanwhile
  if (const char* path = changed()) {
    throw machine_error(fmt::format("{} was changed while it was in use", path));
  }
}

}  // namespace copse
