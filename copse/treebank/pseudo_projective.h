// Pseudo-projective transformation (Nivre and Nilsson 2005): non-projective trees become
// projective ones that a projective parser can learn, with labels that allow to undo it.
//
// Projectivise: while there is a non-projective arc h -> m, take the shortest (ties: the leftmost
// m) and lift it: the new head of m is the head of h. What the labels then tell:
//
//   none        nothing
//   head        a lifted arc: d|h   with d its label and h the label of its original head
//   path        a lifted arc: d|^   and every arc that a lift went along: x|
//   head_path   a lifted arc: d|h   and every arc that a lift went along: x|   (both: d|h|)
//
// Deprojectivise: each lifted word is attached to the first fitting word below its head, searched
// breadth-first and left to right, and gets its label d back. What fits: with `head`, a word whose
// own label is h; with `path`, the end of a path of marked arcs; with `head_path`, the end of a
// marked path labelled h, or else a word on one, or else as with `head`. Lifted words are taken
// breadth-first from the top. Those that find nothing are tried again after the others, since
// their head may have been lifted itself; in the end they stay where they are without the mark.
#pragma once

#include <cstdint>
#include <string_view>

#include "copse/treebank/dependency_tree.h"

namespace copse {

enum class LiftLabels : std::uint8_t { none, head, path, head_path };
// From "none", "head", "path", "head+path"; anything else throws usage_error.
LiftLabels parse_lift_labels(std::string_view name);

// The identity on projective trees. O(n) time per lift besides the arcs it looks at: about a second
// for the worst trees of 1,000 words, nothing to notice for those of treebanks. Throws a data error
// when the heads are no tree, and for a non-projective tree with a '|' in a label (except with
// LiftLabels::none), which could not be told from the marks.
DependencyTree projectivise(const DependencyTree& tree, LiftLabels labels);

// The identity on trees without marked labels. Throws a data error when the heads are no tree.
DependencyTree deprojectivise(const DependencyTree& tree, LiftLabels labels);

}  // namespace copse
