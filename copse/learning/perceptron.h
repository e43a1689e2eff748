// The perceptron for structures (Collins 2002) and its passive-aggressive sister (Crammer et al.
// 2006, 1-best MIRA): decode with the current weights; where the answer is wrong, move towards the
// features of the right one. With z the answer, y the right one, d = f(y) - f(z):
//
//   perceptron           w += d
//   passive-aggressive   w += min(C, max(0, loss(z) - w.d) / |d|^2) d
//
// The step is the same for all weights and all sparse vectors. Weights are anything that can say
// weight(place) and change(place, by); a vector is any range of (place, value).
//
// perceptron_epoch() drives problems whose features turn up on the way, one example after the
// other; online.h those with numbered features, many at once. Such a problem can say
//   decode(i, weights, difference)       decodes example i, adds f(gold) - f(predicted) to the
//                                        difference (a FeatureDifference) and returns the loss of
//                                        the prediction, 0 when it is right
// Nothing here knows what an example is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "copse/model/training_weights.h"

namespace copse {

struct PerceptronOptions {
  bool passive_aggressive = false;
  double aggressiveness = 0.1;  // C, the longest step
};

// The length of the step along d, each place of which is listed once; 0 if d is.
template <class Weights, class Vector>
double passive_aggressive_length(const Weights& weights, const Vector& d, double loss,
                                 double aggressiveness) {
  double margin = 0;
  double norm = 0;
  for (const auto& [place, value] : d) {
    margin += double{value} * weights.weight(place);
    norm += double{value} * value;
  }
  if (norm == 0) return 0;
  return std::min(aggressiveness, std::max(0.0, loss - margin) / norm);
}

// One step along d, within the current step of the average.
template <class Weights, class Vector>
void perceptron_step(Weights& weights, const Vector& d, double loss,
                     const PerceptronOptions& options) {
  const double length = options.passive_aggressive
                            ? passive_aggressive_length(weights, d, loss, options.aggressiveness)
                            : 1;
  if (length == 0) return;
  for (const auto& [place, value] : d) weights.change(place, length * value);
}

// A sparse vector over (row, label), the difference of two feature vectors.
class FeatureDifference {
 public:
  void clear() { entries_.clear(); }
  void add(TrainingWeights::Row row, Label label, float delta) {
    entries_.push_back({{row, label}, delta});
  }
  // Sorts, sums equal entries and drops those that cancel.
  void simplify();

  struct Entry {
    TrainingWeights::Place place;
    float value;
  };
  std::span<const Entry> entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
};

struct EpochResult {
  std::size_t examples = 0;
  std::size_t mistakes = 0;
  double loss = 0;
};

// One pass over the examples in the given order.
template <class Problem>
EpochResult perceptron_epoch(Problem& problem, std::span<const std::uint32_t> order,
                             TrainingWeights& weights, const PerceptronOptions& options = {}) {
  EpochResult result;
  FeatureDifference difference;
  for (const std::uint32_t example : order) {
    difference.clear();
    const double loss = problem.decode(example, weights, difference);
    ++result.examples;
    result.loss += loss;
    if (loss > 0) {
      ++result.mistakes;
      if (options.passive_aggressive) difference.simplify();
      perceptron_step(weights, difference.entries(), loss, options);
    }
    weights.end_step();
  }
  return result;
}

}  // namespace copse
