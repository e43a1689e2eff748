// The list of commands; a new one is one line in commands.cc.
#pragma once

#include <memory>
#include <vector>

#include "copse/cli/command.h"

namespace copse {

std::unique_ptr<Command> make_check_command();
std::unique_ptr<Command> make_cluster_command();
std::unique_ptr<Command> make_completion_command();
std::unique_ptr<Command> make_convert_command();
std::unique_ptr<Command> make_eval_command();
std::unique_ptr<Command> make_explain_command();
std::unique_ptr<Command> make_info_command();
std::unique_ptr<Command> make_manual_command();
std::unique_ptr<Command> make_models_command();
std::unique_ptr<Command> make_nbest_command();
std::unique_ptr<Command> make_parse_command();
std::unique_ptr<Command> make_rerank_command();
std::unique_ptr<Command> make_sample_command();
std::unique_ptr<Command> make_serve_command();
std::unique_ptr<Command> make_stats_command();
std::unique_ptr<Command> make_tag_command();
std::unique_ptr<Command> make_tokenize_command();
std::unique_ptr<Command> make_train_command();
std::unique_ptr<Command> make_view_command();

std::vector<std::unique_ptr<Command>> all_commands();

}  // namespace copse
