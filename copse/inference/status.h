// What every searcher says about its answer. Only `ok` comes with a structure: there is no such
// thing as a partial tree.
#pragma once

namespace copse {

enum class SearchStatus {
  ok,
  no_tree,    // the mask (or the scores of minus infinity) leaves no tree of the wanted kind
  bad_score,  // a score is NaN, plus infinity or beyond kLargestScore; the answer names the part
  too_long,   // the sentence is beyond the limits the caller set
};

// Scores beyond this are refused: sums of them lose the small ones, and infinities must not meet.
inline constexpr double kLargestScore = 1e15;

// A structure and the sum of the scores of its parts.
template <class T>
struct Scored {
  T item;
  double score = 0;
};

}  // namespace copse
