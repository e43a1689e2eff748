// The command line described to other programs, made from the declarations of the options
// themselves: completion scripts for shells and the manual page.
#pragma once

#include <string>

#include "copse/cli/options.h"

namespace copse {

// `shell` is bash, zsh or fish; throws usage_error for any other.
std::string completion_script(const CLI::App& program, const std::string& shell);

// copse(1) in roff.
std::string manual_page(const CLI::App& program);

}  // namespace copse
