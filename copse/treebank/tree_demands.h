// What whoever made a sentence says about its tree beyond heads and labels that stand in their
// columns (which a tree is to have): what it must not have, and which words belong together. Written
// as items of MISC, several values of one item separated by commas:
//
//   NotHead=2,5       the head of the word is neither word 2 nor word 5 (0: not the root)
//   NotDeprel=obj     its label is not obj
//   SpanTo=7          the words from this one to word 7 make a phrase: a subtree, a bracket
//   SpanTo=7:NP       ... with this label, where phrases have labels
//   NotSpanTo=7       they do not; NotSpanTo=7:NP: not one with this label
#pragma once

#include <span>
#include <string>
#include <vector>

#include "copse/treebank/sentence.h"

namespace copse {

struct SpanDemand {
  int first = 0, last = 0;  // words, both inside
  std::string label;        // empty: any
  bool forbidden = false;

  // "words 2 to 4"
  std::string str() const;
  bool operator==(const SpanDemand&) const = default;
};

struct TreeDemands {
  // By word, [0] unused; empty where nothing is said of any word.
  std::vector<std::vector<int>> not_heads;
  std::vector<std::vector<std::string>> not_labels;
  std::vector<SpanDemand> spans;

  bool empty() const { return not_heads.empty() && not_labels.empty() && spans.empty(); }
};

// Throws data_error, with the word, for values that cannot be and spans that contradict each other:
// two that must be and cross, one that must be and must not.
TreeDemands tree_demands(const Sentence& sentence);

// "no tree was found with the phrases demanded: words 2 to 4, word 7 (forbidden)"
std::string no_tree_with(std::span<const SpanDemand> spans);

// Two words whose heads, both given, make arcs that cross; {0, 0} if there are none. Heads are those
// of words 1..n, [0] unused, DependencyTree::kNoHead where none is given. O(n log n).
std::pair<int, int> crossing_words(std::span<const int> heads);

}  // namespace copse
