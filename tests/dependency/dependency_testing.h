// Small treebanks for the tests of this room: fixtures, and sentences written in place.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "copse/base/error.h"
#include "copse/base/input.h"
#include "copse/dependency/part_templates.h"
#include "copse/dependency/trainer.h"
#include "copse/model/model_file.h"
#include "copse/treebank/sentence.h"
#include "copse/treebank/treebank.h"
#include "tests/source_dir.h"

namespace copse::dependency_testing {

struct WordLine {
  std::string form;
  std::string upos = "_";
  std::string xpos = "_";
  int head = DependencyTree::kNoHead;
  std::string label = "_";
  std::string feats = "_";
  std::string lemma = "_";
};

inline Sentence sentence_of(const std::vector<WordLine>& lines) {
  Sentence sentence;
  for (const WordLine& line : lines) {
    sentence.add_word(line.form);
    const int word = sentence.words();
    sentence.set(word, Column::lemma, line.lemma);
    sentence.set(word, Column::upos, line.upos);
    sentence.set(word, Column::xpos, line.xpos);
    sentence.set(word, Column::feats, line.feats);
    sentence.set(word, Column::deprel, line.label);
  }
  for (int word = 1; word <= sentence.words(); ++word) {
    sentence.set_head(word, lines[static_cast<std::size_t>(word) - 1].head);
  }
  return sentence;
}

inline std::vector<Sentence> read_sentences(const std::string& path, std::size_t most = SIZE_MAX) {
  std::vector<Sentence> sentences;
  for (Entry& entry : read_treebank(path, Format::conllu)) {
    if (sentences.size() == most) break;
    sentences.push_back(std::move(entry.sentence));
  }
  return sentences;
}

inline std::vector<Sentence> fixture(const std::string& name, std::size_t most = SIZE_MAX) {
  return read_sentences(source_dir() + "/fixtures/" + name, most);
}

inline std::string read_text(const std::string& path) {
  return Input::open(path).read_all(std::size_t{1} << 20U);
}

// "default" or "pruner"
inline PartTemplates built_in_templates(const std::string& name) {
  const std::string file = "/copse/dependency/templates/" + name + ".templates";
  return parse_part_templates(read_text(source_dir() + file), name);
}

// Options that learn the fixtures quickly: every feature counts, two passes, one thread.
inline DependencyTraining quick_training(Factorisation order = Factorisation::first) {
  DependencyTraining options;
  options.kind.order = order;
  options.learner.passes = 2;
  options.selection = {1, 1, 20};
  options.pruner.threshold = 2e-3;
  options.pruner.most_count = 1;
  return options;
}

inline std::string bytes_of(const TrainedParser& trained) {
  return trained.model(nullptr).bytes();
}

inline TrainedParser train(const std::vector<Sentence>& train, const std::vector<Sentence>& dev,
                           const DependencyTraining& options) {
  return train_dependency_parser(train, dev, options, {});
}

inline DependencyParser parser_from(const std::string& bytes) {
  return DependencyParser::load(ModelFile::from_bytes(bytes, "test.copse"));
}
inline DependencyParser parser_of(const TrainedParser& trained) {
  return parser_from(bytes_of(trained));
}

// What is thrown, as "kind: message"; empty if nothing is.
template <class Call>
std::string failure_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    const char* const kind = error.kind() == ErrorKind::data    ? "data: "
                             : error.kind() == ErrorKind::usage ? "usage: "
                                                                : "machine: ";
    return kind + std::string(error.what());
  }
  return {};
}

}  // namespace copse::dependency_testing
