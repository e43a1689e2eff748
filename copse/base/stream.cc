#include "copse/base/stream.h"

#include <algorithm>

namespace copse {

int resolve_threads(int requested) {
  if (requested > 0) return requested;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace copse
