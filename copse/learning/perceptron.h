// The averaged perceptron for structures (Collins 2002), and its passive-aggressive sister
// (Crammer et al. 2006, 1-best MIRA): decode with the current weights; where the answer is wrong,
// move towards the features of the right one.
//
//   perceptron           w += f(gold) - f(predicted)
//   passive-aggressive   w += tau (f(gold) - f(predicted)),
//                        tau = min(C, (loss + score(predicted) - score(gold)) / |f(gold) -
//                        f(predicted)|^2)
//
// A problem is anything that can say
//   size()                               how many examples there are
//   decode(i, weights, difference)       decodes example i, adds f(gold) - f(predicted) to the
//                                        difference (a FeatureDifference) and returns its Outcome
// Nothing here knows what an example is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "copse/model/training_weights.h"

namespace copse {

// A sparse vector over (row, label), the difference of two feature vectors.
class FeatureDifference {
 public:
  void clear() { entries_.clear(); }
  void add(TrainingWeights::Row row, Label label, float delta) {
    entries_.push_back({row, label, delta});
  }
  // Sorts, sums equal entries and drops those that cancel.
  void simplify();
  // Of the simplified vector.
  double squared_norm() const;

  struct Entry {
    TrainingWeights::Row row;
    Label label;
    float delta;
  };
  std::span<const Entry> entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
};

struct Outcome {
  double loss = 0;    // of the predicted structure against gold; 0 when they are the same
  double margin = 0;  // score(predicted) - score(gold); only the passive-aggressive update asks
};

struct PerceptronOptions {
  bool passive_aggressive = false;
  double aggressiveness = 0.1;  // C, the longest step
};

struct EpochResult {
  std::size_t examples = 0;
  std::size_t mistakes = 0;
  double loss = 0;
};

// w += step * difference, within the current step of the average.
void apply(const FeatureDifference& difference, float step, TrainingWeights& weights);
// The step length for one example; 0 when nothing is to be done.
float step_length(const FeatureDifference& difference, const Outcome& outcome,
                  const PerceptronOptions& options);

// One pass over the examples in the given order.
template <class Problem>
EpochResult perceptron_epoch(Problem& problem, std::span<const std::uint32_t> order,
                             TrainingWeights& weights, const PerceptronOptions& options = {}) {
  EpochResult result;
  FeatureDifference difference;
  for (const std::uint32_t example : order) {
    difference.clear();
    const Outcome outcome = problem.decode(example, weights, difference);
    ++result.examples;
    result.loss += outcome.loss;
    if (outcome.loss > 0) {
      ++result.mistakes;
      if (options.passive_aggressive) difference.simplify();
      apply(difference, step_length(difference, outcome, options), weights);
    }
    weights.end_step();
  }
  return result;
}

}  // namespace copse
