// A service over small models, made once, and requests to it.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "copse/copse.h"
#include "copse/server/service.h"
#include "tests/source_dir.h"

namespace copse::server_testing {

using server::Request;
using server::Response;

inline std::string fixture(const std::string& name) {
  return source_dir() + "/fixtures/" + name;
}

// A folder that is gone when the program ends.
class ModelFolder {
 public:
  ModelFolder()
      : path_(std::filesystem::temp_directory_path() /
              ("copse-server-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_);
    train();
  }
  ModelFolder(const ModelFolder&) = delete;
  ModelFolder& operator=(const ModelFolder&) = delete;
  ~ModelFolder() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  void train() const {
    TaggerRecipe tagger;
    tagger.files.train = fixture("english.conllu");
    tagger.training.sequence.epochs = 1;
    train_tagger_model(tagger, file("tagger.copse"));
    DependencyRecipe parser;
    parser.files.train = parser.files.dev = fixture("english.conllu");
    parser.training.kind.order = Factorisation::first;
    parser.training.learner.passes = 1;
    parser.training.selection.min_count = 1;
    train_dependency_model(parser, file("parser.copse"));
    const auto data = read_training_treebank({fixture("english.mrg")}, accept_phrase_trees());
    train_phrase_parser(TreeData{data.entries, data.source}, nullptr, {})
        .file()
        .save(file("phrases.copse"));
  }

  std::filesystem::path path_;
};

inline const ModelFolder& folder() {
  static const ModelFolder kFolder;
  return kFolder;
}

inline server::ModelShelf& shelf() {
  static server::ModelShelf kShelf([] {
    return server::load_models({{"english-small",
                                 {folder().file("tagger.copse"), folder().file("parser.copse"),
                                  folder().file("phrases.copse")}},
                                {"tags", {folder().file("tagger.copse")}}});
  });
  return kShelf;
}

inline Request get(std::string path, std::string query = "") {
  Request out;
  out.method = "GET";
  out.path = std::move(path);
  out.query = std::move(query);
  return out;
}

inline Request post(std::string path, std::string type, std::string body) {
  Request out;
  out.method = "POST";
  out.path = std::move(path);
  out.headers = {{"content-type", std::move(type)}};
  out.body = std::move(body);
  return out;
}

inline Request post_json(std::string path, const nlohmann::json& body) {
  return post(std::move(path), "application/json", body.dump());
}

inline nlohmann::json json_of(const Response& response) {
  return nlohmann::json::parse(response.body);
}

// The word that a refusal has for programs.
inline std::string code_of(const Response& response) {
  return json_of(response).at("error").at("code");
}

}  // namespace copse::server_testing
