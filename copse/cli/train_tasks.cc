#include "copse/cli/train_tasks.h"

namespace copse {

std::vector<std::unique_ptr<Command>> all_train_tasks() {
  std::vector<std::unique_ptr<Command>> tasks;
  tasks.push_back(make_train_pipeline());
  tasks.push_back(make_train_tagger());
  tasks.push_back(make_train_entities());
  tasks.push_back(make_train_dependency());
  tasks.push_back(make_train_constituency());
  tasks.push_back(make_train_reranker_data());
  tasks.push_back(make_train_reranker());
  tasks.push_back(make_train_tokenizer());
  return tasks;
}

}  // namespace copse
