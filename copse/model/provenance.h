// Where a model comes from, kept inside it: program version, options, seed, the data by its
// checksum, and the figures reached. No time and no path, so that the same training gives the same
// bytes anywhere.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "copse/base/data_source.h"

namespace copse {

// The object stored under "provenance".
nlohmann::json provenance(const nlohmann::json& options, const std::vector<DataSource>& data,
                          const nlohmann::json& figures);

}  // namespace copse
