// What a kernel over candidates is made of.
#pragma once

#include <string>
#include <vector>

namespace copse {

// How much more than the label alone two positions share in the tagging kernel.
struct TagSimilarity {
  double word = 0.5;   // the words are equal
  double shape = 0.5;  // the words look alike: the same class of capitals, digits, ...
};

struct KernelOptions {
  double lambda = 0.3;      // what a further production, or label, weighs; 0 to 1
  bool normalised = false;  // K(x,y) / sqrt(K(x,x) K(y,y))
  TagSimilarity tags;
  std::vector<std::string> views = {"tree"};  // what of parses is compared (tree_views.h)
  std::string head_table = "collins";         // for views that know heads
};

}  // namespace copse
