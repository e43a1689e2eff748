// Model files of any kind, loaded and ready for use.
//
//   const Model model = Model::load("parser.copse");
//   const Parse parse = model.dependency_parser().parse(sentence, {.k = 5});
//
// A model may be copied freely: copies share what was loaded.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "copse/constituency/phrase_parser.h"
#include "copse/model/model_file.h"
#include "copse/pipeline/sentence_models.h"
#include "copse/rerank/reranker.h"

namespace copse {

class Model {
 public:
  // Throws data_error for what is no model, or damaged, or of a kind that is not known here.
  static Model load(const std::string& path);
  // The bytes of a model file, under a name for messages.
  static Model from_bytes(std::string_view bytes, const std::string& name = "model");
  // A file that is open already, or a component of a bundle.
  static Model from(const ModelFile& file);

  const std::string& kind() const { return kind_; }  // "tagger", "dependency", ...
  const std::string& name() const { return name_; }  // of the file
  // What the model says of itself as a JSON object: options, data, figures.
  const std::string& record() const { return record_; }

  // Each throws data_error naming the kind when the model is of another one.
  const TextTokenizer& tokenizer() const;
  const SentenceTagger& tagger() const;
  const SentenceParser& dependency_parser() const;
  const PhraseParser& phrase_parser() const;
  const Reranker& reranker() const;
  // A tagger or a parser.
  const PipelineStep& step() const;
  bool is_tokenizer() const { return tokenizer_ != nullptr; }
  std::shared_ptr<const TextTokenizer> shared_tokenizer() const { return tokenizer_; }

 private:
  Model() = default;

  std::string kind_, name_, record_;
  std::shared_ptr<const TextTokenizer> tokenizer_;
  std::shared_ptr<const SentenceTagger> tagger_;
  std::shared_ptr<const SentenceParser> parser_;
  std::shared_ptr<const PhraseParser> phrases_;
  std::shared_ptr<const Reranker> reranker_;
  std::shared_ptr<const PipelineStep> step_;
};

// The rule tokeniser for English, which needs no model.
std::shared_ptr<const TextTokenizer> english_tokenizer(const RuleTokenizerOptions& options = {});

}  // namespace copse
