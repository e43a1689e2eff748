// From text to trees: a tokeniser and the models that come after it.
//
//   const Pipeline nlp = Pipeline::load({"tagger.copse", "parser.copse"});
//   for (const Entry& entry : nlp("She saw the man with the telescope.")) ...
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "copse/pipeline/model.h"

namespace copse {

class Pipeline {
 public:
  // The rules for English, and nothing after them.
  Pipeline();
  // Models of any kind in the order in which they are to work; a tokeniser among them is used
  // instead of the rules for English.
  static Pipeline load(const std::vector<std::string>& paths);

  Pipeline& set_tokenizer(std::shared_ptr<const TextTokenizer> tokenizer);
  // A tokeniser takes the place of the one before; anything else is the next step.
  Pipeline& add(const Model& model);

  // The sentences of a text, annotated by every step.
  std::vector<Entry> operator()(std::string text, int threads = 1) const;
  // Sentences that are there already. The same result for any number of threads (0: all cores).
  void annotate(std::vector<Entry>& entries, int threads = 1) const;

 private:
  std::shared_ptr<const TextTokenizer> tokenizer_;
  std::vector<Model> steps_;
};

}  // namespace copse
