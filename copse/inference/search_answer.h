// The tree that every searcher of dependency trees hands out, and what every answer says of itself.
// Only a status of `ok` comes with a structure: there is no such thing as a partial tree.
#pragma once

#include <string>
#include <vector>

#include "copse/inference/status.h"

namespace copse {

// heads[m] for m = 1..n, heads[0] = kNobody; labels likewise, empty if the scores know none.
struct ArcTree {
  std::vector<int> heads;
  std::vector<int> labels;
  bool operator==(const ArcTree&) const = default;
};

using ProjectiveTree = ArcTree;  // the name it had

// What an answer holds beside its status says something only if that is ok. If it is bad_score,
// culprit names the part: "gsib(0,1,3,2)", "label 1 of dep(0,3)".
struct SearchAnswer {
  SearchStatus status = SearchStatus::ok;
  std::string culprit;
};

struct BestTree : SearchAnswer {
  ArcTree tree;
  double score = 0;  // of its parts, summed in double
};

// Best first; fewer than were asked for if there are not so many.
struct TreeList : SearchAnswer {
  std::vector<Scored<ArcTree>> trees;
};

}  // namespace copse
