// Flattened selective left-corner transform (Collins and Roark 2004, after Johnson and Roark
// 2000): direct left recursion A -> A b becomes right recursion of fixed depth, so that an
// incremental parser need not guess how many A to open.
//
//   T(n): follow  n = A_k -> A_(k-1) b_k, ..., A_1 -> A_0 b_1  while the first child has the same
//         label A and at least one sister;  A_0 -> a
//         (A T(a) (A/A T(b_1)) ... (A/A T(b_k)))
//
//   (NP (NP (NP (NNP Jim) (POS 's)) (NN dog)) (PP ...))
//   (NP (NNP Jim) (POS 's) (NP/NP (NN dog)) (NP/NP (PP ...)))
//
// Labels are compared as they are: clean trees first. A '/' or '\' inside a phrase label gets a
// '\' before it.
#pragma once

#include "copse/treebank/phrase_tree.h"

namespace copse {

PhraseTree left_corner_transform(const PhraseTree& tree);

// The exact inverse. In trees that did not come from the transform, a slashed phrase in a place
// where the transform puts none gives way to its children; `misplaced` counts those.
PhraseTree undo_left_corner_transform(const PhraseTree& tree, int* misplaced = nullptr);

}  // namespace copse
