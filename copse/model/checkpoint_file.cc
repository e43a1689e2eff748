#include "copse/model/checkpoint_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "copse/base/error.h"

namespace copse {

std::optional<ModelFile> CheckpointFile::open() const {
  if (!is_wanted() || !std::filesystem::exists(path_)) return std::nullopt;
  ModelFile file = ModelFile::open(path_);
  file.require_kind(kind_);
  const auto identity = file.config().find("identity");
  if (identity == file.config().end() || !identity->is_string()) {
    throw file.damaged("config", "is not that of a checkpoint");
  }
  if (identity->get<std::string>() != identity_) throw refusal();
  return file;
}

Error CheckpointFile::refusal() const {
  return usage_error(fmt::format("{} was made with other data or options", path_),
                     "remove it to begin anew");
}

ModelWriter CheckpointFile::begin(nlohmann::json config) const {
  config["identity"] = identity_;
  return {kind_, config};
}

void CheckpointFile::save(const ModelWriter& writer) const {
  if (is_wanted()) writer.save(path_);
}

}  // namespace copse
