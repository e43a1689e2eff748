// Candidate tags of the words of a sentence with their probabilities in it, by a sequence tagger
// that was trained on the same trees: it sees the neighbours and the spelling of a word, where the
// lexicon knows the word alone.
#pragma once

#include <string>
#include <vector>

#include "copse/constituency/generative/labels.h"
#include "copse/constituency/generative/lexicon.h"
#include "copse/constituency/generative/preparation.h"
#include "copse/tag/sequence_tagger.h"

namespace copse::generative {

struct SentenceTaggerOptions {
  int epochs = 5;          // of the perceptron; 0: no tagger
  double weight = 0.3;     // of the tagger's word against the lexicon's
  double least_share = 0;  // tags of a smaller share of the best are left out
  double prune = 0;        // weights of at most this magnitude are left out of the model
};

class SentenceTagger {
 public:
  // Is there something to choose: two tags or more?
  static bool can_learn(const std::vector<PreparedTree>& trees);
  // Every twentieth sentence is kept apart to make probabilities of the tagger's margins.
  SentenceTagger(const std::vector<PreparedTree>& trees, const LabelSet& labels,
                 const SentenceTaggerOptions& options);
  SentenceTagger(SequenceTagger tagger, const LabelSet& labels,
                 const SentenceTaggerOptions& options);
  const SequenceTagger& tagger() const { return tagger_; }

  // Weighs the candidates of the readings, which are those of the words numbered `tokens`:
  //     spelling, emission *= (P(t | sentence) / P(t | w)) ^ weight
  // and leaves out those that the tagger does not believe in.
  void weigh(const std::vector<std::string>& words, const std::vector<int>& tokens,
             std::vector<WordReading>& readings, std::vector<LabelId>& best,
             TagScratch& scratch) const;

 private:
  SentenceTaggerOptions options_;
  SequenceTagger tagger_;
  std::vector<LabelId> label_;  // of the tagger's labels
};

}  // namespace copse::generative
