#include "copse/cli/parse_tasks.h"

namespace copse {

std::vector<std::unique_ptr<ParseTask>> all_parse_tasks() {
  std::vector<std::unique_ptr<ParseTask>> tasks;
  tasks.push_back(make_constituency_parse_task());
  tasks.push_back(make_dependency_parse_task());
  tasks.push_back(make_bundle_parse_task());
  return tasks;
}

}  // namespace copse
