// A treebank as a learner sees it: sentences with their surviving parts, the features of each part
// as dense numbers, and the searchers that answer for scores. Models PartProblem.
//
// Parts of sentence i: those of its PartIndex, then one for each surviving arc and label,
// index.size() + a * labels + l. Non-projective trees use the arcs of a first-order index.
//
// Features are collected once (feature_numbers.h) and kept as numbers (stored_features.h).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "copse/base/block_sum.h"
#include "copse/base/pool.h"
#include "copse/base/thread_team.h"
#include "copse/dependency/feature_numbers.h"
#include "copse/dependency/part_features.h"
#include "copse/dependency/stored_features.h"
#include "copse/inference/head_automata.h"
#include "copse/inference/part_index.h"
#include "copse/inference/tree_search.h"
#include "copse/learning/part_problem.h"

namespace copse {

struct ProblemSentence {
  std::span<const ParserWord> words;
  std::vector<int> heads;   // [0] unused; a tree of the right kind
  std::vector<int> labels;  // [0] unused; empty if there are none; -1: a label never seen
  ArcMask mask{0};
};

class TrainingProblem {
 public:
  // `numbers` null: features are collected from these sentences. Sentences whose tree is not in
  // their mask must not be given for training. `own`: the sentences that will be asked for, if not
  // all are: the others count where features are collected, and are forgotten.
  TrainingProblem(const std::vector<ProblemSentence>& sentences, const PartFeatures& features,
                  const WordClusters* clusters, int labels, const TreeKind& kind,
                  const FeatureSelection& selection, std::shared_ptr<FeatureNumbers> numbers,
                  ThreadTeam& team, std::optional<Range> own = {});

  std::size_t size() const { return examples_.size(); }
  std::size_t dimension() const { return numbers_->dimension(); }
  std::size_t parts(std::size_t i) const {
    return static_cast<std::size_t>(examples_[i].index->size()) + label_parts(examples_[i]);
  }
  std::vector<float> gold(std::size_t i) const;
  void cost(std::size_t i, std::span<float> out) const;
  void score(std::size_t i, std::span<const float> w, std::span<float> out) const {
    examples_[i].features.score(*numbers_, labels_, w, out);
  }
  template <class Visit>
  void for_each_feature(std::size_t i, std::span<const float> coefficients, Visit&& visit) const {
    examples_[i].features.for_each(*numbers_, labels_, coefficients, visit);
  }
  void best(std::size_t i, std::span<const float> scores, std::span<float> out) const;
  double marginals(std::size_t i, std::span<const float> scores, std::span<float> out) const;

  // Shifts scores by what all trees have in common: the largest arc and label of each word.
  void recentre(std::size_t i, std::span<float> scores) const;

  // The best tree as heads and labels.
  ArcTree best_tree(std::size_t i, std::span<const float> scores) const;

  // Kinds that are searched by dual decomposition: best() gives what the head automata choose, each
  // for itself, which is no tree in general (the set Z of Koo et al. 2010).
  void learn_over_automata(bool yes) { over_automata_ = yes; }

  const std::shared_ptr<FeatureNumbers>& numbers() const { return numbers_; }
  const PartIndex& index(std::size_t i) const { return *examples_[i].index; }
  int labels() const { return labels_; }
  std::size_t bytes() const;

 private:
  struct Example {
    std::unique_ptr<const PartIndex> index;
    std::vector<std::uint32_t> gold;  // the parts of the right tree: few among many
    StoredFeatures features;
  };
  struct Scratch {
    TreeSearch search;
    PartScores part_scores;
    std::vector<PartIndex::Id> tree_parts;
    HeadAutomata automata;
    AutomataChoice choice;
  };

  std::size_t label_parts(const Example& example) const {
    return static_cast<std::size_t>(example.index->arcs()) * static_cast<std::size_t>(labels_);
  }
  // Both passes go through the keys of all sentences in their order.
  class Keys;
  void collect(Keys& keys, const FeatureSelection& selection);
  template <class Number>
  void store(Keys& keys, Range range, Number&& number);
  void count(const ProblemSentence& sentence, const Example& example, const PartKeys& keys,
             const FeatureSelection& selection, FeatureCollector& collector) const;
  void mark_gold(const ProblemSentence& sentence, Example& example) const;
  void fill_part_scores(const Example& example, std::span<const float> scores,
                        PartScores& out) const;
  void mark(const Example& example, const std::vector<int>& heads, const std::vector<int>& labels,
            Scratch& scratch, std::span<float> out) const;

  void mark_choice(const Example& example, Scratch& scratch, std::span<float> out) const;

  TreeKind kind_;
  bool over_automata_ = false;
  int labels_;
  std::shared_ptr<FeatureNumbers> numbers_;
  Range own_;
  std::vector<Example> examples_;
  mutable Pool<Scratch> scratch_;
};

}  // namespace copse
