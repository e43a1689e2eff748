// Pairs of a better and a worse candidate of the same list, and the features in which they differ
// (Collins & Koo 2005, section 4.3):
//
//   pair p      x_i1, the best candidate of list i, against x_ij;  S_p = Score(x_i1) - Score(x_ij)
//   plus(p)     B+_p = features that only the better one has,   minus(p) = B-_p only the worse one
//   with(k)     A+_k = pairs whose better candidate alone has k,  against(k) = A-_k the reverse
//
// Two sparse matrices, one the transpose of the other. Rows are sorted; ids are 4 bytes, so that an
// index of a million pairs with a hundred differences each takes 0.8 GB. Pairs of a list stand
// together, in the order of the candidates.
//
// Features with equal (A+, A-) have equal sums for ever: all but the first of such a class never
// win, because ties go to the lowest number. They are left out of the index (`merged()` counts
// them), which changes no choice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "copse/learning/ranking_lists.h"

namespace copse {

struct PairOptions {
  // S_p is 1 instead of the difference of the scores.
  bool uniform = false;
  // Pairs of equal score stay, where S_p is 1: the best candidate is the one with the higher log
  // probability.
  bool keep_ties = false;
  // Pairs of neighbours in the order of the scores as well (Freund et al. 1998): the lower ranks
  // count, too.
  bool full_ordering = false;
  bool merge_features = true;
};

class RankingPairs {
 public:
  using Feature = RankingLists::Feature;
  using Pair = std::uint32_t;

  RankingPairs(const RankingLists& lists, const PairOptions& options);

  std::size_t size() const { return importance_.size(); }
  std::size_t features() const { return with_rows_.size() - 1; }
  // Entries of B: what one pass over all pairs costs (equation 20).
  std::size_t entries() const { return b_.size(); }
  std::size_t merged() const { return merged_; }

  double importance(std::size_t p) const { return importance_[p]; }  // S_p, above 0
  double log_ratio(std::size_t p) const { return log_ratio_[p]; }    // L(better) - L(worse)
  std::span<const Feature> plus(std::size_t p) const { return part(b_, b_rows_, 2 * p); }
  std::span<const Feature> minus(std::size_t p) const { return part(b_, b_rows_, 2 * p + 1); }
  std::span<const Pair> with(std::size_t k) const { return part(with_, with_rows_, k); }
  std::span<const Pair> against(std::size_t k) const { return part(against_, against_rows_, k); }
  // Lists that have pairs, in order: list l has the pairs [first(l), first(l + 1)).
  std::size_t lists() const { return first_.size() - 1; }
  std::size_t first(std::size_t list) const { return first_[list]; }

 private:
  template <class T>
  static std::span<const T> part(const std::vector<T>& values, const std::vector<std::size_t>& rows,
                                 std::size_t row) {
    return std::span(values).subspan(rows[row], rows[row + 1] - rows[row]);
  }
  void add_list(const RankingLists& lists, std::size_t list, const PairOptions& options);
  void add_pair(const RankingLists& lists, std::size_t better, std::size_t worse,
                double importance);
  void transpose(std::size_t features);
  void merge_features();

  std::vector<double> importance_, log_ratio_;
  std::vector<std::size_t> first_ = {0};
  std::vector<Feature> b_;
  std::vector<std::size_t> b_rows_ = {0};  // plus then minus of each pair
  std::vector<Pair> with_, against_;
  std::vector<std::size_t> with_rows_, against_rows_;
  std::size_t merged_ = 0;
};

}  // namespace copse
