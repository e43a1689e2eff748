// Does a line of words look like running text that nobody has cut into tokens? "The cat sat on the
// mat." is such a line, "The cat sat on the mat ." is not.
#pragma once

#include "copse/treebank/sentence.h"

namespace copse {

// Only when sure: no word is a punctuation mark by itself, and some word has one at its end where a
// token never has: a comma, colon, question or exclamation mark behind a letter; or a full stop at
// the end of the last word, unless that may be an abbreviation.
bool looks_untokenised(const Sentence& sentence);

}  // namespace copse
