// Joint tagging: the tags that a tagger would have given a word instead of the one it chose. The beam
// tries them all, and a tag's probability counts beside the score of the trees that it is in.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "copse/constituency/incremental/grammar.h"
#include "copse/tag/sequence_tagger.h"

namespace copse::incremental {

struct TaggingOptions {
  double share = 0;    // of the chosen tag's probability that others need; 0: they are not tried
  double weight = 10;  // of the logarithm of a tag's probability over that of the chosen one
};

struct TagCandidate {
  std::string tag;
  double log_ratio = 0;  // ln of its probability over that of the chosen tag
};
// Of a word, the chosen tag first.
using TagCandidates = std::vector<TagCandidate>;

// `chosen`: what the tagger's tag() says of the input. Probabilities are those of each word alone.
std::vector<TagCandidates> tag_candidates(const SequenceTagger& tagger, const TagInput& input,
                                          std::span<const Label> chosen, double share,
                                          TagScratch& scratch);

// A tag that a word may get.
struct TagReading {
  LabelId tag = kNull;
  double score = 0;  // added to that of hypotheses
};
using Readings = std::vector<TagReading>;

// One for each candidate; a chosen tag that the grammar does not know is taken for its usual_tag().
Readings readings_of(const TagCandidates& candidates, const Grammar& grammar, double weight);

}  // namespace copse::incremental
