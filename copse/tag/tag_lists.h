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
#include "copse/treebank/candidates.h"

namespace copse {

// The block of a sentence with "ID" still to be put in. Joint labels have their columns joined by
// "+". Log-probabilities are exact under the model: over all tag sequences they sum to one.
std::string tag_list(const SequenceTagger& tagger, const Sentence& sentence, bool entities, int k,
                     TagScratch& scratch);
std::string with_id(std::string_view block, std::string_view id);

// The same list as JSON, "id" left out: [{"log_probability": -3.2, "tags": ["DT", "NN"]}, ...]
std::string tag_list_json(const SequenceTagger& tagger, const Sentence& sentence, bool entities,
                          int k, TagScratch& scratch);

// The same list as candidates with the words of the sentence, for rerankers; blanks in words become
// no-break spaces.
Candidates tag_candidates(const TaggerPart& part, const Sentence& sentence, bool entities, int k,
                          TagScratch& scratch);
// Scores the candidates against the labels that the sentence has. Entities: F1 (1 where there is
// nothing and nothing was found) times the number of gold entities, at least 1, types only where
// the candidates have some; other tags: the number of right words.
void grade_tags(Candidates& list, const TaggerPart& part, const Sentence& gold, bool entities);

}  // namespace copse
