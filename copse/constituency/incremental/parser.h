// The incremental parser (Collins & Roark 2004): words in, trees out, left to right, in time linear in
// the length of the sentence.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "copse/base/huge_pages.h"
#include "copse/constituency/incremental/companion.h"
#include "copse/constituency/incremental/features.h"
#include "copse/constituency/incremental/grammar.h"
#include "copse/constituency/incremental/search.h"
#include "copse/constituency/phrase_parser.h"
#include "copse/constituency/spinal/lexicon.h"
#include "copse/tag/sequence_tagger.h"

namespace copse::incremental {

// Words as features see them: those of the spinal parser.
using spinal::Lexicon;
using spinal::WordViews;

struct ModelOptions {
  FeatureOptions features;
  TaggingOptions tagging;
  double generative_weight = 0;  // 0: no generative model
  double sharpness = 0.05;       // exp(sharpness * score) is in proportion to a tree's probability
};

// Memory of one thread.
struct Workspace {
  SentenceWords words;
  Search<FrozenWeights> search;
  TagScratch tags;
};

class IncrementalParser {
 public:
  struct Parts {
    ModelOptions options;
    std::shared_ptr<const Grammar> grammar;
    std::shared_ptr<const HeadRules> heads;
    Lexicon lexicon;
    Features features;
    std::shared_ptr<const Companion> companion;  // null: none
    SequenceTagger tagger;
    std::string weights;  // made by freeze()
  };

  // Throws data_error for weights that are none.
  explicit IncrementalParser(Parts parts);

  const Parts& parts() const { return parts_; }

  // Thread-safe with a workspace per thread.
  PhraseAnswer parse(const WordsToParse& sentence, const PhraseQuestion& question,
                     const SearchOptions& search, Workspace& workspace) const;

  // Word clusters are those of the tagger; null if it has none.
  const WordClusters* clusters() const { return parts_.tagger.model().clusters.get(); }
  // The tags of the words: those that are given and known, the tagger's for the others.
  std::vector<std::string> tags_of(const WordsToParse& sentence, TagScratch& scratch) const;
  ScoringModel<FrozenWeights> scoring(const SearchOptions& search) const;

 private:
  std::vector<TagCandidates> candidates_of(const WordsToParse& sentence,
                                           const SearchOptions& search, TagScratch& scratch) const;

  Parts parts_;
  HugePageCopy bytes_;
  FrozenWeights weights_;
};

// ln of the sum of the generative model's probabilities of all hypotheses of a beam.
double prefix_log_probability(std::span<const Hypothesis> beam);

// The probability of the words so far, step by step.
class Surprisals {
 public:
  explicit Surprisals(const IncrementalParser::Parts& parts) : parts_(parts) {}
  // After a word, "" for the end: fills in what is known, nothing without a generative model.
  void take(std::string_view word, std::span<const Hypothesis> beam, ParseStep& step);

 private:
  const IncrementalParser::Parts& parts_;
  double spelling_ = 0;  // of all words
  double before_ = 0;
};

// The tree of a hypothesis, phrases of the treebank; those that are open end with the last word.
PhraseTree tree_of(const Grammar& grammar, const Hypothesis& last,
                   std::span<const std::string> words);

}  // namespace copse::incremental
