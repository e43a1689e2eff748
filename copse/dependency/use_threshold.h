// How strict the pruner of a finished parser may be. Learning needs wrong arcs to learn from;
// parsing needs the right ones alone, and each arc less is time gained: the parts of the third order
// grow with the third power of the heads that a word has left.
#pragma once

#include <span>

#include "copse/base/thread_team.h"
#include "copse/dependency/parser.h"
#include "copse/treebank/sentence.h"

namespace copse {

// The strictest of some thresholds with which the parser finds as many right (labelled) arcs of every
// other sentence, beginning with the second, as with its own, but for one word in 2,000; its own if
// there is none, or no pruner.
double choose_use_threshold(const DependencyParser& parser, std::span<const Sentence> gold,
                            ThreadTeam& team);

}  // namespace copse
