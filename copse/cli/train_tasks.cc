#include "copse/cli/train_tasks.h"

namespace copse {

std::vector<std::unique_ptr<Command>> all_train_tasks() {
  std::vector<std::unique_ptr<Command>> tasks;
  return tasks;
}

}  // namespace copse
