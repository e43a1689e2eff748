#include "copse/base/stream.h"

namespace copse {

int resolve_threads(int requested) {
  return requested > 0 ? requested : oneapi::tbb::this_task_arena::max_concurrency();
}

}  // namespace copse
