// Model files with one thing changed and every checksum right, as somebody could make them.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "copse/model/model_file.h"

namespace copse::model_testing {

// The model with a section replaced, or left out.
inline std::string with_section(const std::string& model, const std::string& name,
                                const std::optional<std::string>& bytes) {
  const ModelFile file = ModelFile::from_bytes(model, "model");
  nlohmann::json config = file.config();
  config.erase("kind");
  ModelWriter writer(file.kind(), config);
  for (const auto& section : file.sections()) {
    if (section.name == "config") continue;
    if (section.name != name) {
      writer.add(section.name, std::string(file.text(section.name)));
    } else if (bytes) {
      writer.add(name, *bytes);
    }
  }
  return writer.bytes();
}

// With another configuration, as ModelFile::config() gives it but without the kind.
inline std::string with_config(const ModelFile& file, const nlohmann::json& config) {
  ModelWriter writer(file.kind(), config);
  for (const auto& section : file.sections()) {
    if (section.name != "config") writer.add(section.name, std::string(file.text(section.name)));
  }
  return writer.bytes();
}

// With one value of the configuration replaced; `pointer` as in "/options/least_share".
inline std::string with_config(const std::string& model, const std::string& pointer,
                               const nlohmann::json& value) {
  const ModelFile file = ModelFile::from_bytes(model, "model");
  nlohmann::json config = file.config();
  config.erase("kind");
  config[nlohmann::json::json_pointer(pointer)] = value;
  return with_config(file, config);
}

// With a value of a section that is JSON replaced.
inline std::string with_setting(const std::string& model, const std::string& section,
                                const std::string& name, const nlohmann::json& value) {
  const ModelFile file = ModelFile::from_bytes(model, "model");
  nlohmann::json settings = nlohmann::json::parse(file.text(section));
  settings[name] = value;
  return with_section(model, section, settings.dump());
}

// With element `index` of an array replaced.
template <class T>
std::string with_element(const std::string& model, const std::string& section, std::size_t index,
                         const T& value) {
  const ModelFile file = ModelFile::from_bytes(model, "model");
  const auto old = file.array<T>(section);
  std::vector<T> values(old.begin(), old.end());
  values.at(index) = value;
  return with_section(
      model, section,
      std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)));
}

}  // namespace copse::model_testing
