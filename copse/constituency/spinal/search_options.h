// How the spinal parser searches: limits that are counts and not times, so that its output does not
// depend on the machine.
#pragma once

#include <cstddef>
#include <optional>

namespace copse::spinal {

struct SearchOptions {
  // Adjunctions this many times less probable than a word's best are not looked at; not set: as the
  // model was trained.
  std::optional<double> alpha;
  int max_second_order = 200;  // longer sentences are parsed by the parts of the first order
  int max_length = 1000;       // longer ones get a flat tree
  // Of the scores of parts, 4 bytes each, before there is room for them: a sentence that has more goes
  // to the next rung of the ladder.
  std::size_t max_scores = 60'000'000;
  // Of the chart; a sentence that needs more goes to the next rung of the ladder.
  std::size_t max_items = 12'000'000, max_edges = 30'000'000;
};

}  // namespace copse::spinal
