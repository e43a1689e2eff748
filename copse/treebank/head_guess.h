// A head table guessed from a treebank, for languages that have none.
//
// What stands alone under a phrase must be its head, so single children tell which labels can be heads:
//     strength(Y | X) = (phrases X over a single Y + 0.1 share) / (phrases X with some Y + 1)
// where `share` is that of the phrases X that have some Y, for phrases that are never over one child.
// Punctuation is not looked at.
// The row of X has
//   1. the labels with at least a fifth of the largest strength, as one step,
//   2. X itself: what is added to a phrase does not head it,
//   3. all others by strength.
// The end to scan from is the one where strong labels stand more often: the last child of a base noun
// phrase, the first of a verb phrase or a prepositional one.
// Punctuation are the tags whose words are mostly signs, conjunctions the tags that mostly stand
// between sisters of the same label. No rule of a language comes in; traces are left out.
#pragma once

#include <span>

#include "copse/treebank/format.h"
#include "copse/treebank/head_rules.h"

namespace copse {

// The table is called "auto". Throws data_error when there is no tree. Linear in the trees; the same
// trees give the same table.
HeadRules guess_heads(std::span<const std::span<const Entry>> trees);

}  // namespace copse
