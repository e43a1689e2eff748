// How --help looks: names, value, meaning, default and range of each option in words.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace copse {

// Where one may choose among names: those of a list, of the formats, of the shells.
std::vector<std::string> values_of(const ::CLI::Option& option);
// "1 to 1000", "at least 1", "0 or more"; empty where there is no range.
std::string range_of(const ::CLI::Option& option);
// What stands for the value: "FILE", "N"; empty for a flag.
std::string value_name_of(const ::CLI::Option& option);

class HelpFormatter : public ::CLI::Formatter {
 public:
  std::string make_help(const ::CLI::App* app, std::string name,
                        ::CLI::AppFormatMode mode) const override;
  std::string make_group(std::string group, bool is_positional,
                         std::vector<const ::CLI::Option*> options) const override;
  std::string make_option(const ::CLI::Option* option, bool is_positional) const override;
  std::string make_usage(const ::CLI::App* app, std::string name) const override;
  std::string make_footer(const ::CLI::App* app) const override;

 private:
  // The groups of options, those that every command has at the end.
  std::string groups_of(const ::CLI::App* app) const;
};

}  // namespace copse
