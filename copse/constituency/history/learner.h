// The descent that fits one network to histories; see training.h.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "copse/base/thread_team.h"
#include "copse/constituency/history/training.h"
#include "copse/learning/decision_pass.h"
#include "copse/model/model_file.h"

namespace copse::history {

// Histories to learn from and to look at, and how many words they have.
struct LearningData {
  std::vector<DecisionSteps> histories, others;
  std::size_t words = 0, other_words = 0;
};

class Learner {
 public:
  // All must outlive it.
  Learner(const LearningData& data, const NetworkShape& shape, const TrainingOptions& options,
          std::uint64_t seed, ThreadTeam& team);

  bool done() const;
  Epoch run_epoch();
  int passes() const { return passes_; }
  // The network that is kept: the mean if there is one.
  std::shared_ptr<const DecisionNetwork<float>> network() const;

  // To go on from: after load() of what save() has written, everything comes as it would have.
  void save(ModelWriter& writer, const std::string& prefix) const;
  void load(const ModelFile& file, const std::string& prefix);

 private:
  struct Shard {
    DecisionPass<float> pass;
    std::vector<float> gradient;
    double loss = 0;
  };
  std::vector<std::vector<std::size_t>> batches() const;
  double step(std::span<const std::size_t> batch, std::uint64_t dropout_seed);
  void descend(double scale, std::size_t shards);
  void update(std::size_t begin, std::size_t end, float scale);
  double other_loss();
  bool is_online() const { return options_.optimiser == "sgd"; }

  const LearningData& data_;
  const TrainingOptions& options_;
  std::uint64_t seed_;
  ThreadTeam& team_;
  DecisionNetwork<float> network_;
  TransposedWeights<float> transposed_;
  std::vector<Shard> shards_;
  std::vector<float> mean_, first_, second_;  // the running mean; moments of Adam
  int passes_ = 0, halvings_ = 0;
  std::uint64_t steps_ = 0;
  double rate_, decay_, least_loss_ = -1;
  std::size_t all_steps_ = 1;  // of all passes
};

}  // namespace copse::history
