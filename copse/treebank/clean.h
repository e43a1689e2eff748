// Cleaning of treebank trees before training and evaluation.
//
//   clean(n): a leaf: nothing if it is a trace (tag -NONE-), else the leaf
//             kids = what is left of the children; without any, nothing
//             label = base label (see label.h)
//             one kid, a phrase with the same label: the kid             (X -> X collapse)
//             else a node with the label over the kids
//
// Tags of leaves stay as they are. Linear time, iterative.
#pragma once

#include <vector>

#include "copse/treebank/phrase_tree.h"

namespace copse {

struct CleanOptions {
  bool remove_traces = true;          // -NONE- leaves and the phrases over nothing else
  bool strip_labels = true;           // function tags, indices, second alternatives
  bool collapse_same_unaries = true;  // X -> X
};

struct CleanTree {
  PhraseTree tree;  // empty when nothing but traces was there
  // The node of the original tree behind each node, for what was stripped from its label; for a
  // collapsed X -> X the upper one, whose function tags tell its role in the sentence.
  std::vector<int> source;
};

CleanTree clean(const PhraseTree& tree, const CleanOptions& options = {});

// Only the traces and the phrases over nothing but traces removed.
PhraseTree remove_traces(const PhraseTree& tree);

}  // namespace copse
