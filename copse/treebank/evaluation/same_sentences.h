// Scores per word only make sense when both sides are the same words.
#pragma once

#include <span>
#include <string>

#include "copse/treebank/sentence.h"

namespace copse {

// One side of a comparison: the sentences of a file, in order, and its name for messages.
struct ScoredFile {
  std::span<const Sentence> sentences;
  std::string name;
};

// Throws data_error naming the first sentence, and its line, where the two sides differ in the
// number of words or in a FORM, or where one side has ended. Lines are counted as those of a file
// read from its first line on.
void check_same_sentences(const ScoredFile& gold, const ScoredFile& system);

// Line of the file on which the sentence's word stands.
std::size_t line_of_word(const ScoredFile& file, std::size_t sentence, int word);

}  // namespace copse
