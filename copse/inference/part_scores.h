// Scores of the surviving parts going in, their marginals coming out: flat arrays over the numbers
// of a PartIndex, and optionally a row of label scores per arc.
//
// Labels are scored with their arc: what an arc contributes is dep(h,m) plus the score of its
// label. The best tree takes the best label of each arc, a sum takes all of them, and a list of
// the k best ranges over labelled trees.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "copse/inference/part_index.h"

namespace copse {

class PartScores {
 public:
  PartScores() = default;
  // All zero: a family whose scores stay zero does not count.
  explicit PartScores(const PartIndex& index, int labels = 0) { reset(index, labels); }
  // For another sentence; keeps the memory it has.
  void reset(const PartIndex& index, int labels = 0) {
    labels_ = labels;
    size_ = static_cast<std::size_t>(index.size());
    values_.assign(size_ + kScorePadding, 0.0F);
    label_values_.assign(static_cast<std::size_t>(index.arcs()) * static_cast<std::size_t>(labels),
                         0.0F);
  }

  // Minus infinity forbids the part.
  float& operator[](PartIndex::Id id) { return values_[static_cast<std::size_t>(id)]; }
  float operator[](PartIndex::Id id) const { return values_[static_cast<std::size_t>(id)]; }
  std::span<float> values() { return {values_.data(), size_}; }
  std::span<const float> values() const { return {values_.data(), size_}; }

  int labels() const { return labels_; }  // 0: unlabelled
  std::span<float> label_row(int a) { return {label_values_.data() + row(a), width()}; }
  std::span<const float> label_row(int a) const { return {label_values_.data() + row(a), width()}; }
  std::span<float> label_values() { return label_values_; }  // all rows, one after the other
  std::span<const float> label_values() const { return label_values_; }

  std::size_t bytes() const { return (values_.capacity() + label_values_.capacity()) * 4; }

 private:
  std::size_t width() const { return static_cast<std::size_t>(labels_); }
  std::size_t row(int a) const { return static_cast<std::size_t>(a) * width(); }

  // Charts read scores four at a time and may look past the last one.
  static constexpr std::size_t kScorePadding = 4;

  int labels_ = 0;
  std::size_t size_ = 0;
  std::vector<float> values_;
  std::vector<float> label_values_;  // [a][label]
};

// Forbids every other label of m, whatever its head.
void require_label(const PartIndex& index, PartScores& scores, int m, int label);

// The first score that no searcher takes, in words ("gsib(0,3,5,-)", "label 4 of dep(0,3)"): NaN,
// plus infinity or beyond kLargestScore. One vectorised pass over the scores.
std::optional<std::string> find_bad_score(const PartIndex& index, const PartScores& scores);

// mu(part) in [0, 1]: the probability that the part is in the tree. Grand-siblings and
// tri-siblings lie on one edge each, so nothing is summed into them and they are kept in float:
// they are most of the parts. The rest is double.
class PartMarginals {
 public:
  void reset(const PartIndex& index, int labels);

  double operator[](PartIndex::Id id) const {
    return id < split_ ? low_[static_cast<std::size_t>(id)]
                       : third_[static_cast<std::size_t>(id) - static_cast<std::size_t>(split_)];
  }
  int labels() const { return labels_; }
  // mu(h,m,l) for every label of the arc.
  std::span<const double> label_row(int a) const {
    const auto width = static_cast<std::size_t>(labels_);
    return {label_values_.data() + static_cast<std::size_t>(a) * width, width};
  }
  std::size_t bytes() const {
    return low_.capacity() * 8 + third_.capacity() * 4 + label_values_.capacity() * 8;
  }

  // For the engine: adds p[k] to the parts first + k, all of one family.
  void add(PartIndex::Id first, const double* p, int count) {
    if (first < split_) {
      double* const mu = low_.data() + first;
      for (int k = 0; k < count; ++k) mu[k] += p[k];
    } else {
      float* const mu = third_.data() + (first - split_);
      for (int k = 0; k < count; ++k) mu[k] += static_cast<float>(p[k]);
    }
  }
  void add(PartIndex::Id id, double p) { add(id, &p, 1); }
  // Shares out mu(h,m) among the labels, in proportion to e^score.
  void split_labels(const PartIndex& index, const PartScores& scores);

 private:
  PartIndex::Id split_ = 0;  // the first part kept in float
  int labels_ = 0;
  std::vector<double> low_;
  std::vector<float> third_;
  std::vector<double> label_values_;  // [a][label]
};

}  // namespace copse
