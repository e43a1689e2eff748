#include "copse/learning/mixed_online.h"

namespace copse::detail {

OnlineOptions options_of_block(OnlineOptions options, std::size_t block, std::size_t blocks) {
  constexpr std::uint64_t kApart = 1'000'003;  // seeds are small numbers as a rule
  options.seed += kApart * block;
  options.aggressiveness *= static_cast<double>(blocks);
  return options;
}

void subtract_start(const OnlineState& start, const OnlineState& learnt, std::span<double> out) {
  const std::size_t dimension = start.weights.size();
  for (std::size_t j = 0; j < dimension; ++j) {
    const double change = double{learnt.weights[j]} - start.weights[j];
    out[j] = change;
    // The mixing takes the change back and adds the mean, in the step that follows.
    out[dimension + j] = learnt.moments[j] - static_cast<double>(learnt.steps) * change;
  }
}

void mix(OnlineState& state, std::span<const double> sums, std::size_t blocks,
         std::size_t examples) {
  const std::size_t dimension = state.weights.size();
  state.steps += examples;
  ++state.passes;
  for (std::size_t j = 0; j < dimension; ++j) {
    state.moments[j] += sums[dimension + j];
    change_weight(state.weights[j], state.moments[j], sums[j] / static_cast<double>(blocks),
                  state.steps);
  }
}

}  // namespace copse::detail
