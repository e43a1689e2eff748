// The words of a phrase-structure tree as a sentence with columns.
#pragma once

#include "copse/treebank/phrase_tree.h"
#include "copse/treebank/sentence.h"

namespace copse {

// FORM and XPOS from the leaves; traces (tag -NONE-) are left out. Words stay as they are in the
// tree ("-LRB-"). In a CoNLL-X sentence the tag stands in CPOSTAG as well.
Sentence sentence_from_tree(const PhraseTree& tree, Dialect dialect = Dialect::conllu);

}  // namespace copse
