// Unary chains as single nodes: (S (VP (VB go) (RB on))) becomes (S+VP (VB go) (RB on)).
#pragma once

#include "copse/treebank/phrase_tree.h"

namespace copse {

struct UnaryOptions {
  bool join_tags = false;  // also (NP (NN cat)) -> (NP+NN cat)
  bool keep_outer = true;  // an outer bracket (TOP, ROOT, ...; see label.h) is never joined
};

// Joins the labels of each chain with '+'; a '+' or '\' inside a label or tag gets a '\' before it.
PhraseTree collapse_unaries(const PhraseTree& tree, const UnaryOptions& options = {});

// The exact inverse, whatever the options were.
PhraseTree restore_unaries(const PhraseTree& tree);

}  // namespace copse
