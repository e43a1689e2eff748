// The passes of the perceptron over the trees, for each weight of the generative model that is to be
// tried: all of them are measured on other trees, and the best is kept.
//
// With a checkpoint the state is saved after each pass, and a later run with the same trees and
// options goes on from there to the same model. Tags, grammar and generative models are made again:
// they come out the same.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "copse/base/thread_team.h"
#include "copse/constituency/incremental/learner.h"
#include "copse/constituency/incremental/training.h"
#include "copse/model/checkpoint_file.h"

namespace copse::incremental {

class Passes {
 public:
  // Everything must outlive it; `companions` is empty if no weight is above 0.
  Passes(std::span<const LearningExample> examples, const IncrementalParser::Parts& parts,
         std::span<const std::shared_ptr<const Companion>> companions,
         const TrainingOptions& options, const Measure& measure, const CheckpointFile& checkpoint,
         const std::function<void(const std::string&)>& say);

  void run();

  const std::vector<Epoch>& epochs() const { return epochs_; }
  // The number of the best among them, and what it learnt.
  std::size_t best() const { return best_; }
  const std::string& weights() const { return weights_; }
  std::size_t features() const { return features_; }

 private:
  std::size_t passes_of(std::size_t run) const;
  bool is_done(std::size_t run) const;
  void learn(std::size_t run, const ModelFile* from);
  void judge(const Learner& learner, Epoch& epoch);
  void save(const Learner& learner) const;
  void load(const ModelFile& file);

  std::span<const LearningExample> examples_;
  const IncrementalParser::Parts& parts_;
  std::span<const std::shared_ptr<const Companion>> companions_;
  const TrainingOptions& options_;
  const Measure& measure_;
  const CheckpointFile& checkpoint_;
  const std::function<void(const std::string&)>& say_;
  ThreadTeam team_;
  std::vector<double> mixes_;  // a run each
  std::vector<Epoch> epochs_;  // run by run
  std::size_t best_ = 0;
  std::string weights_;
  std::size_t features_ = 0;
};

}  // namespace copse::incremental
