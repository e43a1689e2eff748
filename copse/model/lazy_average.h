// The average of a weight over all steps of learning, kept lazily and exactly: a step costs nothing
// for the weights that it leaves alone. Beside the weight w a moment u is kept,
//
//   u += (c - 1) v      for each change v of w in step c
//   average = w - u / c after c steps
//
// because a change made in step c is missing from the c - 1 steps before it. It is the mean of the
// weights as they are after each step.
#pragma once

#include <cstdint>

namespace copse {

// During the step that follows on `steps` steps ended. What is averaged is what was really added
// to the rounded weight.
inline void change_weight(float& weight, double& moment, double by, std::uint64_t steps) {
  const float before = weight;
  weight += static_cast<float>(by);
  moment += static_cast<double>(steps) * (double{weight} - before);
}

// Over the steps ended so far; the weight itself before the first has.
inline float average_weight(float weight, double moment, std::uint64_t steps) {
  if (steps == 0) return weight;
  return static_cast<float>(weight - moment / static_cast<double>(steps));
}

}  // namespace copse
