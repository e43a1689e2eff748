#include "copse/cli/commands.h"

namespace copse {

std::vector<std::unique_ptr<Command>> all_commands() {
  std::vector<std::unique_ptr<Command>> commands;
  commands.push_back(make_parse_command());
  commands.push_back(make_nbest_command());
  commands.push_back(make_rerank_command());
  commands.push_back(make_train_command());
  commands.push_back(make_tag_command());
  commands.push_back(make_tokenize_command());
  commands.push_back(make_convert_command());
  commands.push_back(make_eval_command());
  commands.push_back(make_serve_command());
  commands.push_back(make_check_command());
  commands.push_back(make_stats_command());
  commands.push_back(make_sample_command());
  commands.push_back(make_view_command());
  commands.push_back(make_explain_command());
  commands.push_back(make_info_command());
  commands.push_back(make_models_command());
  commands.push_back(make_cluster_command());
  commands.push_back(make_completion_command());
  commands.push_back(make_manual_command());
  return commands;
}

}  // namespace copse
