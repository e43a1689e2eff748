// Where to break a sentence into rows for drawing.
#pragma once

#include <span>
#include <vector>

#include "copse/treebank/drawing/arc_layout.h"

namespace copse::drawing {

// Ends (last words) of the rows. left[i], right[i]: the extent of word i + 1 on one endless
// line. Minimises rows, arcs and tokens cut by a break, and ragged rows, in one sum; a row wider
// than max_width (0: no limit) has one word only. O(n * words per row).
std::vector<int> break_rows(std::span<const int> left, std::span<const int> right,
                            std::span<const ArcShape> arcs, std::span<const TokenShape> tokens,
                            int max_width);

}  // namespace copse::drawing
