// The temporary files that are being written, so that a program ended by a signal can remove them.
// A table of fixed size and of single words, because a signal handler may do little else than read
// memory and call unlink().
#pragma once

#include <string>

namespace copse {

class TemporaryFiles {
 public:
  // Named before it is created, so that there is no moment at which it exists unknown. Beyond 256
  // at a time they are not remembered. Thread-safe.
  static void add(const std::string& path);
  static void forget(const std::string& path);
  // Safe in a signal handler.
  static void remove_all() noexcept;
};

}  // namespace copse
