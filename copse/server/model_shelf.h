// The models that a server works with, by name; replaced as a whole while it runs.
//
// A request takes the shelf as it is when it begins and keeps it: a reload in the middle changes
// nothing for it, and the old models go when the last request that holds them ends.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "copse/copse.h"

namespace copse::server {

// What stands behind -m: the name of a bundle, "en", or files, "en=tagger.copse,parser.copse"; files
// alone have the name of the first.
struct ModelSpec {
  std::string name;
  std::vector<std::string> paths;  // or names

  // Throws usage_error for an empty name or path.
  static ModelSpec from(std::string_view text);
};

class ServedModel {
 public:
  ServedModel(std::string name, Pipeline pipeline)
      : name_(std::move(name)), pipeline_(std::move(pipeline)) {}

  const std::string& name() const { return name_; }
  const Pipeline& pipeline() const { return pipeline_; }
  // Each null if there is none.
  const SentenceTagger* tagger() const { return pipeline_.tagger(); }
  const SentenceParser* dependencies() const { return pipeline_.dependency_parser(); }
  const PhraseParser* phrases() const { return pipeline_.phrase_parser(); }
  const Reranker* reranker() const { return pipeline_.reranker(); }
  // "tokenizer", "tagger", ...: what it has.
  std::vector<std::string> components() const;

 private:
  std::string name_;
  Pipeline pipeline_;
};

using ServedModels = std::vector<std::shared_ptr<const ServedModel>>;  // the first is the default

// Names of bundles are looked up (model_path.h). Throws usage_error for two models of one name, and as
// Pipeline::load does.
ServedModels load_models(const std::vector<ModelSpec>& specs);

class ModelShelf {
 public:
  // Calls `load` now and for each reload.
  explicit ModelShelf(std::function<ServedModels()> load);

  std::shared_ptr<const ServedModels> current() const;
  // Loads all models again. Throws what loading throws, and then leaves everything as it was.
  void reload();

 private:
  std::function<ServedModels()> load_;
  mutable std::mutex mutex_;
  std::shared_ptr<const ServedModels> models_;
};

// The model of that name, the default for an empty one. Throws Refusal 404 naming those there are.
std::shared_ptr<const ServedModel> model_named(const ServedModels& models, std::string_view name);

}  // namespace copse::server
