// A treebank as a learner sees it: sentences with their surviving parts, the features of each part
// as dense numbers, and the searchers that answer for scores. Models PartProblem.
//
// Parts of sentence i: those of its PartIndex, then one for each surviving arc and label,
// index.size() + a * labels + l. Non-projective trees use the arcs of a first-order index.
//
// Features are collected once and kept as numbers, so that a pass over the data looks up no keys.
// Which features there are is decided beforehand: those met at least `min_count` times in surviving
// parts, right or wrong. A label feature has weights for the labels that training shows with it,
// and for all labels when it is frequent.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "copse/base/pool.h"
#include "copse/base/thread_team.h"
#include "copse/dependency/part_features.h"
#include "copse/inference/part_index.h"
#include "copse/inference/tree_search.h"
#include "copse/learning/part_problem.h"
#include "copse/model/feature_table.h"

namespace copse {

struct ProblemSentence {
  std::span<const ParserWord> words;
  std::vector<int> heads;   // [0] unused; a tree of the right kind
  std::vector<int> labels;  // [0] unused; empty if there are none; -1: a label never seen
  ArcMask mask{0};
};

struct FeatureSelection {
  int min_count = 2;        // features met less often are left out ...
  int gold_weight = 1;      // ... each part of a right tree counting as so many
  int full_label_row = 20;  // label features met that often have a weight for every label
};

// Keys to numbers, for part features and for label features.
class FeatureNumbers {
 public:
  static constexpr FeatureId kNone = FeatureTable::kNone;

  FeatureId part(FeatureKey key) const { return parts_.find(key); }
  FeatureId label(FeatureKey key) const { return labels_.find(key); }
  std::size_t parts() const { return part_keys_.size(); }
  // Weights of label feature b are numbered parts() + cell, its cells being first_cell[b] ..
  std::span<const std::uint16_t> labels_of(FeatureId b) const {
    return {cell_labels_.data() + first_cell_[b], first_cell_[b + 1] - first_cell_[b]};
  }
  std::size_t first_weight(FeatureId b) const { return parts() + first_cell_[b]; }
  std::size_t dimension() const { return parts() + cell_labels_.size(); }

  // Gives back the memory that finding needs; part() and label() find nothing any more.
  void forget_lookup() {
    parts_ = {};
    labels_ = {};
  }

  std::span<const FeatureKey> part_keys() const { return part_keys_; }
  std::span<const FeatureKey> label_keys() const { return label_keys_; }

 private:
  friend class FeatureCollector;
  FeatureTable parts_, labels_;
  std::vector<FeatureKey> part_keys_, label_keys_;  // by number
  std::vector<std::uint32_t> first_cell_{0};
  std::vector<std::uint16_t> cell_labels_;
};

class TrainingProblem {
 public:
  // `numbers` null: features are collected from these sentences. Sentences whose tree is not in
  // their mask must not be given for training.
  TrainingProblem(std::vector<ProblemSentence> sentences, const PartFeatures& features,
                  const WordClusters* clusters, int labels, const TreeKind& kind,
                  const FeatureSelection& selection, std::shared_ptr<FeatureNumbers> numbers,
                  ThreadTeam& team);

  std::size_t size() const { return examples_.size(); }
  std::size_t dimension() const { return numbers_->dimension(); }
  std::size_t parts(std::size_t i) const {
    return static_cast<std::size_t>(examples_[i].index->size()) + label_parts(examples_[i]);
  }
  std::span<const float> gold(std::size_t i) const { return examples_[i].gold; }
  void cost(std::size_t i, std::span<float> out) const;
  void score(std::size_t i, std::span<const float> w, std::span<float> out) const;
  template <class Visit>
  void for_each_feature(std::size_t i, std::span<const float> coefficients, Visit&& visit) const;
  void best(std::size_t i, std::span<const float> scores, std::span<float> out) const;
  double marginals(std::size_t i, std::span<const float> scores, std::span<float> out) const;

  // Shifts scores by what all trees have in common: the largest arc and label of each word.
  void recentre(std::size_t i, std::span<float> scores) const;

  // The best tree as heads and labels.
  ProjectiveTree best_tree(std::size_t i, std::span<const float> scores) const;

  const std::shared_ptr<FeatureNumbers>& numbers() const { return numbers_; }
  const PartIndex& index(std::size_t i) const { return *examples_[i].index; }
  int labels() const { return labels_; }
  std::size_t bytes() const;

 private:
  struct Example {
    std::unique_ptr<const PartIndex> index;
    std::vector<float> gold;
    // The features of part p are ids[begin[p]] .. ids[begin[p + 1]]; then those of the labels of
    // each arc.
    std::vector<std::uint32_t> begin;
    std::vector<FeatureId> ids;
  };
  struct Scratch {
    TreeSearch search;
    PartScores part_scores;
    std::vector<PartIndex::Id> tree_parts;
  };

  std::size_t label_parts(const Example& example) const {
    return static_cast<std::size_t>(example.index->arcs()) * static_cast<std::size_t>(labels_);
  }
  void prepare(const ProblemSentence& sentence, Example& example) const;
  void mark_gold(const ProblemSentence& sentence, Example& example) const;
  void fill_part_scores(const Example& example, std::span<const float> scores,
                        PartScores& out) const;
  void mark(const Example& example, const std::vector<int>& heads, const std::vector<int>& labels,
            Scratch& scratch, std::span<float> out) const;

  TreeKind kind_;
  int labels_;
  std::shared_ptr<FeatureNumbers> numbers_;
  std::vector<Example> examples_;
  mutable Pool<Scratch> scratch_;
};

template <class Visit>
void TrainingProblem::for_each_feature(std::size_t i, std::span<const float> coefficients,
                                       Visit&& visit) const {
  const Example& example = examples_[i];
  const auto parts = static_cast<std::size_t>(example.index->size());
  for (std::size_t p = 0; p < parts; ++p) {
    const float value = coefficients[p];
    if (value == 0) continue;
    for (std::uint32_t k = example.begin[p]; k < example.begin[p + 1]; ++k) {
      visit(example.ids[k], value);
    }
  }
  if (labels_ == 0) return;
  const auto width = static_cast<std::size_t>(labels_);
  const auto arcs = static_cast<std::size_t>(example.index->arcs());
  for (std::size_t a = 0; a < arcs; ++a) {
    const float* const row = coefficients.data() + parts + a * width;
    const bool any = std::any_of(row, row + width, [](float value) { return value != 0; });
    if (!any) continue;
    for (std::uint32_t k = example.begin[parts + a]; k < example.begin[parts + a + 1]; ++k) {
      const FeatureId feature = example.ids[k];
      const auto labels = numbers_->labels_of(feature);
      const std::size_t first = numbers_->first_weight(feature);
      for (std::size_t cell = 0; cell < labels.size(); ++cell) {
        if (row[labels[cell]] != 0) {
          visit(static_cast<FeatureId>(first + cell), row[labels[cell]]);
        }
      }
    }
  }
}

}  // namespace copse
