// Answers of phrase-structure parsers made ready to be looked at: probabilities written to the labels
// of a tree, for drawings; lists and brackets as JSON.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "copse/constituency/phrase_parser.h"
#include "copse/treebank/sentence.h"

namespace copse {

// "NP" becomes "NP 0.97" where a bracket of that label and span is known; tags and the root of
// several labels (TOP) stay as they are.
PhraseTree with_probabilities(const PhraseTree& tree, std::span<const Bracket> brackets);

// The root's label followed by a title: "TOP 2 of 5, ln P -41.20".
PhraseTree with_title(const PhraseTree& tree, std::string_view title);

// [{"label": "NP", "begin": 0, "end": 3, "probability": 0.97}, ...]: words [begin, end), counted from
// 0; those of at least this probability.
std::string brackets_json(std::span<const Bracket> brackets, double least);

// {"id": "7", "parses": [{"log_probability": -41.2, "tree": {...}}, ...]} and a line end; trees as in
// treebank/json.h.
std::string n_best_json(const NBestList& list);

// What a parser knew after each word (PhraseAnswer::steps), with a generative part: a line for each
// word, "word TAB tag TAB surprisal TAB ln P(words so far)", one for the end, "</s> TAB _ ...", and an
// empty one.
std::string surprisal_rows(const PhraseAnswer& answer);
// [5.1, 0.7, ...], of the words and the end; 17 significant digits.
std::string surprisal_json(const PhraseAnswer& answer);
// The same in MISC, Surprisal=..., and that of the end in a comment, end_surprisal.
void set_surprisal(const PhraseAnswer& answer, Sentence& sentence);

}  // namespace copse
