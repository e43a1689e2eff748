// The processes that were started together with this one, by mpirun or the like.
#pragma once

#include <memory>

#include "copse/base/group.h"

namespace copse {

// Null: this process was started alone. Called once; the group must be gone before the program ends.
// Throws usage_error if there are others, and this program was built without a way to reach them.
std::unique_ptr<Group> join_processes();

// Whether a launcher of MPI programs has started this process, by the environment it sets; and how
// many there are, 0 if it does not say.
bool is_launched();
int launched_processes();

}  // namespace copse
