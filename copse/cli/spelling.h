// The command line as it was meant: old names of options, "copse help", and what to say of words
// that are neither a command nor an option.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace copse {

// "help parse" is "parse --help"; an option that the command knows under another of its names
// ("--epochs" for "--passes") gets the name it knows.
std::vector<std::string> with_known_spellings(const ::CLI::App& program,
                                              std::vector<std::string> arguments);

// What is wrong with the words that should be commands, with the nearest one there is; empty if
// nothing.
std::string unknown_command(const ::CLI::App& program, const std::vector<std::string>& arguments);
// The same for the first option that the command does not have.
std::string unknown_option(const ::CLI::App& program, const std::vector<std::string>& arguments);

}  // namespace copse
