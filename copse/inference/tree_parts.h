// The parts that a given tree has, by number: what a learner compares with the parts that the
// search found, and what the score of a tree is the sum of.
#pragma once

#include <span>
#include <vector>

#include "copse/inference/part_index.h"

namespace copse {

// heads[m] for m = 1..n, as ArcTree has them. The tree must be projective unless the index is of the
// first order or lets arcs cross, and all its arcs must have survived; otherwise nothing is added
// and false returned. Appends to `parts`, in no special order. O(n) for the orders one to three.
bool append_parts_of_tree(const PartIndex& index, std::span<const int> heads,
                          std::vector<PartIndex::Id>& parts);

}  // namespace copse
