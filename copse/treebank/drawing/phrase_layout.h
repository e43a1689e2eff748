// Geometry of a phrase-structure tree, in whole units. Two layouts of the same idea: words in a
// line, every phrase centred over its first and last child, lines that bend at right angles, so
// that no line ever crosses a label or another line.
//
//   upright   words left to right on the bottom line, a phrase one level above its highest child
//   sideways  words top to bottom at the right edge, a phrase in the column of its depth
//
// O(nodes), without recursion: depth is limited by memory alone.
#pragma once

#include <span>
#include <vector>

#include "copse/treebank/phrase_tree.h"

namespace copse::drawing {

struct PlacedNode {
  int centre = 0;  // along the line of words: x if upright, y if sideways
  int level = 0;   // upright: height over the words, leaves 0; sideways: depth, root 0
};

struct PhraseLayout {
  std::vector<PlacedNode> nodes;
  int extent = 0;  // along the line of words
  int levels = 0;  // one more than the highest level
};

// widths: of each node's own text (a leaf: the wider of tag and word), each at least 1.
PhraseLayout lay_out_upright(const PhraseTree& tree, std::span<const int> widths, int gap);
// Every word, and every phrase without words, takes `pitch` units.
PhraseLayout lay_out_sideways(const PhraseTree& tree, int pitch);

}  // namespace copse::drawing
