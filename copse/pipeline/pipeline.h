// From text to trees: a tokeniser and the models that come after it, from a bundle or one by one.
//
//   const Pipeline nlp = copse::load("en");
//   const Document document = nlp("She saw the man with the telescope.");
//   for (const ParsedSentence& sentence : document) std::cout << sentence.tree.str();
//
// A pipeline that was put together is immutable: any number of threads may use it at once. Copies
// share what was loaded.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "copse/base/stop.h"
#include "copse/pipeline/document.h"
#include "copse/pipeline/model.h"

namespace copse {

// What is asked of a pipeline. What it has no component for is passed over.
struct PipelineOptions {
  bool tags = true;          // false: the input has its own, whatever the tagger would say
  bool dependencies = true;  // false: no heads and relations
  bool phrases = true;       // false: no phrase-structure trees
  bool rerank = true;        // false: the phrase-structure parser's own order
  // Tags that the input has stay and guide those of the other words; a sentence with all of them is
  // not tagged at all.
  bool keep_tags = false;
  // Heads, relations and demands (tree_demands.h) that the input has are met by all trees.
  bool constraints = false;
  int n_best = 1;             // trees of each kind
  bool marginals = false;     // probabilities of arcs, trees and brackets
  bool mbr = false;           // trees of the most expected right parts; needs n_best = 1
  int most_words = 20'000;    // a longer sentence gets no tree but a problem
  int longest_phrases = 250;  // a longer one gets no phrase-structure tree
  Stop stop = {};             // throws Stopped, between sentences and inside of them
  int threads = 1;            // 0: all cores. The result is the same for any number
  TokenizedTextOptions text = {};
};

// What the trees of one sentence must have, beside what its own columns say with `constraints`.
struct SentenceDemands {
  // Of the arc to a word (from 1); heads: 0 is the root.
  struct Arc {
    int word = 0;
    std::optional<int> head, not_head;
    std::string relation;  // empty: any
  };
  std::vector<Arc> arcs;            // dependency trees
  std::vector<SpanDemand> phrases;  // phrase-structure trees
};

class Pipeline {
 public:
  // The rules for English, and nothing after them.
  Pipeline();
  // Models of any kind in the order in which they are to work, bundles among them; a tokeniser is
  // used instead of the rules for English.
  static Pipeline load(const std::vector<std::string>& paths);
  // The components of a bundle, or a single model. `parts`: those that are wanted (kBundleParts),
  // all if empty.
  static Pipeline from(const ModelFile& file, const std::vector<std::string_view>& parts = {});

  Pipeline& set_tokenizer(std::shared_ptr<const TextTokenizer> tokenizer);
  // A tokeniser takes the place of the one before; anything else is the next step.
  Pipeline& add(const Model& model);

  // The sentences of a text, annotated by every step. What goes wrong with a sentence is its
  // `problem`; only Stopped and errors of usage are thrown.
  Document operator()(std::string text, const PipelineOptions& options = {}) const;
  // Sentences that are there already, with all that they bring.
  Document operator()(std::vector<Entry> entries, const PipelineOptions& options = {}) const;
  // One sentence of a document.
  void annotate(ParsedSentence& sentence, const PipelineOptions& options = {},
                const SentenceDemands& demands = {}) const;
  // The same for columns and trees alone; throws the first problem.
  void annotate(std::vector<Entry>& entries, int threads = 1) const;

  const std::string& name() const { return name_; }  // of the bundle; empty if it is none
  // What the bundle says of itself as a JSON object; "{}" if it is none.
  const std::string& record() const { return record_; }
  const std::vector<Model>& steps() const { return steps_; }
  const TextTokenizer& tokenizer() const { return *tokenizer_; }
  // The first of that kind; null if there is none.
  const SentenceTagger* tagger() const;
  const SentenceParser* dependency_parser() const;
  const PhraseParser* phrase_parser() const;
  const Reranker* reranker() const;
  // Throw data_error that names the pipeline and what it lacks.
  const SentenceParser& require_dependency_parser() const;
  const PhraseParser& require_phrase_parser() const;

 private:
  // In their order; they are loaded beside one another.
  Pipeline& add_all(const std::vector<ModelFile>& files);
  Document annotated(Document document, const PipelineOptions& options) const;
  void tag(const Model& model, ParsedSentence& sentence, const PipelineOptions& options) const;
  void parse_dependencies(const SentenceParser& parser, ParsedSentence& sentence,
                          const PipelineOptions& options, const SentenceDemands& demands) const;
  void parse_phrases(const PhraseParser& parser, ParsedSentence& sentence,
                     const PipelineOptions& options, const SentenceDemands& demands) const;
  void rerank(ParsedSentence& sentence) const;

  std::string name_, record_ = "{}";
  std::shared_ptr<const TextTokenizer> tokenizer_;
  std::vector<Model> steps_;
};

// The pipeline of a bundle by its name ("en") or its path (model_path.h). Throws machine_error when
// there is none, data_error for what is no model or damaged.
Pipeline load(const std::string& name_or_path);

}  // namespace copse
