// The perceptron of the incremental parser; see training.h.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "copse/base/pool.h"
#include "copse/base/thread_team.h"
#include "copse/constituency/incremental/search.h"
#include "copse/constituency/incremental/training.h"
#include "copse/model/training_weights.h"

namespace copse::incremental {

enum class Update { early, max_violation, full };
// Throws usage_error for other names.
Update update_named(std::string_view name);

// A tree to learn from.
struct LearningExample {
  std::unique_ptr<WordViews> views;
  std::vector<Readings> readings;  // of each word; that of the move among them
  std::vector<Move> moves;
  int companion = 0;  // number of the generative model that has not seen it
};

// How often a key occurs with a label.
struct KeyCount {
  FeatureKey key = 0;
  Label label = 0;
  float count = 0;
};

// Adds the features of the last steps of a hypothesis, those after `from` words, `times` each.
void add_features(const Hypothesis& last, int from, const Grammar& grammar,
                  const Features& features, const SentenceWords& words, Spines& spines, float times,
                  std::vector<KeyCount>& out);
// f(gold) - f(found), each once and none with 0.
std::vector<KeyCount> feature_difference(const Hypothesis& gold, const Hypothesis& found,
                                         const Grammar& grammar, const Features& features,
                                         const SentenceWords& words, Spines& spines);

class Learner {
 public:
  // Without companions there is no generative model, else it has the weight `mix`.
  Learner(std::span<const LearningExample> examples, const IncrementalParser::Parts& parts,
          std::span<const std::shared_ptr<const Companion>> companions, double mix,
          const TrainingOptions& options, ThreadTeam& team)
      : examples_(examples),
        parts_(parts),
        companions_(companions),
        mix_(mix),
        options_(options),
        update_(update_named(options.update)),
        team_(team) {}

  Epoch run_epoch(int epoch);
  const TrainingWeights& weights() const { return weights_; }

  // To go on from: after load() of what save() has written, everything comes as it would have.
  void save(ModelWriter& writer, const std::string& prefix) const;
  void load(const ModelFile& file, const std::string& prefix);

 private:
  struct Memory {
    SentenceWords words;
    Search<TrainingWeights> search;
  };
  using Difference = std::vector<KeyCount>;
  struct Answer {
    bool lost = false;
    double loss = 0;                     // steps of the best candidate that are wrong
    std::vector<Difference> candidates;  // best first; empty if gold won
  };
  struct Cached {
    std::size_t example = 0;
    int uses = 0;
    std::vector<Difference> candidates;
  };

  void answer(std::size_t example, Answer& out);
  double step_of(const Difference& difference, double loss) const;
  void learn(const Difference& difference, double loss);
  double margin(const Difference& difference) const;
  void keep(std::size_t example, Answer& answer);
  void sweep();
  void load_cache(const ModelFile& file, const std::string& prefix);

  std::span<const LearningExample> examples_;
  const IncrementalParser::Parts& parts_;
  std::span<const std::shared_ptr<const Companion>> companions_;
  double mix_;
  const TrainingOptions& options_;
  Update update_;
  ThreadTeam& team_;
  TrainingWeights weights_;
  Pool<Memory> memory_;
  std::vector<Cached> cache_;
  int since_sweep_ = 0;
};

}  // namespace copse::incremental
