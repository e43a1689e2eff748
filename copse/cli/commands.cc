#include "copse/cli/commands.h"

namespace copse {

std::vector<std::unique_ptr<Command>> all_commands() {
  std::vector<std::unique_ptr<Command>> commands;
  commands.push_back(make_convert_command());
  commands.push_back(make_eval_command());
  return commands;
}

}  // namespace copse
