// What a reranker is worth on lists by which nothing of it was chosen. A training that tries many
// values and keeps the best on the development lists reports too much when it reports the figure
// of those lists. The honest one costs no further training: choose on lists 1, 3, 5, ... and look at
// lists 2, 4, 6, ..., then the other way round; every list has been looked at once, by a model that
// it did not choose.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "copse/treebank/evaluation/significance.h"

namespace copse {

// The most probable and the chosen candidates, list by list.
class CrossFigures {
 public:
  // The scores of a list's two candidates; and, where brackets are counted, their counts.
  void add(double base, double chosen);
  void add(const PairedStratum& counts) { strata_.push_back(counts); }

  bool counted() const { return !strata_.empty(); }
  std::size_t lists() const { return lists_; }
  // F1 in percent where brackets are counted, else the sum of scores.
  double base() const;
  double chosen() const;
  // That the difference is chance: stratified shuffling of counts, else the sign test over lists.
  double p() const;
  // "each half of dev chosen by the other: F1 86.10, 86.90 chosen (+0.80, p = 0.004)"
  std::string str() const;
  nlohmann::json json() const;

 private:
  std::size_t lists_ = 0;
  double base_score_ = 0, chosen_score_ = 0;
  std::int64_t base_better_ = 0, chosen_better_ = 0;
  std::vector<PairedStratum> strata_;
};

}  // namespace copse
