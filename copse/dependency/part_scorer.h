// Scores of all surviving parts of a sentence from frozen weights: templates to keys, keys to
// weights, one number per part and one row per arc for its labels.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "copse/base/stop.h"
#include "copse/dependency/feature_pieces.h"
#include "copse/dependency/part_features.h"
#include "copse/inference/part_index.h"
#include "copse/inference/part_scores.h"
#include "copse/model/frozen_weights.h"
#include "copse/model/key_buffer.h"
#include "copse/model/key_filter.h"
#include "copse/model/scalar_table.h"
#include "copse/model/weight_sums.h"

namespace copse {

class PartScorer {
 public:
  PartScorer() = default;
  // Views of the weights; what they look at must outlive the scorer. No labels: labels is 0.
  PartScorer(PartFeatures features, ScalarTable weights, FrozenWeights label_weights, int labels)
      : features_(std::move(features)),
        weights_(weights),
        filter_(weights),
        label_weights_(label_weights),
        labels_(labels) {}

  // Keeps what the weights look at alive.
  void keep(std::shared_ptr<const void> owner) { owner_ = std::move(owner); }

  const PartFeatures& features() const { return features_; }
  const ScalarTable& weights() const { return weights_; }
  const FrozenWeights& label_weights() const { return label_weights_; }
  int labels() const { return labels_; }

  // Scratch memory of one thread.
  struct Scratch {
    WeightSums sums;
    KeyBuffer keys;
    std::vector<const AtomValue*> siblings;
    std::vector<int> sibling_words;  // the same as positions
    FeaturePieces pieces;
    std::vector<std::size_t> ends;  // of the keys of each arc's labels
    Stop stop;                      // asked between some hundred features; throws Stopped
  };

  void score(const PartIndex& index, const PositionAtoms& atoms, Scratch& scratch,
             PartScores& out) const;

 private:
  bool summed() const { return features_.scheme() == KeyScheme::summed; }
  // Appends the keys of a part's features.
  void take_keys(int section, const PositionAtoms& atoms, const Part& part, FeaturePieces& pieces,
                 KeyBuffer& out) const;
  void sum_grand_siblings(const PartIndex& index, const PositionAtoms& atoms,
                          Scratch& scratch) const;
  // Of the arcs of one side of a head.
  void sum_grand_siblings(const PartIndex& index, PartIndex::Range arcs, const PositionAtoms& atoms,
                          Scratch& scratch) const;
  void score_labels(const PartIndex& index, const PositionAtoms& atoms, Scratch& scratch,
                    PartScores& out) const;

  PartFeatures features_;
  ScalarTable weights_;
  KeyFilter filter_;
  FrozenWeights label_weights_;
  int labels_ = 0;
  std::shared_ptr<const void> owner_;
};

}  // namespace copse
