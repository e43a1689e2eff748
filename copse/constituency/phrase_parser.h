// A phrase-structure parser, whatever its model: what a pipeline, a server, the maker of a
// reranker's lists and the tests hold.
//
//   const auto parser = load_phrase_parser(ModelFile::open("wsj.copse"));
//   const PhraseAnswer answer = parser->parse({{"dogs", "sleep"}}, {.k = 50});
//
// Parsers are immutable and may be used by any number of threads at once.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "copse/base/stop.h"
#include "copse/constituency/generative/search_options.h"
#include "copse/constituency/history/search_options.h"
#include "copse/constituency/incremental/search_options.h"
#include "copse/constituency/spinal/search_options.h"
#include "copse/dependency/explanation.h"
#include "copse/model/model_file.h"
#include "copse/treebank/dependency_tree.h"
#include "copse/treebank/format.h"
#include "copse/treebank/n_best_list.h"
#include "copse/treebank/tree_demands.h"

namespace copse {

inline constexpr std::string_view kConstituencyKind = "constituency";  // of model files

struct WordsToParse {
  std::vector<std::string> words;
  // Empty, or for each word its tag, "" for "not known". A tag that the model has never seen is
  // taken for not known.
  std::vector<std::string> tags = {};
};

// What is asked of a parser.
struct PhraseQuestion {
  int k = 1;                    // distinct trees, best first
  double within = 0;            // > 1: only trees at most so many times less probable than the best
  bool sum_duplicates = false;  // derivations of one tree add up
  bool brackets = false;        // also the probabilities of brackets and tags
  // The tree with the most expected brackets instead of the most probable one, for k = 1.
  bool expected_brackets = false;
  double bracket_cost = 0.5;  // what a bracket must be worth to be put into that tree
  // Brackets that all trees have, or none has; without a label: whatever theirs is. Of models that
  // say takes_spans().
  std::vector<SpanDemand> spans = {};
  Stop stop = {};      // asked every few milliseconds; throws Stopped
  bool steps = false;  // also what is known after each word
};

// What a parser that goes from left to right knows after a word.
struct ParseStep {
  PhraseTree tree;  // the best of the words so far, under TOP; its open phrases end with the last
  // ln of the share of the model's probability of the words so far that its hypotheses have, and by
  // how much the word made it less (in nats): from models that have a generative part.
  std::optional<double> log_probability = {};
  std::optional<double> surprisal = {};
};

// A bracket and its expected number in a tree of the sentence: its probability, unless a phrase
// stands over another of the same label and span.
struct Bracket {
  std::string label;       // of the treebank
  int begin = 0, end = 0;  // words [begin, end)
  double probability = 0;
};

struct PhraseAnswer {
  std::vector<ScoredTree> trees;  // distinct, best first; never empty for a sentence with words
  bool fallback = false;          // one flat tree, because the model found none
  std::vector<Bracket> brackets;  // if asked for: by begin, then larger first, then label
  std::vector<Bracket> tags;  // with them, of models that know: tags of words, by word, then tag
  // Of the first tree, from models that parse by them; labels as the model has them.
  std::optional<DependencyTree> dependencies = {};
  std::string note = {};  // what was given up to find a tree, in words
  // If asked for and the model has them: one for each word, then one for the end of the sentence.
  std::vector<ParseStep> steps = {};
};

// Why the words of a sentence hang where they hang, in the dependencies of the best tree.
struct PhraseExplanation {
  std::vector<ArcExplanation> words;
  std::vector<std::string> labels;  // by the numbers that the explanations have
  std::string note;                 // as in PhraseAnswer
};

class PhraseParser {
 public:
  virtual ~PhraseParser() = default;

  virtual std::string_view model() const = 0;  // "generative", ...
  // Is the model one of probabilities, so that brackets and expected brackets can be asked for?
  virtual bool has_probabilities() const = 0;
  // Are its trees found by dependencies, so that answers have them?
  virtual bool has_dependencies() const = 0;
  // Can it be told which brackets must be or must not be?
  virtual bool takes_spans() const { return false; }
  // Does it parse word by word, so that answers have steps?
  virtual bool has_steps() const { return false; }
  // Has the model seen the word in this spelling?
  virtual bool knows(std::string_view word) const = 0;
  // Throws usage_error for brackets or expected brackets of a model without probabilities.
  virtual PhraseAnswer parse(const WordsToParse& sentence,
                             const PhraseQuestion& question = {}) const = 0;
  // Of every word, or of one against the best other adjunction or the best to `head`. Throws
  // usage_error for a model without dependencies, and as spinal::AttachmentExplainer does.
  virtual PhraseExplanation explain(const WordsToParse& sentence,
                                    std::optional<int> word = std::nullopt,
                                    std::optional<int> head = std::nullopt) const;
  // The parser as a model file; `config` is completed with what loading needs.
  virtual ModelWriter file(nlohmann::json config) const = 0;
};

// How each kind of model searches.
struct PhraseSearch {
  generative::SearchOptions generative;
  history::SearchOptions history;
  incremental::SearchOptions incremental;
  spinal::SearchOptions spinal;
};

// The parser of a model file by what its config names. Throws data_error for files of another kind
// and for damaged ones.
std::unique_ptr<PhraseParser> load_phrase_parser(const ModelFile& file,
                                                 const PhraseSearch& search = {});

// The phrases that an entry demands by items of MISC (treebank/tree_demands.h). Throws data_error for
// demands that are none of phrases: heads, labels of arcs.
std::vector<SpanDemand> phrase_demands(const Entry& entry);

// The words of an entry's columns, or of its tree when there are none, traces left out; its tags
// (XPOS, or those of the tree) if `use_tags`. A word that the model knows only in its treebank
// spelling ("-LRB-" for "(") gets that spelling.
WordsToParse words_to_parse(const Entry& entry, bool use_tags, const PhraseParser& parser);

}  // namespace copse
