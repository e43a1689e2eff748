#include "copse/cli/help_text.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "copse/cli/terminal.h"
#include "copse/treebank/formats.h"

namespace copse {
namespace {

constexpr std::size_t kColumn = 30;
constexpr std::size_t kWidth = 100;

// CLI11 puts what it checks behind the name of the type: "INT:INT in [1 - 1000]", "TEXT:{a,b}".
std::string checks_of(const ::CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t colon = type.find(':');
  return colon == std::string::npos ? std::string() : type.substr(colon + 1);
}

std::string trimmed_number(const std::string& text) {
  if (text.find('.') == std::string::npos) return text;
  const std::size_t last = text.find_last_not_of('0');
  return text.substr(0, text[last] == '.' ? last : last + 1);
}

bool is_huge(const std::string& number) {
  return std::strtod(number.c_str(), nullptr) >= 1e6;
}

std::string heading(const std::string& text) {
  return color_wanted(STDOUT_FILENO) ? fmt::format("\x1b[1m{}\x1b[0m", text) : text;
}

// `text` wrapped into the column of meanings, the first line behind what stands there already.
void append_wrapped(const std::string& text, std::size_t used, std::string& out) {
  std::size_t column = used;
  if (column + 2 > kColumn) {
    out += '\n';
    column = 0;
  }
  out.append(kColumn - column, ' ');
  column = kColumn;
  std::istringstream words(text);
  std::string word;
  bool first = true;
  while (words >> word) {
    if (!first && column + 1 + word.size() > kWidth) {
      out += '\n' + std::string(kColumn, ' ');
      column = kColumn;
      first = true;
    }
    if (!first) out += ' ';
    column += word.size() + (first ? 0 : 1);
    out += word;
    first = false;
  }
  out += '\n';
}

std::string names_of(const ::CLI::Option& option) {
  std::string names;
  const auto add = [&](const std::string& name) { names += (names.empty() ? "" : ", ") + name; };
  for (const std::string& name : option.get_snames()) add("-" + name);
  for (const std::string& name : option.get_lnames()) add("--" + name);
  return names;
}

bool is_common(const std::string& group) {
  return group == "Common options" || group == "Limits";
}

}  // namespace

std::vector<std::string> values_of(const ::CLI::Option& option) {
  std::vector<std::string> values;
  const std::string type = option.get_type_name();
  if (type == "FORMAT") {
    const bool input = option.get_name() == "--from";
    for (const FormatInfo& info : all_formats()) {
      if (!input || info.readable) values.emplace_back(info.name);
    }
    return values;
  }
  const std::string checks = checks_of(option);
  const std::size_t open = checks.find('{');
  const std::size_t close = checks.find('}', open);
  if (open == std::string::npos || close == std::string::npos) return values;
  std::istringstream list(checks.substr(open + 1, close - open - 1));
  for (std::string value; std::getline(list, value, ',');) values.push_back(value);
  return values;
}

std::string range_of(const ::CLI::Option& option) {
  const std::string checks = checks_of(option);
  const std::size_t open = checks.find("in [");
  const std::size_t middle = checks.find(" - ", open);
  const std::size_t close = checks.find(']', middle);
  if (open == std::string::npos || middle == std::string::npos || close == std::string::npos) {
    return {};
  }
  const std::string low = trimmed_number(checks.substr(open + 4, middle - open - 4));
  const std::string high = trimmed_number(checks.substr(middle + 3, close - middle - 3));
  if (is_huge(high)) return low == "0" ? "" : fmt::format("at least {}", low);
  return fmt::format("{} to {}", low, high);
}

std::string value_name_of(const ::CLI::Option& option) {
  if (option.get_type_size() == 0) return {};
  const std::string type = option.get_type_name();
  std::string base = type.substr(0, type.find(':'));
  if (base == "INT" || base == "UINT" || base == "FLOAT") return "N";
  if (base == "TEXT" && !values_of(option).empty()) return "NAME";
  return base;
}

std::string HelpFormatter::make_option(const ::CLI::Option* option, bool is_positional) const {
  std::string out = "  " + (is_positional ? option->get_name(true, false) : names_of(*option));
  if (!is_positional) {
    if (const std::string value = value_name_of(*option); !value.empty()) out += ' ' + value;
  }
  std::string meaning = option->get_description();
  const auto add = [&](const std::string& note) { meaning += fmt::format(" ({})", note); };
  const auto values = values_of(*option);
  if (!values.empty() && option->get_type_name() != "FORMAT") {
    std::string list;
    for (const std::string& value : values) list += (list.empty() ? "" : ", ") + value;
    add(list);
  }
  if (const std::string range = range_of(*option); !range.empty()) add(range);
  if (option->get_required()) {
    add("required");
  } else if (option->get_type_size() != 0 && !option->get_default_str().empty()) {
    add("default: " + option->get_default_str());
  }
  append_wrapped(meaning, out.size(), out);
  return out;
}

std::string HelpFormatter::make_group(std::string group, bool is_positional,
                                      std::vector<const ::CLI::Option*> options) const {
  std::string out = "\n" + heading(group) + ":\n";
  for (const ::CLI::Option* option : options) out += make_option(option, is_positional);
  return out;
}

std::string HelpFormatter::groups_of(const ::CLI::App* app) const {
  std::string out;
  const auto add = [&](const ::CLI::App* from, bool common) {
    for (const std::string& group : from->get_groups()) {
      if (group.empty() || is_common(group) != common) continue;
      const auto options = from->get_options([&](const ::CLI::Option* option) {
        return option->get_group() == group && option->nonpositional();
      });
      if (!options.empty()) out += make_group(group, false, options);
    }
  };
  add(app, false);
  // The common options belong to the command ("copse eval") and work for its parts, too.
  const ::CLI::App* parent = app->get_parent();
  const bool part = parent != nullptr && parent->get_parent() != nullptr;
  add(part ? parent : app, true);
  return out;
}

std::string HelpFormatter::make_help(const ::CLI::App* app, std::string name,
                                     ::CLI::AppFormatMode mode) const {
  return make_description(app) + make_usage(app, std::move(name)) + make_positionals(app) +
         groups_of(app) + make_subcommands(app, mode) + '\n' + make_footer(app);
}

std::string HelpFormatter::make_usage(const ::CLI::App* app, std::string name) const {
  // The whole path ("copse train dependency"), whatever the caller takes for the name.
  std::string path = app->get_name();
  for (const ::CLI::App* at = app->get_parent(); at != nullptr; at = at->get_parent()) {
    path.insert(0, at->get_name() + ' ');
  }
  if (app->get_parent() == nullptr) path = name.empty() ? path : name;
  std::string out = "\n" + heading("Usage") + ": " + path;
  if (!app->get_subcommands({}).empty()) {
    out += app->get_parent() == nullptr ? " COMMAND" : " WHAT";
  }
  out += " [OPTIONS]";
  for (const ::CLI::Option* option :
       app->get_options([](const ::CLI::Option* each) { return each->get_positional(); })) {
    out += ' ' + make_option_usage(option);
  }
  return out + "\n";
}

std::string HelpFormatter::make_footer(const ::CLI::App* app) const {
  const std::string footer = app->get_footer();
  if (footer.empty()) return {};
  constexpr std::string_view kExamples = "Examples:";
  if (!footer.starts_with(kExamples)) return footer + "\n";
  return heading("Examples") + ":" + footer.substr(kExamples.size()) + "\n";
}

}  // namespace copse
