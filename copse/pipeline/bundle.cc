#include "copse/pipeline/bundle.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace copse {
namespace {

bool has_place(std::string_view kind) {
  return std::ranges::find(kBundleParts, kind) != kBundleParts.end();
}

std::string names_of_parts() {
  std::string names;
  for (const std::string_view part : kBundleParts) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", part);
  }
  return names;
}

}  // namespace

ModelWriter make_bundle(const std::vector<ModelFile>& components, const nlohmann::json& about) {
  if (components.empty()) throw usage_error("a bundle needs at least one component");
  nlohmann::json config = about;
  config["components"] = nlohmann::json::array();
  for (const std::string_view part : kBundleParts) {
    const auto is_part = [&](const ModelFile& file) { return file.kind() == part; };
    const auto count = std::ranges::count_if(components, is_part);
    if (count > 1) throw data_error(fmt::format("a bundle has one {}, not {}", part, count));
    if (count == 1) config["components"].push_back(part);
  }
  for (const ModelFile& file : components) {
    if (has_place(file.kind())) continue;
    throw data_error(fmt::format("a model of kind \"{}\" has no place in a bundle", file.kind()),
                     {file.name(), 0, 0}, "expected one of " + names_of_parts());
  }
  ModelWriter writer(kBundleKind, config);
  for (const std::string_view part : kBundleParts) {
    for (const ModelFile& file : components) {
      if (file.kind() == part) writer.add(part, std::string(file.bytes()));
    }
  }
  return writer;
}

std::string bundle_name(const ModelFile& bundle) {
  const auto name = bundle.config().find("name");
  if (name == bundle.config().end()) return {};
  if (!name->is_string()) throw bundle.damaged("config", "has a name that is no text");
  return name->get<std::string>();
}

std::vector<ModelFile> bundle_files(const ModelFile& bundle,
                                    const std::vector<std::string_view>& wanted) {
  bundle.require_kind(kBundleKind);
  std::vector<ModelFile> files;
  for (const std::string_view part : kBundleParts) {
    if (!bundle.has(part)) continue;
    if (!wanted.empty() && std::ranges::find(wanted, part) == wanted.end()) continue;
    files.push_back(bundle.nested(part));
    if (files.back().kind() != part) {
      throw bundle.damaged(part, fmt::format("holds a model of kind \"{}\"", files.back().kind()));
    }
  }
  for (const ModelFile::Section& section : bundle.sections()) {
    if (section.name == "config" || has_place(section.name)) continue;
    throw data_error(
        fmt::format("the bundle has a component '{}' that is not known here", section.name),
        {bundle.name(), 0, 0}, "use a newer copse");
  }
  return files;
}

}  // namespace copse
