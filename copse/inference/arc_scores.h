// One number for every arc (h, m), or for every labelled arc (h, m, l): scores going in, marginals
// coming out. Words are 1..n, 0 is the root, labels are 0..L-1.
//
// Layout: [m][h][l], that is  at = (m * (n + 1) + h) * L + l.  All heads of one modifier lie side
// by side, in the order of ArcMask, because that is the row which the spanning tree search scans,
// the column which Matrix-Tree shifts and sums, and the distribution which a sampler draws from;
// the labels of one arc are a contiguous row, as a labelled weight lookup returns them. Row 0 and
// the diagonal exist and are never read.
#pragma once

#include <cassert>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "copse/inference/arc_mask.h"

namespace copse {

inline constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

template <class Real>
class ArcTable {
 public:
  // No labels: labels() is 1 and the label argument may be left out.
  explicit ArcTable(int words = 0, int labels = 1, Real value = 0)
      : words_(words), labels_(labels), values_(size(words, labels), value) {}
  // The same numbers in another precision.
  template <class Other>
  explicit ArcTable(const ArcTable<Other>& other)
      : words_(other.words()),
        labels_(other.labels()),
        values_(other.values().begin(), other.values().end()) {}

  int words() const { return words_; }
  int labels() const { return labels_; }

  Real operator()(int h, int m, int l = 0) const { return values_[index(h, m, l)]; }
  Real& operator()(int h, int m, int l = 0) { return values_[index(h, m, l)]; }

  // The labels of one arc.
  std::span<const Real> row(int h, int m) const {
    return {values_.data() + index(h, m, 0), static_cast<std::size_t>(labels_)};
  }
  // All heads 0..n of one modifier, labels innermost.
  std::span<const Real> heads(int m) const {
    return {values_.data() + index(0, m, 0), side() * static_cast<std::size_t>(labels_)};
  }
  std::span<Real> heads(int m) {
    return {values_.data() + index(0, m, 0), side() * static_cast<std::size_t>(labels_)};
  }
  std::span<const Real> values() const { return values_; }
  std::span<Real> values() { return values_; }

  // Makes the table of another shape, every value the same; keeps the memory it has.
  void reset(int words, int labels, Real value) {
    words_ = words;
    labels_ = labels;
    values_.assign(size(words, labels), value);
  }

 private:
  static std::size_t size(int words, int labels) {
    assert(words >= 0 && labels >= 1);
    const auto side = static_cast<std::size_t>(words) + 1;
    return side * side * static_cast<std::size_t>(labels);
  }
  std::size_t side() const { return static_cast<std::size_t>(words_) + 1; }
  std::size_t index(int h, int m, int l) const {
    assert(h >= 0 && h <= words_ && m >= 0 && m <= words_ && l >= 0 && l < labels_);
    return (static_cast<std::size_t>(m) * side() + static_cast<std::size_t>(h)) *
               static_cast<std::size_t>(labels_) +
           static_cast<std::size_t>(l);
  }

  int words_;
  int labels_;
  std::vector<Real> values_;
};

// A score of minus infinity forbids its (labelled) arc, just as a mask forbids all labels of one.
using ArcScores = ArcTable<double>;
using ArcMarginals = ArcTable<double>;

// Forbids every other label of m, whatever its head; the labels already forbidden stay so.
template <class Real>
void require_label(ArcTable<Real>& scores, int m, int label) {
  for (int h = 0; h <= scores.words(); ++h)
    for (int l = 0; l < scores.labels(); ++l)
      if (l != label) scores(h, m, l) = -std::numeric_limits<Real>::infinity();
}

// How long a sentence a first-order searcher takes before it answers too_long. Set it to what the
// caller's memory bears: a spanning tree search needs about 12 (n+1)^2 bytes beside the scores.
struct ArcSearchLimits {
  int words = 4096;
};

// The first allowed arc, in the order of the table, whose score no searcher takes: NaN, plus
// infinity or beyond kLargestScore; as "dep(2,1)" or, where there are labels, "label 3 of dep(2,1)".
// Scores of forbidden arcs are not looked at.
template <class Real>
std::optional<std::string> find_bad_score(const ArcTable<Real>& scores, const ArcMask& mask);

}  // namespace copse
