#include "copse/model/provenance.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "copse/base/version.h"

namespace copse {

nlohmann::json provenance(const nlohmann::json& options, const std::vector<DataSource>& data,
                          const nlohmann::json& figures) {
  nlohmann::json sources = nlohmann::json::array();
  for (const DataSource& source : data) {
    sources.push_back({{"role", source.role},
                       {"name", source.name},
                       {"checksum", source.checksum},
                       {"sentences", source.sentences},
                       {"words", source.words}});
  }
  return {{"program", fmt::format("copse {}", version())},
          {"options", options},
          {"data", std::move(sources)},
          {"figures", figures}};
}

}  // namespace copse
