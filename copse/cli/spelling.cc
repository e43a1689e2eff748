#include "copse/cli/spelling.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "copse/base/suggest.h"

namespace copse {
namespace {

// Names of one thing; each command declares one of them and takes them all.
constexpr std::array<std::array<std::string_view, 3>, 5> kSameThing = {{
    {"--passes", "--epochs", "--iterations"},
    {"--features", "--templates", ""},
    {"--nbest", "-k", ""},
    {"--max-words", "--longest", "--max-length"},
    {"--prune-weights", "--prune", ""},
}};

std::vector<const ::CLI::App*> commands_of(const ::CLI::App& app) {
  return app.get_subcommands([](const ::CLI::App* each) { return !each->get_name().empty(); });
}

const ::CLI::App* command_named(const ::CLI::App& app, std::string_view name) {
  for (const ::CLI::App* each : commands_of(app)) {
    if (each->get_name() == name) return each;
  }
  return nullptr;
}

bool is_option(std::string_view argument) {
  return argument.size() > 1 && argument[0] == '-' && argument != "--" &&
         (argument[1] < '0' || argument[1] > '9');
}

std::string name_of(std::string_view argument) {
  return std::string(argument.substr(0, argument.find('=')));
}

// The innermost command that the words name, from the program down.
std::vector<const ::CLI::App*> chain_of(const ::CLI::App& program,
                                        const std::vector<std::string>& arguments) {
  std::vector<const ::CLI::App*> chain{&program};
  for (const std::string& argument : arguments) {
    if (const ::CLI::App* next = command_named(*chain.back(), argument)) chain.push_back(next);
  }
  return chain;
}

// Options of the command and, since they fall through, of the commands around it.
bool knows(const std::vector<const ::CLI::App*>& chain, const std::string& name) {
  return std::any_of(chain.begin(), chain.end(), [&](const ::CLI::App* app) {
    return app->get_option_no_throw(name) != nullptr;
  });
}

std::vector<std::string> option_names(const std::vector<const ::CLI::App*>& chain) {
  std::vector<std::string> names;
  for (auto app = chain.rbegin(); app != chain.rend(); ++app) {
    for (const ::CLI::Option* option : (*app)->get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
  }
  return names;
}

}  // namespace

std::vector<std::string> with_known_spellings(const ::CLI::App& program,
                                              std::vector<std::string> arguments) {
  if (!arguments.empty() && arguments[0] == "help") {
    arguments.erase(arguments.begin());
    arguments.emplace_back("--help");
  }
  const auto chain = chain_of(program, arguments);
  for (std::string& argument : arguments) {
    if (argument == "--") break;
    const std::string name = name_of(argument);
    if (!is_option(argument) || knows(chain, name)) continue;
    for (const auto& names : kSameThing) {
      if (std::find(names.begin(), names.end(), name) == names.end()) continue;
      for (const std::string_view other : names) {
        if (other.empty() || !knows(chain, std::string(other))) continue;
        const bool one_letter = !other.starts_with("--");
        std::string value = argument.substr(name.size());
        if (one_letter && value.starts_with('=')) value.erase(0, 1);  // "--nbest=5" is "-k5"
        argument = std::string(other) + value;
        break;
      }
    }
  }
  return arguments;
}

std::string unknown_command(const ::CLI::App& program, const std::vector<std::string>& arguments) {
  const ::CLI::App* app = &program;
  std::string path = "copse";
  for (const std::string& argument : arguments) {
    if (is_option(argument) || commands_of(*app).empty()) return {};
    const ::CLI::App* next = command_named(*app, argument);
    if (next == nullptr) {
      std::vector<std::string> names;
      for (const ::CLI::App* each : commands_of(*app)) names.push_back(each->get_name());
      if (app == &program) names.emplace_back("help");
      const auto meant = nearest(argument, names);
      return fmt::format("there is no '{} {}'{}", path, argument,
                         meant ? fmt::format("; did you mean '{} {}'?", path, *meant) : "");
    }
    path += ' ' + argument;
    app = next;
  }
  return {};
}

std::string unknown_option(const ::CLI::App& program, const std::vector<std::string>& arguments) {
  const auto chain = chain_of(program, arguments);
  for (const std::string& argument : arguments) {
    if (argument == "--") break;
    const std::string name = name_of(argument);
    if (!name.starts_with("--") || knows(chain, name)) continue;
    const auto meant = nearest(name, option_names(chain));
    return fmt::format("unknown option {}{}", name,
                       meant ? fmt::format("; did you mean {}?", *meant) : "");
  }
  return {};
}

}  // namespace copse
