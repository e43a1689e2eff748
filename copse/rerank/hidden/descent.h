// Stochastic gradient descent over lists with hidden values; see training.h for the recipe.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "copse/base/pace.h"
#include "copse/base/thread_team.h"
#include "copse/learning/decayed_weights.h"
#include "copse/rerank/hidden/objective.h"
#include "copse/rerank/hidden/training_data.h"

namespace copse::hidden {

struct DescentOptions {
  double rate = 0.1, variance = 0;  // 0: no prior
  double base = 1;                  // a0
  Loss loss = Loss::likelihood;
  double temperature = 1;  // of a graded loss
  int batch = 1;
  std::uint64_t seed = 1;
};

// Noise for every weight, uniform in [-size, size]: a hash of its feature, its place in the block and
// the seed.
std::vector<double> noise_of(const Blocks& blocks, double size, std::uint64_t seed);

class Descent {
 public:
  // `data` must outlive this; the threads of `team` share the work.
  Descent(const HiddenData& data, const DescentOptions& options, DecayedWeights weights,
          ThreadTeam& team);

  // Pass number `epoch` of the seed's orders over the first `lists` of the data (all if 0), `seen`
  // lists after the rates began; returns the mean loss before each step. Tied: the weights of a
  // block move together.
  double run_epoch(std::uint64_t epoch, std::size_t seen, bool tied, std::size_t lists,
                   const WorkDone& during);

  DecayedWeights& weights() { return weights_; }
  const DecayedWeights& weights() const { return weights_; }
  // As a model keeps them: averaged if an average is kept.
  std::vector<float> rounded() const;

 private:
  double step(std::span<const std::size_t> batch, double rate, double lists, bool tied);

  const HiddenData& data_;
  DescentOptions options_;
  DecayedWeights weights_;
  ThreadTeam& team_;
  std::vector<ListWork> works_;  // of the lists of a batch
};

}  // namespace copse::hidden
