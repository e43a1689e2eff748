// The best phrase-structure trees that have the brackets they must have and none that they must not.
//
// Parsers that take spans are asked for them. Of the others trees are listed from the best on, in lists
// that grow, and those that meet the demands are kept: what is not among the first few thousand trees is
// not found.
#pragma once

#include <span>

#include "copse/constituency/phrase_parser.h"
#include "copse/treebank/tree_demands.h"

namespace copse {

// Does the tree have a phrase over exactly these words (from 1, both inside), with that label unless
// it is empty? Function tags are not looked at.
bool has_bracket(const PhraseTree& tree, const SpanDemand& span);

// The answer to the question among the trees that meet all demands: k of them, or fewer. Throws data_error that names the
// demands when no tree was found.
PhraseAnswer parse_with_brackets(const PhraseParser& parser, const WordsToParse& words,
                                 const PhraseQuestion& question,
                                 std::span<const SpanDemand> demands);

}  // namespace copse
