// Every tree of a sentence that the generative model can make, by trying them all: labels, heads
// and complements, with the rules of the chart for chains. For a few words and a tiny treebank
// only.
#pragma once

#include <vector>

#include "copse/constituency/generative/model.h"

namespace copse::generative::constituency_testing {

struct EnumeratedTree {
  PreparedTree tree;
  double log_probability = 0;
};

// Trees of positive probability, most probable first.
std::vector<EnumeratedTree> all_trees(const GenerativeModel& model,
                                      const std::vector<std::string>& words);

}  // namespace copse::generative::constituency_testing
