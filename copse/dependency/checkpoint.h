// Training that can be broken off: after each pass its state is saved, and a later run with the
// same data and options goes on from there to the same model.
//
//   config         identity, dimension, passes, chosen, history
//   best.weights   of the best pass so far
//   state.*        of the learner (learner_run.h)
#pragma once

#include <optional>
#include <string>

#include "copse/dependency/learner_run.h"
#include "copse/dependency/training_history.h"
#include "copse/model/checkpoint_file.h"

namespace copse {

class TrainingCheckpoint {
 public:
  // `path` empty: nothing is saved or found. `identity`: of data and options. `group`: null, or the
  // processes whose leader reads and writes for all; every call is then made by all of them.
  TrainingCheckpoint(std::string path, std::string identity, Group* group = nullptr)
      : file_(std::move(path), "dependency-checkpoint", std::move(identity)), group_(group) {}

  // The state to go on from, and what had been reached in `history`; nothing if there is no such
  // file. Throws usage_error if it is of other data or options, data_error if it is damaged.
  std::optional<ModelFile> open(std::size_t dimension, TrainingHistory& history) const;
  void save(const TrainingHistory& history, const PassDone& done) const;

 private:
  std::optional<ModelFile> open_for_all() const;

  CheckpointFile file_;
  Group* group_;
};

}  // namespace copse
