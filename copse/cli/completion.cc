#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <vector>

#include "copse/base/error.h"
#include "copse/cli/describe.h"
#include "copse/cli/help_text.h"

namespace copse {
namespace {

std::vector<const ::CLI::App*> commands_of(const ::CLI::App& program) {
  return program.get_subcommands([](const ::CLI::App* app) { return !app->get_group().empty(); });
}

// "--from --to -o --output ..."
std::string option_names(const ::CLI::App& app) {
  std::string names;
  for (const ::CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_snames()) names += fmt::format(" -{}", name);
    for (const std::string& name : option->get_lnames()) names += fmt::format(" --{}", name);
  }
  return names.empty() ? names : names.substr(1);
}

std::string names_of(const std::vector<const ::CLI::App*>& apps) {
  std::string names;
  for (const ::CLI::App* app : apps) names += (names.empty() ? "" : " ") + app->get_name();
  return names;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// The option before the word that is typed: "--to" has names to choose from.
void add_bash_values(const ::CLI::App& app, const std::string& path, std::string& out) {
  for (const ::CLI::Option* option : app.get_options()) {
    const std::string values = joined(values_of(*option));
    if (values.empty()) continue;
    std::string patterns;
    for (const std::string& name : option->get_lnames()) {
      patterns += fmt::format("{}\"{} --{}\"", patterns.empty() ? "" : "|", path, name);
    }
    if (!patterns.empty()) out += fmt::format("    {}) words=\"{}\" ;;\n", patterns, values);
  }
  for (const ::CLI::App* sub : commands_of(app)) {
    add_bash_values(*sub, path.empty() ? sub->get_name() : path + " " + sub->get_name(), out);
  }
}

// Commands may have commands of their own (copse eval dependency): "eval dependency" is a path.
void add_bash_cases(const ::CLI::App& app, const std::string& path, std::string& out) {
  const auto inner = commands_of(app);
  out += fmt::format("    \"{}\") words=\"{} {}\" ;;\n", path, names_of(inner), option_names(app));
  for (const ::CLI::App* sub : inner) {
    add_bash_cases(*sub, path.empty() ? sub->get_name() : path + " " + sub->get_name(), out);
  }
}

// Finds the longest path of commands typed so far that has an entry below.
constexpr std::string_view kBashBeforeCases = R"script(# bash completion for copse
_copse() {
  local current="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" path="" words="" word whole
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) path="${path:+$path }$word" ;; esac
  done
  whole="$path"
  while :; do
    case "$whole $before" in
)script";

constexpr std::string_view kBashBetween = R"script(    *) words="" ;;
    esac
    if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$current")); return; fi
    case "$whole" in *" "*) whole="${whole% *}" ;; *) break ;; esac
  done
  while :; do
    case "$path" in
)script";

constexpr std::string_view kBashAfterCases = R"script(    *) words="" ;;
    esac
    if [ -n "$words" ] || [ -z "$path" ]; then break; fi
    case "$path" in *" "*) path="${path% *}" ;; *) path="" ;; esac
  done
  case "$current" in
    -*) ;;
    *) words="$(printf '%s\n' $words | grep -v '^-') $(compgen -f -- "$current")" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o filenames -F _copse copse
)script";

std::string bash_script(const ::CLI::App& program) {
  std::string script(kBashBeforeCases);
  add_bash_values(program, "", script);
  script += kBashBetween;
  add_bash_cases(program, "", script);
  script += kBashAfterCases;
  return script;
}

std::string zsh_script(const ::CLI::App& program) {
  return "#compdef copse\nautoload -U +X bashcompinit && bashcompinit\n" + bash_script(program);
}

std::string fish_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

void add_fish_lines(const ::CLI::App& app, const std::string& condition, std::string& out) {
  for (const ::CLI::App* sub : commands_of(app)) {
    out += fmt::format("complete -c copse -n {} -a {} -d {}\n", fish_quoted(condition),
                       sub->get_name(), fish_quoted(sub->get_description()));
    add_fish_lines(*sub, fmt::format("__fish_seen_subcommand_from {}", sub->get_name()), out);
  }
  for (const ::CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      const std::string values = joined(values_of(*option));
      out += fmt::format("complete -c copse -n {} -l {} -d {}{}\n", fish_quoted(condition), name,
                         fish_quoted(option->get_description()),
                         values.empty() ? "" : " -x -a " + fish_quoted(values));
    }
  }
}

std::string fish_script(const ::CLI::App& program) {
  std::string out = "# fish completion for copse: copse completion fish | source\n";
  add_fish_lines(program, "__fish_use_subcommand", out);
  return out;
}

}  // namespace

std::string completion_script(const CLI::App& program, const std::string& shell) {
  if (shell == "bash") return bash_script(program.real());
  if (shell == "zsh") return zsh_script(program.real());
  if (shell == "fish") return fish_script(program.real());
  throw usage_error(fmt::format("unknown shell '{}'; expected bash, zsh or fish", shell));
}

}  // namespace copse
