// Passes over the sentences: the weights of the spinal parser, averaged.
//
//   w += step (f(gold) - f(best))
//
// where best is the derivation with the highest score and cost; the length of the step is that of
// learning/perceptron.h. Sentences of a batch are answered for the same weights by all threads, and
// changes are made in their order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "copse/base/pool.h"
#include "copse/base/thread_team.h"
#include "copse/constituency/spinal/features.h"
#include "copse/constituency/spinal/scorer.h"
#include "copse/constituency/spinal/survivors.h"
#include "copse/inference/spinal_search.h"
#include "copse/model/checkpoint_file.h"

namespace copse::spinal {

class Learner {
 public:
  // All of them must outlive it.
  Learner(const Survivors& examples, const Features& features, const TrainingOptions& options,
          ThreadTeam& team)
      : examples_(examples), features_(features), options_(options), team_(team) {}

  // One more pass.
  void pass();
  // The share of wrong adjunctions in each pass, in percent of the words.
  const std::vector<double>& mistakes() const { return mistakes_; }
  std::size_t features() const { return weights_.rows(); }
  std::size_t examples() const { return examples_.learnt().size(); }
  WeightRows averaged() const { return weights_.averaged(); }

  // To go on from: after load() of what save() has written, everything comes as it would have.
  void save(const CheckpointFile& to) const;
  void load(const ModelFile& from);

 private:
  struct Memory {
    PositionAtoms atoms;
    ScorerScratch scorer;
    SpinalScores scores;
    SpinalSearch search;
  };
  struct Answer {
    std::vector<KeyCount> difference;
    std::size_t wrong = 0;
  };

  void add_cost(const SpinalParts& parts, const Analysis& gold, SpinalScores& scores) const;
  void answer(std::size_t i, Memory& memory, Answer& out) const;
  void learn(const Answer& answer);

  const Survivors& examples_;
  const Features& features_;
  const TrainingOptions& options_;
  ThreadTeam& team_;
  TrainingWeights weights_;
  std::vector<double> mistakes_;
  Pool<Memory> memory_;
};

}  // namespace copse::spinal
