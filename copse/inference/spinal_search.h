// Derivations of the spinal parser, exactly: the best, the k best, the sum over all and marginals,
// of the first or the second order, all from the one recurrence of charts/spinal.h. The best is
// found without keeping edges; everything else goes over a forest (hypergraph.h) and is done by
// lazy_k_best.h and forest_sums.h.
//
//   SpinalScores scores;
//   scores.reset(parts, second_order);
//   ... fill in ...
//   SpinalSearch search;                            // scratch memory of one thread
//   const SpinalAnswer best = search.best(parts, scores);
//
// The order is that of the scores: the first where scores.sib is empty. Ties: the first edge in the
// order of the chart.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "copse/inference/spinal_parts.h"
#include "copse/inference/status.h"

namespace copse {

struct SpinalLimits {
  // Items of the search for the best, 32 bytes each; edges of a forest, 24 bytes each. Counts and
  // not times, so that the answer does not depend on the machine.
  std::size_t items = 12'000'000;
  std::size_t edges = 30'000'000;
};

struct SpinalAnswer {
  SearchStatus status = SearchStatus::ok;
  SpinalDerivation derivation;
};
struct SpinalList {
  SearchStatus status = SearchStatus::ok;
  std::vector<SpinalDerivation>
      derivations;  // best first; fewer than asked for if there are no more
};
// Probabilities under e^score / Z.
struct SpinalMarginals {
  SearchStatus status = SearchStatus::ok;
  double log_z = 0;
  std::vector<double> arc;    // of labelled arcs
  std::vector<double> spine;  // of the spines of all words
};

class SpinalSearch {
 public:
  explicit SpinalSearch(const SpinalLimits& limits = {});
  ~SpinalSearch();
  SpinalSearch(SpinalSearch&&) noexcept;
  SpinalSearch& operator=(SpinalSearch&&) noexcept;

  void set_limits(const SpinalLimits& limits) { limits_ = limits; }

  SpinalAnswer best(const SpinalParts& parts, const SpinalScores& scores);
  SpinalList k_best(const SpinalParts& parts, const SpinalScores& scores, int k);
  SpinalMarginals marginals(const SpinalParts& parts, const SpinalScores& scores);

  std::size_t items() const;  // of the last search for the best

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
  SpinalLimits limits_;
};

}  // namespace copse
