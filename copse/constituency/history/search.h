// The search of the history parser: a beam of the best derivations after each word.
//
// Between words a queue holds partial derivations by ln P. The best is taken out: one that ends with
// the SHIFT of the next word is a result, others are carried on by all that they may do. ln P only
// falls, so that the first `beam` results are exactly the best continuations of the beam. What a
// SHIFT costs is looked up in a large softmax, so it first enters the queue with what it costs at
// least. Several derivations are taken out at once, for larger products; results are the same.
//
// When more steps were looked at than the limit allows, derivations only finish what they have begun.
//
// Probabilities are those of one network, or the mean of several.
#pragma once

#include <cstdint>
#include <memory>
#include <queue>
#include <span>
#include <vector>

#include "copse/base/arena.h"
#include "copse/base/stop.h"
#include "copse/constituency/history/search_options.h"
#include "copse/constituency/history/steps.h"
#include "copse/learning/decision_states.h"

namespace copse::history {

// A derivation; its actions are read backwards.
struct Derivation {
  double log_probability = 0;
  const Derivation* before = nullptr;
  StackState state;
};
std::vector<Action> actions_of(const Derivation& last);

using Networks = std::vector<std::shared_ptr<const DecisionNetwork<float>>>;

class Search {
 public:
  // All must outlive the search of a sentence.
  void start(const StepMaker& steps, const Networks& networks, const SentenceSymbols& sentence,
             const SearchOptions& options);
  // The complete derivations, best first, at most k; none if the search gave up. Alive until the
  // next start().
  std::vector<const Derivation*> run(int k, const Stop& stop);
  // Words at which the limit of steps was reached.
  int limited() const { return limited_; }

 private:
  enum class Stage : std::uint8_t { grow, bound, done };
  struct Entry {
    double log_probability;
    std::uint64_t order;  // of entering, for ties
    const Derivation* from;
    Action action;
    Stage stage;
    bool operator<(const Entry& other) const {
      return log_probability != other.log_probability ? log_probability < other.log_probability
                                                      : order > other.order;
    }
  };

  void advance(std::size_t wanted, const Stop& stop);
  bool take_batch(std::size_t wanted);
  void hurry(std::size_t wanted);
  Derivation* apply(const Entry& entry);
  void grow();
  void grow_one(std::size_t i);
  void weigh_shifts();
  void push(double log_probability, const Derivation* from, const Action& action, Stage stage);
  void drop_vectors();
  double cut(std::size_t wanted) const;

  // Mean probabilities of the rows of a factor.
  void probabilities(std::uint32_t factor, std::span<const std::int32_t> vectors,
                     std::span<const std::uint32_t> groups, std::vector<float>& out);

  const StepMaker* steps_ = nullptr;
  const Networks* networks_ = nullptr;
  const SentenceSymbols* sentence_ = nullptr;
  SearchOptions options_;
  std::vector<DecisionStates<float>> states_;  // by network, with the same numbers
  Arena arena_;
  std::priority_queue<Entry> queue_;
  std::uint64_t order_ = 0;
  std::vector<Entry> results_;  // a heap, the worst in front
  std::vector<Derivation*> beam_;
  std::vector<Entry> growing_, shifting_;  // of a batch
  std::vector<Derivation*> grown_;
  std::vector<float> kinds_, labels_, tags_, words_, other_;
  std::vector<std::int32_t> numbers_;
  std::vector<std::uint32_t> allowed_;
  int taken_ = 0, limited_ = 0;
  bool hurried_ = false;
};

}  // namespace copse::history
