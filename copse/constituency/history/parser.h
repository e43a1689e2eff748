// The history parser (Henderson & Titov 2005): words in, trees out, the next step of a derivation
// predicted by a network that reads all steps before.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "copse/constituency/history/search.h"
#include "copse/constituency/history/steps.h"
#include "copse/constituency/history/vocabulary.h"
#include "copse/constituency/phrase_parser.h"
#include "copse/tag/sequence_tagger.h"

namespace copse::history {

// Longer sentences get a flat tree.
inline constexpr int kLongest = 2000;

// Memory of one thread.
struct Workspace {
  Search search;
  TagScratch tags;
};

class HistoryParser {
 public:
  struct Parts {
    StepOptions steps;
    int longest_chain = 1;
    std::shared_ptr<const Vocabulary> vocabulary;
    Networks networks;  // of one shape; probabilities are the mean of theirs
    SequenceTagger tagger;
  };

  explicit HistoryParser(Parts parts)
      : parts_(std::move(parts)), steps_(*parts_.vocabulary, parts_.steps, parts_.longest_chain) {}

  const Parts& parts() const { return parts_; }
  const StepMaker& steps() const { return steps_; }
  // Word clusters are those of the tagger; null if it has none.
  const WordClusters* clusters() const { return parts_.tagger.model().clusters.get(); }

  // Thread-safe with a workspace per thread. Log-probabilities are of tree and words, or for models
  // that look ahead of the tree given the words.
  PhraseAnswer parse(const WordsToParse& sentence, const PhraseQuestion& question,
                     const SearchOptions& search, Workspace& workspace) const;

 private:
  Parts parts_;
  StepMaker steps_;
};

}  // namespace copse::history
