// What the maker of a model wants to be known of it (language, licence, date): kept in the model
// beside its provenance. Only what was said, never what the clock or the machine says, so that the
// same training gives the same bytes.
#pragma once

#include <string>

#include "copse/cli/options.h"

namespace copse {

struct ModelNotes {
  std::string language, licence, date, author;

  void declare_options(CLI::App& app);
  bool empty() const;
  // Writes them into the model at `path`.
  void add_to(const std::string& path) const;
};

}  // namespace copse
