// Gold trees as parsing and evaluation want them.
#pragma once

#include <string>
#include <vector>

#include "copse/treebank/phrase_tree.h"

namespace copse {

// The words of a tree, traces left out.
std::vector<std::string> words_of(const PhraseTree& tree);
// The tree as evaluation wants it: clean, on one line, under TOP.
std::string gold_line(const PhraseTree& tree);

}  // namespace copse
