// What a loaded model does for a sentence, behind small interfaces: the same for a program, a
// server, a binding and the tests, whatever the model is made of.
//
//   TextTokenizer    text -> sentences
//   SentenceTagger   a sentence gets tags, features, lemmas, entity labels
//   SentenceParser   a sentence gets heads and labels; k best trees, probabilities, reasons
//   PhraseParser     phrase-structure trees (constituency/phrase_parser.h)
//
// All are immutable and may be used by any number of threads at once: the memory that the work
// needs is kept inside and taken by whoever is at work.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "copse/constituency/phrase_parser.h"
#include "copse/dependency/annotate.h"
#include "copse/dependency/explain.h"
#include "copse/dependency/parser.h"
#include "copse/tag/tag_options.h"
#include "copse/tokenize/options.h"
#include "copse/tokenize/text_blocks.h"
#include "copse/treebank/format.h"

namespace copse {

// Something that fills in an entry: one step of a pipeline.
class PipelineStep {
 public:
  virtual ~PipelineStep() = default;
  // Throws data_error, and leaves the entry as it was, when it cannot.
  virtual void annotate(Entry& entry) const = 0;
};

class TextTokenizer {
 public:
  virtual ~TextTokenizer() = default;
  // Sentences with "# text", where paragraphs begin, and the white space around tokens.
  virtual std::vector<Sentence> tokenize(std::string text,
                                         const TokenizedTextOptions& options = {}) const = 0;
  // One block of a longer text, numbered from 1; `document` is its name in the first block.
  virtual std::vector<Sentence> tokenize_block(const TextBlock& block, const std::string& document,
                                               const TokenizedTextOptions& options = {}) const = 0;
};

// A sequence of tags, one for each word; joint tags have their columns joined by "+".
struct ScoredTags {
  std::vector<std::string> tags;
  double log_probability = 0;
};

class SentenceTagger : public PipelineStep {
 public:
  virtual void tag(Sentence& sentence, const TagOptions& options = {}) const = 0;
  // The same, and the probability of each tag in MISC.
  virtual void tag_with_probabilities(Sentence& sentence, const TagOptions& options = {}) const = 0;
  // The k best, best first. `column`: "upos", "xpos", ...; empty: the only one that is learnt.
  virtual std::vector<ScoredTags> k_best(const Sentence& sentence, int k,
                                         std::string_view column = {}) const = 0;
  void annotate(Entry& entry) const override;
};

class SentenceParser : public PipelineStep {
 public:
  virtual Parse parse(const Sentence& sentence,
                      const DependencyParseOptions& options = {}) const = 0;
  // Heads and labels of one of its trees.
  virtual DependencyTree tree_of(const ParsedTree& parsed) const = 0;
  // Writes one of its trees to the sentence, with what the columns ask for.
  virtual void fill(Sentence& sentence, const ParsedTree& parsed,
                    const TreeColumns& columns = {}) const = 0;
  // The labels by number; none if the parser knows none.
  virtual const std::vector<std::string>& labels() const = 0;

  // Why each word, or one, hangs where it hangs: against the best other head, or a given one.
  virtual std::vector<ArcExplanation> explain(const Sentence& sentence,
                                              std::optional<int> word = std::nullopt,
                                              std::optional<int> head = std::nullopt) const = 0;
  // An explanation in words: a line for each of them; a page for one, with its `top` weightiest
  // templates; as a JSON array, with every feature.
  virtual std::string lines(const Sentence& sentence,
                            const std::vector<ArcExplanation>& explained) const = 0;
  virtual std::string page(const Sentence& sentence, const ArcExplanation& explained,
                           std::size_t top = 12) const = 0;
  virtual std::string json(const Sentence& sentence,
                           const std::vector<ArcExplanation>& explained) const = 0;

  void annotate(Entry& entry) const override;
};

// An entry's tree by a phrase-structure parser, as a step of a pipeline. The parser must outlive
// it.
class PhraseStep : public PipelineStep {
 public:
  explicit PhraseStep(const PhraseParser& parser, bool use_tags = false)
      : parser_(parser), use_tags_(use_tags) {}
  void annotate(Entry& entry) const override;

 private:
  const PhraseParser& parser_;
  bool use_tags_;
};

}  // namespace copse
