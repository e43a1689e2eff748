// Weights of a sum of scores that choose best, by what the choice is worth (F1 of all lists, or the sum
// of qualities), exactly along each line (Och 2003; Koo & Collins 2005, section 5.3).
//
// With all weights but one fixed, the score of candidate j is a line in that weight, f_j + w m_j, and
// the winner of a list a piecewise constant function of it: the upper envelope of its lines. The break
// points of all lists, sorted, divide the axis into intervals in each of which nothing changes; one
// sweep gives the figure of every interval.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "copse/rerank/kernel_selection.h"

namespace copse {

struct LineChoice {
  double weight = 0;
  double figure = 0;
};

// The middle of the best interval; of intervals that are equally good the widest, of those that go
// on for ever none unless no other is as good. Over the lists of `part`.
LineChoice best_on_line(const GradedNumbers& lists, const ListScores& fixed,
                        const ListScores& moving, const ListPart& part);

struct MixtureSearch {
  int starts = 20;  // random ones, beside the first member alone
  std::uint64_t seed = 1;
};

// A weight for each member: coordinate by coordinate until none gets better, from all starts; the
// best. Ties: the first. Scores of a member may have any unit.
std::vector<double> mixture_weights(const GradedNumbers& lists, std::span<const ListScores> members,
                                    const ListPart& part, const MixtureSearch& options = {});

// The sum with those weights.
ListScores mixed_scores(std::span<const ListScores> members, std::span<const double> weights);

}  // namespace copse
