// How the generative parser searches: limits that are counts and not times, so that its output
// does not depend on the machine.
#pragma once

#include <cstddef>

namespace copse::generative {

struct SearchOptions {
  double beam = 1e4;               // of the lexicalised chart
  std::size_t most_items = 30;     // ... and the most that a step of a span leaves there
  double coarse_threshold = 1e-5;  // items with a smaller share of the coarse forest are left out
  int max_length = 250;            // longer sentences get the fallback
  std::size_t max_edges = 20'000'000;  // of the chart; a sentence that needs more gets the fallback
};

}  // namespace copse::generative
