// How good n-best lists are: the first parse, and the best that a perfect choice could make.
#pragma once

#include <string>

#include "copse/treebank/evaluation/tree_score.h"
#include "copse/treebank/n_best_list.h"

namespace copse {

class NBestScores {
 public:
  // Sets list.oracle to the parse of the best F1, the first of several; a list without parses
  // counts as a sentence without brackets found. `gold` as it is to be scored (see clean.h).
  void add(NBestList& list, const PhraseTree& gold);
  // The same for a tree on one line.
  void add(NBestList& list, const std::string& gold_line);

  const EvalbTotals& baseline() const { return baseline_; }
  const EvalbTotals& oracle() const { return oracle_; }
  double average_size() const;
  // "2967 lists of 48.9 parses; F1 86.01 of the first, 95.10 of the best (+9.09)"
  std::string str() const;

 private:
  LabelClasses classes_;
  EvalbTotals baseline_, oracle_;
  std::size_t lists_ = 0, parses_ = 0;
};

// The F1 of one sentence, 0 to 1; 1 where neither side has a bracket.
double f1_of(const EvalbSentence& sentence);

}  // namespace copse
