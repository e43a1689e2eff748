// Sequences of tags under scores of single tags, pairs and triples.
//
//   score(y) = sum over positions i of
//              unary_i(y_i) + pair_i(y_{i-1}, y_i) + triple_i(y_{i-2}, y_{i-1}, y_i)
//
// Position i (from 0) offers width(i) candidates, numbered from 0; before the first position there
// is one candidate only. Order 1 has no triples. Minus infinity forbids; no score may be NaN or
// plus infinity. Dynamic programming over states y_i, O(n K^2), for order 1 and (y_{i-1}, y_i),
// O(n K^3), for order 2; exact, with sums in double.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "copse/inference/status.h"

namespace copse {

class TagLattice {
 public:
  // Makes room for a sequence, all scores zero. Needs widths of at least 1 and order 1 or 2. Throws
  // data_error when the scores would not fit into a gibibyte.
  void reset(std::span<const int> widths, int order);

  int size() const { return static_cast<int>(places_.size()); }
  int order() const { return order_; }
  // 1 for the positions before the first.
  int width(int i) const { return i < 0 ? 1 : places_[static_cast<std::size_t>(i)].width; }

  // unary(i)[c], pair(i)[p * width(i) + c], triple(i)[(g * width(i-1) + p) * width(i) + c], with
  // c, p and g the candidates at i, i - 1 and i - 2.
  std::span<float> unary(int i) { return slice(place(i).unary, count(width(i))); }
  std::span<float> pair(int i) { return slice(place(i).pair, count(states(i))); }
  std::span<float> triple(int i) { return slice(place(i).triple, triples(i)); }
  std::span<const float> unary(int i) const { return slice(place(i).unary, count(width(i))); }
  std::span<const float> pair(int i) const { return slice(place(i).pair, count(states(i))); }
  std::span<const float> triple(int i) const { return slice(place(i).triple, triples(i)); }

  // Pairs (y_{i-1}, y_i) at position i.
  int states(int i) const { return width(i - 1) * width(i); }
  // The candidates two positions back that triples distinguish.
  int outer(int i) const { return order_ == 2 ? width(i - 2) : 1; }

  double score(std::span<const int> tags) const;
  // Multiplies every score.
  void scale(float factor);
  // Makes every step a conditional log-probability: over the candidates at i, given those before,
  // the exponentials of the scores sum to one. All of it is then in the triples (order 1: pairs).
  void normalise_locally();

 private:
  struct Place {
    int width = 1;
    std::size_t unary = 0;
    std::size_t pair = 0;
    std::size_t triple = 0;
  };

  const Place& place(int i) const { return places_[count(i)]; }
  static std::size_t count(int number) { return static_cast<std::size_t>(number); }
  std::size_t triples(int i) const { return order_ == 2 ? count(states(i)) * count(outer(i)) : 0; }
  std::span<float> slice(std::size_t begin, std::size_t size) {
    return {scores_.data() + begin, size};
  }
  std::span<const float> slice(std::size_t begin, std::size_t size) const {
    return {scores_.data() + begin, size};
  }

  std::vector<Place> places_;
  std::vector<float> scores_;
  int order_ = 2;
};

using TagSequence = std::vector<int>;

// Scratch memory of the searches, one per thread.
struct LatticeWorkspace {
  std::vector<std::size_t> offsets;
  std::vector<double> best;
  std::vector<std::uint32_t> back;
  std::vector<double> forward, backward;
};

// The best sequence (Viterbi); ties: the smaller candidate at the last position, then at the one
// before, and so on. A lattice without an allowed sequence gives some sequence with score minus
// infinity; an empty lattice has one sequence, the empty one.
Scored<TagSequence> best_tags(const TagLattice& lattice, LatticeWorkspace& scratch);

// The k best sequences, best first, all different; fewer if fewer are allowed. Ties as above.
// O(n K^3 + n k log K) for order 2, O(n K^2 + n k log K) for order 1; O(n k) memory beyond that of
// the lattice. Throws data_error when they would have more than kMostListedTags tags together.
inline constexpr std::size_t kMostListedTags = 20'000'000;
std::vector<Scored<TagSequence>> k_best_tags(const TagLattice& lattice, int k);

// log of the sum of exp(score) over all sequences; minus infinity when none is allowed.
double log_sum_tags(const TagLattice& lattice, LatticeWorkspace& scratch);

// Probabilities under exp(score), laid out like the scores; all 0 when no sequence is allowed.
struct TagMarginals {
  double log_sum = 0;
  std::vector<std::vector<double>> unary, pair, triple;  // by position; triples for order 2 only
};
TagMarginals tag_marginals(const TagLattice& lattice, LatticeWorkspace& scratch);

}  // namespace copse
