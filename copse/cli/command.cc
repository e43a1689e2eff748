#include "copse/cli/command.h"

#include <fmt/core.h>

#include <algorithm>

namespace copse {
namespace {

void declare_common_options(CLI::App& app, CommonOptions& common) {
  const std::string group = "Common options";
  app.add_option("--threads", common.threads,
                 "Threads to use; 0 uses every core. The output does not depend on it")
      ->capture_default_str()
      ->check(CLI::Range(0, 1024))
      ->group(group);
  app.add_flag("--quiet,-q", common.quiet, "No progress bar, no warnings; errors only")
      ->group(group);
  app.add_flag("--strict", common.strict,
               "End at the first unusable sentence instead of reporting it and going on")
      ->group(group);
  const std::string limits = "Limits";
  app.add_option("--max-words", common.limits.max_words, "Longest sentence, in words")
      ->capture_default_str()
      ->check(CLI::Range(1, 100'000'000))
      ->group(limits);
  app.add_option("--max-depth", common.limits.max_depth, "Deepest nesting of brackets")
      ->capture_default_str()
      ->check(CLI::Range(1, 100'000'000))
      ->group(limits);
  app.add_option("--max-line-bytes", common.limits.max_line_bytes, "Longest line, in bytes")
      ->capture_default_str()
      ->check(CLI::Range(std::size_t{1}, std::size_t{2'000'000'000}))
      ->group(limits);
  app.add_option("--max-sentence-bytes", common.limits.max_sentence_bytes,
                 "Largest sentence, in bytes; at most this much of the input is held per block")
      ->capture_default_str()
      ->check(CLI::Range(std::size_t{1}, std::size_t{2'000'000'000}))
      ->group(limits);
}

}  // namespace

std::string message_of(const Error& error) {
  if (error.hint().empty() && error.message().find("cannot tell the format") != std::string::npos) {
    return error
        .with_hint(
            "name it with --from; --from text reads one sentence per line, its words separated by "
            "blanks ('copse tokenize' makes such sentences of running text)")
        .what();
  }
  constexpr std::string_view kRaise = "raise max_";
  const std::string& hint = error.hint();
  if (!hint.starts_with(kRaise) || hint.find(' ', kRaise.size()) != std::string::npos) {
    return error.what();
  }
  std::string option = hint.substr(kRaise.find(' ') + 1);
  std::replace(option.begin(), option.end(), '_', '-');
  return error.with_hint("raise it with --" + option).what();
}

std::string render_examples(const Command& command) {
  std::string text = "Examples:";
  for (const Example& example : command.examples()) {
    text += fmt::format("\n  # {}\n  copse {}", example.purpose, example.command);
  }
  return text;
}

CLI::App* add_command(CLI::App& program, Command& command, CommonOptions& common) {
  CLI::App* app =
      program.add_subcommand(std::string(command.name()), std::string(command.summary()));
  app->footer(render_examples(command));
  command.declare_options(*app);
  declare_common_options(*app, common);
  return app;
}

}  // namespace copse
