#include "copse/cli/program.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <new>
#include <sstream>

#include "copse/base/output.h"
#include "copse/base/standard_streams.h"
#include "copse/base/version.h"
#include "copse/cli/commands.h"
#include "copse/cli/help_text.h"
#include "copse/cli/spelling.h"
#include "copse/cli/terminal.h"

namespace copse {
namespace {

constexpr const char* kDescription =
    "copse: text in, trees out. Treebanks, conversions, evaluation and parsing.\n"
    "'copse COMMAND --help' explains a command, with examples.";

int bad_usage(const std::string& message) {
  fmt::print(stderr, "{} {}\nTry 'copse --help' or 'copse COMMAND --help'.\n", error_mark(),
             message);
  return static_cast<int>(ExitCode::bad_usage);
}

// CLI11's own errors are usage errors, except --help and --version, which are answers.
int answer_parse_error(const ::CLI::App& program, const ::CLI::ParseError& error,
                       const std::vector<std::string>& arguments) {
  if (error.get_exit_code() == 0) {
    std::ostringstream text;
    program.exit(error, text, text);
    Output::open("-").write(text.str());
    return 0;
  }
  const std::string mistyped = unknown_option(program, arguments);
  return bad_usage(mistyped.empty() ? error.what() : mistyped);
}

int report(const std::string& message, ExitCode code) {
  fmt::print(stderr, "{} {}\n", error_mark(), message);
  return static_cast<int>(code);
}

int run_command(Command& command, const CommonOptions& common) {
  return static_cast<int>(command.run(common));
}

int parse_and_run(std::vector<std::string> arguments) {
  ::CLI::App program{kDescription, "copse"};
  program.formatter(std::make_shared<HelpFormatter>());
  program.set_version_flag("--version", fmt::format("copse {}", version()));
  program.require_subcommand(1);
  program.failure_message(::CLI::FailureMessage::simple);
  CLI::App described(&program);
  CommonOptions common;
  auto commands = all_commands();
  std::vector<CLI::App*> apps;
  apps.reserve(commands.size());
  for (const auto& command : commands) apps.push_back(add_command(described, *command, common));
  arguments = with_known_spellings(program, std::move(arguments));
  if (const std::string wrong = unknown_command(program, arguments); !wrong.empty()) {
    return bad_usage(wrong);
  }
  try {
    auto reversed = arguments;
    std::reverse(reversed.begin(), reversed.end());
    program.parse(reversed);
  } catch (const ::CLI::ParseError& error) {
    return answer_parse_error(program, error, arguments);
  }
  for (std::size_t i = 0; i < apps.size(); ++i) {
    if (apps[i]->parsed()) return run_command(*commands[i], common);
  }
  return static_cast<int>(ExitCode::bad_usage);
}

}  // namespace

int run_program(int argc, const char* const* argv) {
  occupy_standard_descriptors();
  make_standard_error_safe();
  handle_signals();
  try {
    return parse_and_run({argv + std::min(argc, 1), argv + argc});
  } catch (const BrokenPipe&) {
    return static_cast<int>(ExitCode::machine);  // "| head": nobody wants to read about it
  } catch (const Error& error) {
    return report(message_of(error), static_cast<ExitCode>(error.exit_code()));
  } catch (const std::bad_alloc&) {
    return report("not enough memory", ExitCode::machine);
  } catch (const std::exception& error) {
    return report(error.what(), ExitCode::machine);
  }
}

}  // namespace copse
