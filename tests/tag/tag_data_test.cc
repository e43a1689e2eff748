// Accuracy on real treebanks; the bars lie a little below what is reached.
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>

#include "copse/tag/tagger_training.h"
#include "copse/treebank/tree_to_sentence.h"
#include "copse/treebank/treebank.h"

namespace copse {
namespace {

std::optional<std::string> data_folder() {
  const char* const folder = std::getenv("COPSE_DATA");
  if (folder == nullptr) return std::nullopt;
  return folder;
}

std::vector<Sentence> read(const std::string& path, Format format) {
  std::vector<Sentence> sentences;
  for (Entry& entry : read_treebank(path, format)) {
    sentences.push_back(entry.tree.empty() ? std::move(entry.sentence)
                                           : sentence_from_tree(entry.tree));
  }
  return sentences;
}

nlohmann::json train_and_score(const std::vector<Sentence>& train, const std::vector<Sentence>& dev,
                               const TaggerTrainingOptions& options) {
  return tagger_figures(train_tagger(train, dev, options).tagger, dev, 0);
}

TEST(TagData, WsjSample) {
  const auto folder = data_folder();
  if (!folder) GTEST_SKIP() << "COPSE_DATA is not set";
  const auto train = read(*folder + "/wsj-sample/train.mrg", Format::ptb);
  const auto dev = read(*folder + "/wsj-sample/dev.mrg", Format::ptb);
  EXPECT_GE(train_and_score(train, dev, {}).at("xpos").get<double>(), 96.4);
}

TEST(TagData, EnglishWebTreebank) {
  const auto folder = data_folder();
  if (!folder) GTEST_SKIP() << "COPSE_DATA is not set";
  const auto train = read(*folder + "/ewt/train.conllu", Format::conllu);
  const auto dev = read(*folder + "/ewt/dev.conllu", Format::conllu);
  TaggerTrainingOptions options;
  options.threads = 0;
  options.sequence.epochs = 6;
  const auto figures = train_and_score(train, dev, options);
  EXPECT_GE(figures.at("upos").get<double>(), 95.0);
  EXPECT_GE(figures.at("xpos").get<double>(), 94.5);
  EXPECT_GE(figures.at("feats").get<double>(), 95.0);
  EXPECT_GE(figures.at("lemma").get<double>(), 97.0);
}

TEST(TagData, EmergingEntities) {
  const auto folder = data_folder();
  if (!folder) GTEST_SKIP() << "COPSE_DATA is not set";
  const auto train = read(*folder + "/ner/wnut17.train", Format::columns);
  const auto dev = read(*folder + "/ner/wnut17.dev", Format::columns);
  TaggerTrainingOptions options;
  options.entities = true;
  options.sequence.table = tag_feature_table("entities");
  EXPECT_GE(train_and_score(train, dev, options).at("f1").get<double>(), 30.0);
}

}  // namespace
}  // namespace copse
