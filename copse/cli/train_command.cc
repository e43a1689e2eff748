// copse train: learns a component from a treebank. Each component is a task in a file of its own.
#include "copse/cli/train_tasks.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "copse/base/output.h"
#include "copse/cli/commands.h"
#include "copse/cli/model_notes.h"
#include "copse/cli/model_report.h"
#include "copse/cli/process_group.h"
#include "copse/cli/shared_task.h"
#include "copse/model/model_file.h"

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
    notes_.declare_options(app);
    app.add_flag("--json", json_,
                 "When the model is made, print one JSON object: its options, data and figures")
        ->group("Common options");
    for (const auto& task : tasks_) {
      CLI::App* sub = app.add_subcommand(std::string(task->name()), std::string(task->summary()));
      sub->fallthrough();  // the common options belong to "copse train"
      sub->callback([this, sub, chosen = task.get()] {
        chosen_ = chosen;
        chosen_app_ = sub;
      });
      sub->footer(render_examples(*task));
      task->declare_options(*sub);
    }
  }

  ExitCode run(const CommonOptions& common) override {
    const std::unique_ptr<Group> group = join_processes();
    if (!group) return train(common);
    auto* const shared = dynamic_cast<SharedTask*>(chosen_);
    if (shared == nullptr && group->size() > 1) {
      throw usage_error(fmt::format("'copse train {}' works in one process", chosen_->name()),
                        "start it without mpirun");
    }
    if (shared != nullptr) shared->join(*group);
    if (group->leads()) return train(common);
    CommonOptions silent = common;
    silent.quiet = true;
    return chosen_->run(silent);
  }

 private:
  ExitCode train(const CommonOptions& common) {
    for (const char* name : {"--output", "--dev-output", "--checkpoint", "--curve"}) {
      const std::string path = value_of(name);
      if (!path.empty()) Output::check(path);  // before hours of work, not after them
    }
    const ExitCode code = chosen_->run(common);
    const std::string model = value_of("--output");
    const bool made = made_model(model);
    if (!notes_.empty() && made) notes_.add_to(model);
    if (made && (json_ || !value_of("--json").empty())) {
      Output output = Output::open("-");
      output.write(model_as_json(ModelFile::open(model), model));
      output.commit();
    }
    return code;
  }

  // Not lists, tagged sentences or a plot, which some tasks write instead.
  static bool made_model(const std::string& path) {
    if (!path.ends_with(".copse")) return false;
    try {
      ModelFile::open(path);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::data) throw;
      return false;
    }
    return true;
  }

  // What was given for an option of the task; empty where it has none of that name.
  std::string value_of(const char* name) const {
    const ::CLI::Option* option = chosen_app_->real().get_option_no_throw(name);
    return option == nullptr || option->count() == 0 ? std::string() : option->as<std::string>();
  }

  std::vector<std::unique_ptr<Command>> tasks_ = all_train_tasks();
  Command* chosen_ = nullptr;
  const CLI::App* chosen_app_ = nullptr;
  ModelNotes notes_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_train_command() {
  return std::make_unique<TrainCommand>();
}

}  // namespace copse
