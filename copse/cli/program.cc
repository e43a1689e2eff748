#include "copse/cli/program.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <csignal>
#include <cstdio>
#include <new>

#include "copse/base/version.h"
#include "copse/cli/commands.h"

namespace copse {
namespace {

constexpr const char* kDescription =
    "copse: text in, trees out. Treebanks, conversions, evaluation and parsing.\n"
    "'copse COMMAND --help' explains a command, with examples.";

// CLI11's own errors are usage errors, except --help and --version, which are answers.
int answer_parse_error(const ::CLI::App& program, const ::CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return program.exit(error);
  fmt::print(stderr, "copse: {}\nTry 'copse --help' or 'copse COMMAND --help'.\n", error.what());
  return static_cast<int>(ExitCode::bad_usage);
}

int report(const std::exception& error, ExitCode code) {
  fmt::print(stderr, "copse: error: {}\n", error.what());
  return static_cast<int>(code);
}

int run_command(Command& command, const CommonOptions& common) {
  try {
    return static_cast<int>(command.run(common));
  } catch (const Error& error) {
    return report(error, static_cast<ExitCode>(error.exit_code()));
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "copse: error: not enough memory\n");
    return static_cast<int>(ExitCode::machine);
  } catch (const std::exception& error) {
    return report(error, ExitCode::machine);
  }
}

}  // namespace

int run_program(int argc, const char* const* argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is reported as a failed write, exit code 3
  ::CLI::App program{kDescription, "copse"};
  program.set_version_flag("--version", fmt::format("copse {}", version()));
  program.require_subcommand(1);
  program.failure_message(::CLI::FailureMessage::simple);
  CLI::App described(&program);
  CommonOptions common;
  auto commands = all_commands();
  std::vector<CLI::App*> apps;
  apps.reserve(commands.size());
  for (const auto& command : commands) apps.push_back(add_command(described, *command, common));
  try {
    program.parse(argc, argv);
  } catch (const ::CLI::ParseError& error) {
    return answer_parse_error(program, error);
  }
  for (std::size_t i = 0; i < apps.size(); ++i) {
    if (apps[i]->parsed()) return run_command(*commands[i], common);
  }
  return static_cast<int>(ExitCode::bad_usage);
}

}  // namespace copse
