// What every command of `copse` is made of. A command declares its options once (they become
// --help, shell completion and the man page) and runs; the rest is done for it: common options,
// error messages, exit codes.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "copse/cli/options.h"
#include "copse/treebank/format.h"

namespace copse {

// Options that every command has.
struct CommonOptions {
  int threads = 0;
  bool quiet = false;
  bool strict = false;
  Limits limits;
};

struct Example {
  std::string_view command;  // without the leading "copse "
  std::string_view purpose;
};

enum class ExitCode { fine = 0, bad_data = 1, bad_usage = 2, machine = 3 };

class Command {
 public:
  virtual ~Command() = default;

  virtual std::string_view name() const = 0;
  virtual std::string_view summary() const = 0;  // one line
  virtual std::vector<Example> examples() const = 0;
  virtual void declare_options(CLI::App& app) = 0;
  // Throws Error; returns bad_data when it finished but some sentences were unusable.
  virtual ExitCode run(const CommonOptions& common) = 0;
};

// An error as the command line says it: where the library names a setting ("raise max_words") the
// option of that name.
std::string message_of(const Error& error);

// The examples as --help shows them.
std::string render_examples(const Command& command);

// Makes the sub-command in `program`; `common` receives the common options.
CLI::App* add_command(CLI::App& program, Command& command, CommonOptions& common);

}  // namespace copse
