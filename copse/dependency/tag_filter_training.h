// Learning the tables of the tag filter, by AdaGrad on the log-likelihood of the right heads among
// those that the length filter leaves, and how far from a word's best head a right one may lie.
#pragma once

#include <cstdint>
#include <vector>

#include "copse/dependency/length_filter.h"
#include "copse/dependency/tag_filter.h"
#include "copse/dependency/training_sentences.h"

namespace copse {

struct TagFilterTraining {
  double lost = 0.001;  // share of right arcs that may be lost
  int passes = 3;
  double rate = 0.2;
  double variance = 1;
  int held_out = 10;  // one sentence of so many tells how near an arc must be
  std::uint64_t seed = 1;
};

// Looks at fine tags where they are no more than kMostTags, else at coarse ones. Empty where those
// are more, too, and too few sentences are held out to tell a loss as small as that.
TagFilter learn_tag_filter(const std::vector<TrainingSentence>& sentences,
                           const LengthFilter& lengths, const TagFilterTraining& training);

}  // namespace copse
