#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "copse/base/version.h"
#include "copse/cli/describe.h"
#include "copse/cli/help_text.h"

namespace copse {
namespace {

// Text for roff: backslashes, hyphens and leading dots lose their meaning.
std::string roff(std::string_view text) {
  std::string out;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
    line_start = c == '\n';
  }
  return out;
}

std::string option_heading(const ::CLI::Option& option) {
  std::string names;
  const auto add = [&](const std::string& name) {
    names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", roff(name));
  };
  for (const std::string& name : option.get_snames()) add("-" + name);
  for (const std::string& name : option.get_lnames()) add("--" + name);
  if (names.empty()) return fmt::format("\\fI{}\\fR", roff(option.get_name()));
  if (option.get_type_size() == 0) return names;
  return fmt::format("{} \\fI{}\\fR", names, roff(value_name_of(option)));
}

void add_command(const ::CLI::App& app, const std::string& path, std::string& out) {
  out += fmt::format(".SS \"copse {}\"\n{}\n", roff(path), roff(app.get_description()));
  for (const ::CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    out += fmt::format(".TP\n{}\n{}", option_heading(*option), roff(option->get_description()));
    if (!option->get_default_str().empty()) {
      out += fmt::format(" (default: {})", roff(option->get_default_str()));
    }
    out += "\n";
  }
  if (!app.get_footer().empty()) {
    out += fmt::format(".PP\n.nf\n{}\n.fi\n", roff(app.get_footer()));
  }
  for (const ::CLI::App* sub : app.get_subcommands({})) {
    add_command(*sub, path + " " + sub->get_name(), out);
  }
}

}  // namespace

std::string manual_page(const CLI::App& described) {
  const ::CLI::App& program = described.real();
  std::string out = fmt::format(".TH COPSE 1 \"\" \"copse {}\" \"User Commands\"\n", version());
  out += ".SH NAME\ncopse \\- statistical parsing: text in, trees out\n";
  out += ".SH SYNOPSIS\n.B copse\n.I COMMAND\n[\\fIOPTIONS\\fR] [\\fIFILE\\fR ...]\n";
  out += ".SH DESCRIPTION\n" + roff(program.get_description()) + "\n.SH COMMANDS\n";
  for (const ::CLI::App* app : program.get_subcommands({})) {
    if (!app->get_group().empty()) add_command(*app, app->get_name(), out);
  }
  out +=
      ".SH EXIT STATUS\n.TP\n0\nfine\n.TP\n1\nbad data: some sentences were unusable\n"
      ".TP\n2\nbad usage\n.TP\n3\nthe machine: no such file, disk full, no memory, broken pipe\n";
  return out;
}

}  // namespace copse
