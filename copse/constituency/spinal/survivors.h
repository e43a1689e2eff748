// The sentences to learn from with what a pruner leaves of them: kept for all passes, six bytes for
// each adjunction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "copse/base/pool.h"
#include "copse/base/thread_team.h"
#include "copse/constituency/spinal/analysis.h"
#include "copse/constituency/spinal/examples.h"
#include "copse/constituency/spinal/lexicon.h"
#include "copse/constituency/spinal/pruner.h"
#include "copse/constituency/unseen_tags.h"
#include "copse/inference/spinal_parts.h"

namespace copse::spinal {

struct TrainingOptions;

class Survivors {
 public:
  // All of them must outlive it; the derivations of the examples have the tags to learn from.
  Survivors(std::span<const Example> examples, const Inventory& inventory, const Lexicon& lexicon,
            const TrainingOptions& options, ThreadTeam& team);

  std::size_t size() const { return examples_.size(); }
  const Inventory& inventory() const { return inventory_; }
  // Those that are short enough to be learnt from.
  std::vector<std::uint32_t> learnt() const;
  std::span<const ParserWord> words(std::size_t i) const { return views_[i]->words(); }
  const Analysis& gold(std::size_t i) const { return gold_[i]; }

  // From all examples but those of a fold.
  Pruner learn_pruner(const UnseenFold& left_out) const;
  // Keeps what the pruner leaves of the examples of a fold, and the right adjunctions: by the alpha
  // of training for what it was learnt from, by that of the model for what it has not seen.
  void prune(const Pruner& pruner, const UnseenFold& fold, const UnseenFold& unseen = kNoFold);

  double coverage() const;  // right adjunctions that survived, in percent
  double active() const;    // adjunctions for each word
  // What can be searched: the survivors with the spines of the words, the right ones included.
  SpinalParts parts(std::size_t i) const;

 private:
  struct PackedArc {
    std::uint16_t h, m, label;
  };
  struct Memory {
    PositionAtoms atoms;
    Pruner::Scratch pruner;
  };

  bool is_learnt(std::size_t i) const;
  std::vector<bool> seen_by_pruner(const UnseenFold& left_out) const;
  void keep(std::size_t i, std::span<const SpinalArc> arcs);
  std::size_t learnt_words() const;

  std::span<const Example> examples_;
  const Inventory& inventory_;
  const TrainingOptions& options_;
  ThreadTeam& team_;
  std::vector<std::unique_ptr<WordViews>> views_;
  std::vector<Analysis> gold_;
  std::vector<std::vector<PackedArc>> arcs_;
  std::vector<std::size_t> kept_;  // right adjunctions that survive, by example
};

}  // namespace copse::spinal
