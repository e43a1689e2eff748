// What `copse train` can train. A task is a command of its own, named after what it makes.
#pragma once

#include <memory>
#include <vector>

#include "copse/cli/command.h"

namespace copse {

std::unique_ptr<Command> make_train_dependency();
std::unique_ptr<Command> make_train_constituency();
std::unique_ptr<Command> make_train_entities();
std::unique_ptr<Command> make_train_pipeline();
std::unique_ptr<Command> make_train_reranker();
std::unique_ptr<Command> make_train_reranker_data();
std::unique_ptr<Command> make_train_tagger();
std::unique_ptr<Command> make_train_tokenizer();

std::vector<std::unique_ptr<Command>> all_train_tasks();

}  // namespace copse
