// Small models for the tests of this room, made once.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "copse/base/error.h"
#include "copse/base/input.h"
#include "copse/constituency/phrase_training.h"
#include "copse/pipeline/dependency_recipe.h"
#include "copse/pipeline/tagger_recipe.h"
#include "copse/treebank/treebank.h"
#include "tests/source_dir.h"

namespace copse::pipeline_testing {

inline std::string fixture(const std::string& name) {
  return source_dir() + "/fixtures/" + name;
}

inline std::vector<Sentence> sentences(const std::string& name, std::size_t most) {
  std::vector<Sentence> out;
  for (Entry& entry : read_treebank(fixture(name))) {
    if (out.size() < most) out.push_back(std::move(entry.sentence));
  }
  return out;
}

inline std::string bytes_of(const std::string& path) {
  return Input::open(path).read_all(std::size_t{1} << 28U);
}

// A folder that is gone when the program ends.
class Folder {
 public:
  Folder()
      : path_(std::filesystem::temp_directory_path() /
              ("copse-pipeline-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};
inline const Folder& folder() {
  static const Folder kFolder;
  return kFolder;
}

inline TaggerRecipe quick_tagger() {
  TaggerRecipe recipe;
  recipe.files.train = fixture("english.conllu");
  recipe.training.sequence.epochs = 2;
  return recipe;
}

inline DependencyRecipe quick_parser() {
  DependencyRecipe recipe;
  recipe.files.train = fixture("english.conllu");
  recipe.files.dev = fixture("english.conllu");
  recipe.training.kind.order = Factorisation::first;
  recipe.training.learner.passes = 2;
  recipe.training.selection.min_count = 1;
  return recipe;
}

inline const std::string& tagger_model() {
  static const std::string path = [] {
    const std::string made = folder().file("tagger.copse");
    train_tagger_model(quick_tagger(), made);
    return made;
  }();
  return path;
}
inline const std::string& parser_model() {
  static const std::string path = [] {
    const std::string made = folder().file("parser.copse");
    train_dependency_model(quick_parser(), made);
    return made;
  }();
  return path;
}

inline const std::string& phrase_model() {
  static const std::string path = [] {
    const auto data = read_training_treebank({fixture("english.mrg")}, accept_phrase_trees());
    const std::string made = folder().file("phrases.copse");
    train_phrase_parser(TreeData{data.entries, data.source}, nullptr, {}).file().save(made);
    return made;
  }();
  return path;
}

// What is thrown; empty if nothing is.
template <class Call>
std::string failure_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace copse::pipeline_testing
