// Which spans of a sentence are phrases, and of which label, as told by the words around their edges
// (after Hall, Durrett & Klein 2014): for each label a logistic model of its own,
//     P(X over [i,j) | sentence) = 1 / (1 + exp(-s)),   s = sum over features f of [i,j) : w[f,X].
// The head-driven model does not see the words next to a phrase, nor its length; these do not see
// heads. As experts of one tree their word is multiplied: a tree with X over [i,j) instead of without
// gains exp(weight * s), the odds to a power.
//
// Trained by AdaGrad on all spans of the trees; features are those of spans that are phrases.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "copse/constituency/generative/preparation.h"
#include "copse/constituency/generative/span_features.h"

namespace copse::generative {

struct SpanModelOptions {
  int epochs = 4;        // 0: no model of spans
  double weight = 0.25;  // of its odds against the head-driven model
  double rate = 0.1;     // of AdaGrad
  int least_count = 0;   // of a feature with a label; 0: 1 for small treebanks, 2 for large ones
  double most = 8;       // odds count no more than exp of this
};

class SpanModel {
 public:
  SpanModel() = default;
  SpanModel(const std::vector<PreparedTree>& trees, const LabelSet& labels, const Lexicon& lexicon,
            const SpanModelOptions& options);

  bool empty() const { return weights_.empty(); }
  // What each label over each span adds to the score of a tree: weight * log odds,
  // (i * n + j - 1) * phrases + phrase for the span [i,j) of the n tokens that the model of trees sees.
  std::vector<float> bonus(const SpanSentence& sentence, const std::vector<int>& tokens) const;
  // The log odds themselves. Of every label over every span of the tokens that the model of trees sees:
  // (i * n + j - 1) * phrases + phrase.
  std::vector<float> scores(const SpanSentence& sentence, const std::vector<int>& tokens) const;

 private:
  friend class ParserFile;
  class Trainer;
  struct Weight {
    std::uint32_t phrase;
    float value;
  };
  struct Slot {
    EventKey key = 0;
    std::uint32_t first = 0, end = 0;  // of its weights
  };

  void index(std::span<const EventKey> keys, std::span<const std::uint32_t> sizes);
  void find_all(std::span<const EventKey> keys, std::vector<const Slot*>& found) const;
  const Slot* find(EventKey key) const {
    for (std::size_t i = key & (slots_.size() - 1); slots_[i].end > 0;
         i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i].key == key) return &slots_[i];
    }
    return nullptr;
  }

  std::size_t phrases_ = 0;
  SpanModelOptions options_;
  std::vector<Slot> slots_;      // a power of two of them, at most half in use; end 0: free
  std::vector<Weight> weights_;  // of each feature together
};

}  // namespace copse::generative
