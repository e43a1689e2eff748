#include "copse/base/temporary_files.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string_view>

namespace copse {
namespace {

// A copy of the path, never freed while it is in the table. Global because signal handlers are.
std::array<std::atomic<char*>, 256> table{};
std::mutex changing;  // a signal handler only reads

}  // namespace

void TemporaryFiles::add(const std::string& path) {
  char* copy = ::strdup(path.c_str());
  if (copy == nullptr) return;
  const std::scoped_lock lock(changing);
  for (auto& slot : table) {
    char* free = nullptr;
    if (slot.compare_exchange_strong(free, copy)) return;
  }
  ::free(copy);
}

void TemporaryFiles::forget(const std::string& path) {
  const std::scoped_lock lock(changing);
  for (auto& slot : table) {
    char* name = slot.load();
    if (name == nullptr || std::string_view(name) != path) continue;
    slot.store(nullptr);
    ::free(name);
    return;
  }
}

void TemporaryFiles::remove_all() noexcept {
  for (auto& slot : table) {
    if (const char* name = slot.load()) ::unlink(name);
  }
}

}  // namespace copse
