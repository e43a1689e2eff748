// copse completion and copse manual: the command line described by itself.
#include "copse/base/output.h"
#include "copse/cli/commands.h"
#include "copse/cli/describe.h"

namespace copse {
namespace {

class CompletionCommand : public Command {
 public:
  std::string_view name() const override { return "completion"; }
  std::string_view summary() const override { return "Print a completion script for a shell"; }
  std::vector<Example> examples() const override {
    return {{"completion bash > ~/.local/share/bash-completion/completions/copse",
             "completion in every new shell"}};
  }
  void declare_options(CLI::App& app) override {
    program_ = app.get_parent();
    app.add_option("SHELL", shell_, "bash, zsh or fish")->required()->type_name("SHELL");
  }
  ExitCode run(const CommonOptions&) override {
    Output::open("-").write(completion_script(*program_, shell_));
    return ExitCode::fine;
  }

 private:
  const CLI::App* program_ = nullptr;
  std::string shell_;
};

class ManualCommand : public Command {
 public:
  std::string_view name() const override { return "manual"; }
  std::string_view summary() const override { return "Print the manual page (roff)"; }
  std::vector<Example> examples() const override { return {{"manual | man -l -", "read it"}}; }
  void declare_options(CLI::App& app) override { program_ = app.get_parent(); }
  ExitCode run(const CommonOptions&) override {
    Output::open("-").write(manual_page(*program_));
    return ExitCode::fine;
  }

 private:
  const CLI::App* program_ = nullptr;
};

}  // namespace

std::unique_ptr<Command> make_completion_command() {
  return std::make_unique<CompletionCommand>();
}
std::unique_ptr<Command> make_manual_command() {
  return std::make_unique<ManualCommand>();
}

}  // namespace copse
