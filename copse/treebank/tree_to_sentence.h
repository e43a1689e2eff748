// The words and tags of a phrase-structure tree as a sentence with columns.
#pragma once

#include "copse/treebank/phrase_tree.h"
#include "copse/treebank/sentence.h"

namespace copse {

// FORM and XPOS from the leaves; traces (-NONE-) are left out; no heads.
Sentence sentence_from_tree(const PhraseTree& tree);

}  // namespace copse
