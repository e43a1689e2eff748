// n-best lists of tag sequences as text, one block per sentence:
//
//   COUNT ID
//   log-probability
//   word/TAG word/TAG ...
//   (COUNT times)
//   (an empty line)
#pragma once

#include <string>
#include <string_view>

#include "copse/tag/tagger.h"

namespace copse {

// The block of a sentence with "ID" still to be put in. Joint labels have their columns joined by
// "+". Log-probabilities are exact under the model: over all tag sequences they sum to one.
std::string tag_list(const SequenceTagger& tagger, const Sentence& sentence, bool entities, int k,
                     TagScratch& scratch);
std::string with_id(std::string_view block, std::string_view id);

}  // namespace copse
