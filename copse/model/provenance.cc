#include "copse/model/provenance.h"

#include <fmt/core.h>
#include <xxhash.h>

#include <nlohmann/json.hpp>

#include "copse/base/version.h"

namespace copse {

std::string checksum_text(std::string_view bytes) {
  return fmt::format("{:016x}", XXH3_64bits(bytes.data(), bytes.size()));
}

std::string file_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

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
