// Built without MPI: no process knows of another.
#include "copse/base/error.h"
#include "copse/cli/process_group.h"

namespace copse {

std::unique_ptr<Group> join_processes() {
  if (!is_launched() || launched_processes() == 1) return nullptr;
  throw usage_error("this copse was built without MPI: every process would do all of the work",
                    "build it with -DCOPSE_MPI=ON, or start one process");
}

}  // namespace copse
