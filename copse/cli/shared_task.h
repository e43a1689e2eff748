// A command whose work the processes that were started together (process_group.h) can share.
#pragma once

#include "copse/base/group.h"

namespace copse {

class SharedTask {
 public:
  virtual ~SharedTask() = default;
  // Before it runs; the group outlives the run. Only the leader writes and speaks.
  virtual void join(Group& group) = 0;
};

}  // namespace copse
