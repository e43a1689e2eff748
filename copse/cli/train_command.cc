// copse train: learns a component from a treebank. Each component is a task in a file of its own.
#include "copse/cli/train_tasks.h"

#include "copse/cli/commands.h"

namespace copse {
namespace {

class TrainCommand : public Command {
 public:
  std::string_view name() const override { return "train"; }
  std::string_view summary() const override {
    return "Learn a model from a treebank: tokenizer, tagger, parsers";
  }
  std::vector<Example> examples() const override {
    std::vector<Example> examples;
    for (const auto& task : tasks_) {
      for (const Example& example : task->examples()) examples.push_back(example);
    }
    return examples;
  }

  void declare_options(CLI::App& app) override {
    app.require_subcommand(1);
    for (const auto& task : tasks_) {
      CLI::App* sub = app.add_subcommand(std::string(task->name()), std::string(task->summary()));
      sub->fallthrough();  // the common options belong to "copse train"
      sub->callback([this, chosen = task.get()] { chosen_ = chosen; });
      sub->footer(render_examples(*task));
      task->declare_options(*sub);
    }
  }

  ExitCode run(const CommonOptions& common) override { return chosen_->run(common); }

 private:
  std::vector<std::unique_ptr<Command>> tasks_ = all_train_tasks();
  Command* chosen_ = nullptr;
};

}  // namespace

std::unique_ptr<Command> make_train_command() {
  return std::make_unique<TrainCommand>();
}

}  // namespace copse
