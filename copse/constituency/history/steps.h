// What the network reads at a step of a derivation: roles, features, places of words.
//
// The vector of a step belongs to the node that is then on top of the stack. Roles (Henderson 2003):
//
//   SELF    the latest vector of the top itself       LEFT     of its first child
//   ANC     of the node just below it                 RECENT   of its last child
//
// The step before is always one of them: after SHIFT it is ANC, after PROJECT LEFT, after ATTACH
// RECENT. Nodes are never changed, so that derivations share what they have in common: a node with
// one child more, or with a later vector, is another node.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "copse/constituency/history/derivation.h"
#include "copse/constituency/history/vocabulary.h"
#include "copse/learning/decision_network.h"

namespace copse::history {

inline constexpr std::size_t kRoles = 4;
inline constexpr std::size_t kOwnPlaces =
    3;  // last word, left corner of the top, of the node below
inline constexpr int kMostLookahead = 4;

struct StepOptions {
  int lookahead = 0;  // words ahead that are read; more than 0: words are given, not predicted
  bool flat = false;  // one softmax over all actions
  bool more = true;   // features beyond those of the paper
};

struct StackNode {
  const StackNode* below = nullptr;                                    // null: ROOT
  std::uint32_t symbol = 0;                                            // see StepMaker
  std::uint32_t first_symbol = 0, last_symbol = 0, sister_symbol = 0;  // of children
  std::int32_t latest = kNoStep;                                       // vectors
  std::int32_t first_vector = kNoStep, last_vector = kNoStep;
  std::int32_t left_corner = kNoStep;  // a word
  std::uint32_t children = 0;
  bool leaf = false;
};

// What stands after some actions.
struct StackState {
  StackNode top;  // its `latest` is that of the step before, if it had one
  Action last;
  bool begun = false;
  int words = 0;  // that were shifted
  int chain = 0;  // PROJECTs since the last SHIFT or ATTACH

  TopView view() const;
};

// The words of a sentence as the network has them.
struct SentenceSymbols {
  std::vector<std::uint32_t> tags, rows;  // the tag, and the row of the word among those of the tag
  DecisionSteps items;                    // words, and the end of the sentence
  std::size_t words() const { return tags.size(); }
};

class StepMaker {
 public:
  StepMaker(const Vocabulary& vocabulary, const StepOptions& options, int longest_chain);

  const StepOptions& options() const { return options_; }
  int longest_chain() const { return longest_chain_; }
  bool conditional() const { return options_.lookahead > 0; }
  // Features, places and factors of a network for these steps.
  void fill(NetworkShape& shape) const;

  SentenceSymbols symbols(std::span<const std::string> tags, std::span<const std::string> words,
                          const WordClusters* clusters) const;

  // The states after actions; nodes in arguments must outlive what is made.
  static StackState start() { return {}; }
  StackState shifted(const StackNode* top, const StackState& before, std::uint32_t tag) const;
  StackState projected(const StackState& before, std::uint32_t label) const;
  static StackState attached(const StackState& before);

  // What the network reads at a state.
  struct Input {
    std::array<std::uint32_t, 12> features;
    std::size_t feature_count = 0;
    std::array<std::int32_t, kOwnPlaces + kMostLookahead> places;
    std::array<std::int32_t, kRoles> roles;
  };
  Input input(const StackState& state, const SentenceSymbols& sentence) const;
  std::size_t places() const;

  std::uint32_t allowed(const StackState& state, std::size_t words) const;
  // The decisions of an action, each a factor of its probability; `step` is filled in.
  void add_decisions(const StackState& state, const Action& action, const SentenceSymbols& sentence,
                     std::uint32_t step, std::vector<StepDecision>& out) const;

  // Factors: one of all actions, or kinds, labels, tags, and words for each tag.
  static constexpr std::uint32_t kKindFactor = 0, kLabelFactor = 1, kTagFactor = 2, kWordFactor = 3;
  // Of a flat softmax: where the rows of PROJECT and ATTACH begin.
  std::uint32_t flat_project() const { return flat_project_; }
  std::uint32_t flat_attach() const { return flat_project_ + labels_; }
  std::uint32_t flat_shift(const SentenceSymbols& sentence, std::size_t word) const;

  // The whole history of a derivation. Throws data_error for illegal actions.
  DecisionSteps history(std::span<const Action> actions, const SentenceSymbols& sentence) const;

 private:
  std::uint32_t label_symbol(std::uint32_t label) const { return 2 + label; }
  std::uint32_t tag_symbol(std::uint32_t tag) const { return 2 + labels_ + tag; }

  const Vocabulary* vocabulary_;
  StepOptions options_;
  int longest_chain_;
  std::uint32_t labels_, tags_, symbols_;  // symbols: none, ROOT, labels, tags
  std::uint32_t flat_project_ = 1;
};

}  // namespace copse::history
