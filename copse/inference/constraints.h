// What a user may demand of a tree, said as a mask. Required and forbidden arcs are in ArcMask
// itself, required labels beside the scores; here are spans.
#pragma once

#include "copse/inference/arc_mask.h"

namespace copse {

// The words first..last shall be exactly the subtree of head, one of them: the head hangs outside,
// the others inside, and no word outside hangs on one inside. Holds for projective and other trees
// alike. Arcs already forbidden stay so; contradicting demands leave no tree.
void require_span(ArcMask& mask, int first, int last, int head);

}  // namespace copse
