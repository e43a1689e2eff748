#include "copse/server/model_shelf.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "copse/server/http.h"

namespace copse::server {

ModelSpec ModelSpec::from(std::string_view text) {
  ModelSpec spec;
  const auto equals = text.find('=');
  if (equals != std::string_view::npos) {
    spec.name = text.substr(0, equals);
    text.remove_prefix(equals + 1);
  }
  while (true) {
    const auto comma = text.find(',');
    spec.paths.emplace_back(text.substr(0, comma));
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  for (const std::string& path : spec.paths) {
    if (path.empty()) throw usage_error("a model without a file; expected NAME=FILE,FILE or FILE");
  }
  if (equals == std::string_view::npos) {
    spec.name = std::filesystem::path(spec.paths.front()).stem().string();
  }
  if (spec.name.empty()) throw usage_error("a model without a name; expected NAME=FILE,FILE");
  return spec;
}

std::vector<std::string> ServedModel::components() const {
  std::vector<std::string> names = {"tokenizer"};
  if (tagger() != nullptr) names.emplace_back("tagger");
  if (dependencies() != nullptr) names.emplace_back("dependency");
  if (phrases() != nullptr) names.emplace_back("constituency");
  if (reranker() != nullptr) names.emplace_back("reranker");
  return names;
}

ServedModels load_models(const std::vector<ModelSpec>& specs) {
  ServedModels models;
  std::set<std::string> names;
  for (const ModelSpec& spec : specs) {
    if (!names.insert(spec.name).second) {
      throw usage_error(fmt::format("two models are called '{}'", spec.name),
                        "give each a name of its own: NAME=FILE");
    }
    std::vector<std::string> paths;
    for (const std::string& path : spec.paths) paths.push_back(ModelPath::standard().find(path));
    models.push_back(std::make_shared<ServedModel>(spec.name, Pipeline::load(paths)));
  }
  return models;
}

ModelShelf::ModelShelf(std::function<ServedModels()> load)
    : load_(std::move(load)), models_(std::make_shared<const ServedModels>(load_())) {}

std::shared_ptr<const ServedModels> ModelShelf::current() const {
  const std::lock_guard lock(mutex_);
  return models_;
}

void ModelShelf::reload() {
  auto fresh = std::make_shared<const ServedModels>(load_());
  const std::lock_guard lock(mutex_);
  models_.swap(fresh);
}

std::shared_ptr<const ServedModel> model_named(const ServedModels& models, std::string_view name) {
  std::string names;
  for (const auto& model : models) {
    if (name.empty() || model->name() == name) return model;
    names += (names.empty() ? "" : ", ") + model->name();
  }
  if (models.empty()) throw Refusal(503, "no_model", "the server has no model");
  throw Refusal(404, "no_such_model",
                fmt::format("there is no model '{}'; there are: {}", name, names));
}

}  // namespace copse::server
