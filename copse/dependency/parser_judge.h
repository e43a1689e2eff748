// What a finished parser does on sentences that it was not trained on: how many arcs are right, and
// how honest its probabilities are. The weights are those that are saved, cut down and rounded.
#pragma once

#include <span>

#include "copse/base/thread_team.h"
#include "copse/dependency/parser.h"
#include "copse/dependency/training_history.h"
#include "copse/treebank/sentence.h"

namespace copse {

// Right heads, and labels of right heads. Not labelled: labels are right where heads are.
DependencyScores compare_trees(const DependencyTree& gold, const DependencyTree& found,
                               bool labelled);

// Sentences that the parser refuses count as wrong.
DependencyScores judge_parser(const DependencyParser& parser, std::span<const Sentence> gold,
                              ThreadTeam& team);

struct Calibration {
  double temperature = 1;
  double error = 0;  // expected calibration error of the arcs it chose; 0 if nothing was judged
};
// The temperature with the least log-loss of the right arcs on every other sentence, beginning with
// the first (at most 400 of them); the error on the rest.
Calibration calibrate(const DependencyParser& parser, std::span<const Sentence> gold,
                      ThreadTeam& team);

}  // namespace copse
