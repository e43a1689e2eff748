// Slow and obvious: every tree, listed. The oracle of all searchers of this room; never linked
// into anything but tests. A tree is its head vector: heads[m] for m = 1..n, heads[0] = kNobody.
#pragma once

#include <functional>
#include <vector>

#include "copse/inference/arc_mask.h"
#include "copse/inference/part.h"

namespace copse::reference {

using Heads = std::vector<int>;

bool is_tree(const Heads& heads);        // every word reaches the root
bool is_projective(const Heads& heads);  // no two arcs cross, arcs of the root included
int root_modifiers(const Heads& heads);

// Every tree of the class that uses allowed arcs only; n = 0 has one tree, the empty one.
std::vector<Heads> all_trees(const ArcMask& mask, RootRule rule, Crossing crossing);

// The parts of a tree, by reading section by section what each part type is.
std::vector<Part> parts_of(const Heads& heads, Factorisation factorisation);

using PartScore = std::function<double(const Part&)>;
double score_of(const Heads& heads, Factorisation factorisation, const PartScore& score);

// log of the sum of e^x; minus infinity for an empty list.
double log_sum(const std::vector<double>& values);

}  // namespace copse::reference
