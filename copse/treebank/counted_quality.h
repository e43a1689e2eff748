// The quality of a candidate of which is counted what is right.
#pragma once

#include "copse/treebank/evaluation/significance.h"

namespace copse {

// F1 times what is to be found (Collins & Koo 2005, section 5.1): a long sentence has more to win.
// Where there is nothing to be found, 1 for finding nothing.
double quality_of(const StratumCounts& counts);

}  // namespace copse
