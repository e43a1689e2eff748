// Models that were installed for the user (model_path.h): put there from a file, taken away again.
#pragma once

#include <string>

#include "copse/model/model_file.h"
#include "copse/pipeline/model_path.h"

namespace copse {

// Copies a bundle to the user's folder under a name: its own, or that of the file, unless one is
// given. The file is checked first, each of its components read; .zst and .gz are unpacked. Returns
// its path. Throws data_error for what is no bundle or damaged, usage_error for a name that is none
// (letters, digits, '-', '_' and '.').
std::string install_model(const std::string& file, const std::string& name = {});

// Removes what install_model() put there and returns its path. Throws usage_error for a model that
// is somewhere else, machine_error if there is none.
std::string remove_model(const std::string& name);

}  // namespace copse
