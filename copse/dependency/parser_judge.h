// What a finished parser does on sentences that it was not trained on: how many arcs are right, and
// how honest its probabilities are. The weights are those that are saved, cut down and rounded.
#pragma once

#include <span>
#include <vector>

#include "copse/base/thread_team.h"
#include "copse/dependency/parser.h"
#include "copse/dependency/training_history.h"
#include "copse/treebank/sentence.h"

namespace copse {

// Right heads, and labels of right heads. Not labelled: labels are right where heads are.
DependencyScores compare_trees(const DependencyTree& gold, const DependencyTree& found,
                               bool labelled);

// Sentences that the parser refuses count as wrong. Each for itself, and all together.
std::vector<DependencyScores> judge_sentences(const DependencyParser& parser,
                                              std::span<const Sentence> gold, ThreadTeam& team);
DependencyScores judge_parser(const DependencyParser& parser, std::span<const Sentence> gold,
                              ThreadTeam& team);

struct Calibration {
  double temperature = 1, label_temperature = 1, tree_temperature = 1;
  TreeOdds tree_odds;
  // Expected calibration errors, of the arcs of the best trees and of these trees with their labels;
  // 0 if nothing was judged.
  double error = 0, tree_error = 0;
};
// The temperatures with the least log-loss on every other sentence, beginning with the first (at
// most 400 of them): of the right arcs, of the right labels of these arcs, and of whether the best
// tree is right as a whole; then, by all of that half up to 2,000, what is made of the odds of whole
// trees. The errors on the rest.
Calibration calibrate(const DependencyParser& parser, std::span<const Sentence> gold,
                      ThreadTeam& team);

}  // namespace copse
