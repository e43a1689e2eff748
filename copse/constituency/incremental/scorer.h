// Scores of everything that can be built while a word is attached: the features' and, where there is
// one, the log-probability of the generative model with a weight.
//
// Hypotheses whose open phrases look alike to all features share one Site; chains that begin alike
// share the scores of their first phrases; contexts that look alike to a group of templates share
// what that group says of them (Features::node_groups).
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "copse/constituency/incremental/companion.h"
#include "copse/constituency/incremental/context_cache.h"
#include "copse/constituency/incremental/features.h"
#include "copse/model/frozen_weights.h"
#include "copse/model/training_weights.h"

namespace copse::incremental {

// What every search of a model needs; all of it outlives the search.
template <class Weights>
struct ScoringModel {
  const Grammar* grammar = nullptr;
  const HeadRules* heads = nullptr;
  const Features* features = nullptr;
  const Weights* weights = nullptr;
  const Companion* companion = nullptr;  // null: none
  double companion_weight = 0;
};

struct Score {
  double total = 0;            // features and weighted log-probability
  double log_probability = 0;  // of the generative model
  Score& operator+=(const Score& other) {
    total += other.total;
    log_probability += other.log_probability;
    return *this;
  }
  friend Score operator+(Score left, const Score& right) { return left += right; }
};

struct ChainScore {
  int chain = 0;
  Score score;
};

// A place to attach a word at.
struct Site {
  Score end;                          // of closing the phrase
  bool may_end = true;                // as the grammar has it
  std::uint32_t begin = 0, size = 0;  // of its chains
};

// What is added for each step that the grammar does not know, where nothing else is left.
inline constexpr double kRelaxedPenalty = -1000;

// Groups of keys, each with scores of its own: those of group g end where ends[g] says.
inline void add_weights(const FrozenWeights& weights, std::span<const FeatureKey> keys,
                        std::span<const std::size_t> ends, std::vector<TrainingWeights::Row>&,
                        std::span<float> scores) {
  weights.add_groups_to(keys, ends, scores);
}
inline void add_weights(const TrainingWeights& weights, std::span<const FeatureKey> keys,
                        std::span<const std::size_t> ends, std::vector<TrainingWeights::Row>& rows,
                        std::span<float> scores) {
  const std::size_t labels = scores.size() / ends.size();
  for (std::size_t g = 0, begin = 0; g < ends.size(); begin = ends[g++]) {
    weights.find_all(keys.subspan(begin, ends[g] - begin), rows);
    weights.add_all_to(rows, scores.subspan(g * labels, labels));
  }
}
inline float weight_of(const FrozenWeights& weights, FeatureKey key, LabelId label) {
  float found = 0;
  weights.for_each(weights.find(key), [&](Label each, float weight) {
    if (each == label) found = weight;
  });
  return found;
}
inline float weight_of(const TrainingWeights& weights, FeatureKey key, LabelId label) {
  const auto row = weights.find(key);
  return row == TrainingWeights::kNoRow ? 0 : weights.weight(row, label);
}

template <class Weights>
class Scorer {
 public:
  void start(const ScoringModel<Weights>& model, const SentenceWords& words) {
    model_ = model;
    words_ = &words;
    relaxed_ = false;
  }
  // The word to be attached; the one after the last is the end. Forgets all sites.
  void set_position(int position) {
    position_ = position;
    clear();
  }
  // Steps that the grammar does not know cost kRelaxedPenalty instead of being left out.
  void set_relaxed(bool relaxed) {
    relaxed_ = relaxed;
    clear();
  }

  // With every chain of the tag (none for kEnd). Valid until the next call.
  const Site& site(const Cell& cell, LabelId tag) {
    const NodeContext context = model_.features->context(cell, *words_, position_, tag);
    const auto [number, is_new] = sites_.find(context, context.hash());
    if (is_new) {
      site_list_.push_back(make_site(cell, context));
    }
    return site_list_[number];
  }
  std::span<const ChainScore> chains(const Site& site) const {
    return std::span(chain_scores_).subspan(site.begin, site.size);
  }
  // Of one chain, whether or not it is in use.
  Score chain(const Cell& cell, const Chain& labels) {
    path_.clear();
    path_.reserve(labels.size());
    const LabelId tag = labels.back();
    const Cell* parent = &cell;
    Score sum;
    for (std::size_t k = 0; k < labels.size(); ++k) {
      sum += node(*parent, tag, labels[k]);
      if (k + 1 < labels.size()) parent = &descend(*parent, labels[k]);
    }
    return sum + word(*parent, tag);
  }

 private:
  void clear() {
    sites_.clear();
    nodes_.clear();
    site_list_.clear();
    chain_scores_.clear();
    parts_.clear();
    part_rows_.clear();
    scores_.clear();
    companion_parts_.clear();
    companion_rows_.clear();
    logs_.clear();
    word_cache_.clear();
    word_scores_.clear();
  }
  std::size_t labels() const { return model_.grammar->labels(); }

  const Cell& descend(const Cell& parent, LabelId label) {
    Cell cell;
    cell.label = label;
    cell.up = &parent;
    if (slashed(label)) cell.head = parent.head;
    path_.push_back(cell);
    return path_.back();
  }
  bool slashed(LabelId label) const { return model_.grammar->is_slashed(label); }

  // The number of the scores of everything that can be built in a cell.
  std::uint32_t scores_of(const Cell& cell, LabelId tag) {
    return scores_of(model_.features->context(cell, *words_, position_, tag));
  }
  std::uint32_t scores_of(const NodeContext& context) {
    const auto [number, is_new] = nodes_.find(context, context.hash());
    if (!is_new) return number;
    const auto& groups = model_.features->node_groups();
    keys_.clear();
    ends_.clear();
    for (std::size_t g = 0; g < groups.size(); ++g) {
      NodeContext part = masked(context, groups[g].mask);
      part.group = static_cast<std::uint16_t>(g + 1);
      const auto [row, row_is_new] = parts_.find(part, part.hash());
      part_rows_.push_back(row);
      if (!row_is_new) continue;
      model_.features->add_node_keys(groups[g], part, *words_, position_, keys_);
      ends_.push_back(keys_.size());
    }
    if (!ends_.empty()) {
      scores_.resize(scores_.size() + ends_.size() * labels());
      add_weights(*model_.weights, keys_, ends_, rows_,
                  std::span(scores_).last(ends_.size() * labels()));
    }
    if (model_.companion != nullptr) add_companion(context);
    return number;
  }
  void add_companion(const NodeContext& context) {
    const NodeContext part = masked(context, model_.companion->node_mask());
    const auto [row, is_new] = companion_parts_.find(part, part.hash());
    companion_rows_.push_back(row);
    if (!is_new) return;
    logs_.resize(logs_.size() + labels());
    model_.companion->node(part, *words_, position_, keys_, std::span(logs_).last(labels()));
  }
  Score built(std::uint32_t number, LabelId label) {
    const std::size_t groups = model_.features->node_groups().size();
    const std::uint32_t* const rows = part_rows_.data() + number * groups;
    float sum = 0;
    for (std::size_t g = 0; g < groups; ++g) sum += scores_[rows[g] * labels() + label];
    Score score{sum, 0};
    if (model_.companion != nullptr) {
      score.log_probability = log_of(logs_[companion_rows_[number] * labels() + label]);
      score.total += model_.companion_weight * score.log_probability;
    }
    return score;
  }
  // A probability becomes its logarithm when it is first asked for: those are never above 0.
  static float log_of(float& value) {
    if (value > 0) value = std::min(std::log(value), 0.0F);
    return value;
  }
  Score node(const Cell& cell, LabelId tag, LabelId label) {
    return built(scores_of(cell, tag), label);
  }
  Score word(const Cell& cell, LabelId tag) {
    const WordContext context = Features::word_context(cell, tag);
    const auto [number, is_new] = word_cache_.find(context, context.hash());
    if (is_new) {
      Score score;
      model_.features->word_keys(context, *words_, position_, keys_);
      float sum = 0;
      for (const FeatureKey key : keys_) sum += weight_of(*model_.weights, key, tag);
      score.total = sum;
      if (model_.companion != nullptr) {
        score.log_probability = model_.companion->word(context, *words_, position_, keys_);
        score.total += model_.companion_weight * score.log_probability;
      }
      word_scores_.push_back(score);
    }
    return word_scores_[number];
  }

  bool allowed(const Cell& cell, LabelId child, Score& score) const {
    if (model_.grammar->follows(cell.label, cell.last, child)) return true;
    score.total += kRelaxedPenalty;
    return relaxed_;
  }

  Site make_site(const Cell& cell, const NodeContext& context) {
    Site site;
    const std::uint32_t scores = scores_of(context);
    site.end = built(scores, kEnd);
    site.may_end = allowed(cell, kEnd, site.end);
    site.begin = static_cast<std::uint32_t>(chain_scores_.size());
    const LabelId tag = context.tag;
    const auto tree = model_.grammar->chains_of(tag);
    if (!tree.empty()) {
      path_.clear();
      path_.reserve(tree.size());
      add_chains(cell, tag, tree, 0, scores, {});
    }
    site.size = static_cast<std::uint32_t>(chain_scores_.size()) - site.begin;
    return site;
  }
  // Of a node of the tree of chains, whose phrase is `cell`.
  void add_chains(const Cell& cell, LabelId tag, std::span<const ChainNode> tree, int node,
                  std::uint32_t scores, const Score& sum) {
    const ChainNode& self = tree[static_cast<std::size_t>(node)];
    if (self.chain >= 0) {
      Score score = sum + built(scores, tag);
      if (node != 0 || allowed(cell, tag, score)) {
        chain_scores_.push_back({self.chain, score + word(cell, tag)});
      }
    }
    for (int child = node + 1; child < self.next;
         child = tree[static_cast<std::size_t>(child)].next) {
      const LabelId label = tree[static_cast<std::size_t>(child)].label;
      Score score = sum + built(scores, label);
      if (node == 0 && !allowed(cell, label, score)) continue;
      const Cell& below = descend(cell, label);
      add_chains(below, tag, tree, child, scores_of(below, tag), score);
      path_.pop_back();
    }
  }

  ScoringModel<Weights> model_;
  const SentenceWords* words_ = nullptr;
  int position_ = 0;
  bool relaxed_ = false;
  ContextCache<NodeContext> sites_, nodes_;
  ContextCache<NodeContext> parts_;       // as a group of templates sees a context
  std::vector<std::uint32_t> part_rows_;  // [context][group] -> number among parts_
  ContextCache<NodeContext> companion_parts_;
  std::vector<std::uint32_t> companion_rows_;  // by context
  ContextCache<WordContext> word_cache_;
  std::vector<Site> site_list_;
  std::vector<ChainScore> chain_scores_;
  std::vector<float> scores_;  // [part][label]
  std::vector<float> logs_;    // [part of the companion][label]; see log_of()
  std::vector<Score> word_scores_;
  std::vector<Cell> path_;  // phrases of a chain; never grows beyond what was reserved
  Features::Keys keys_;
  std::vector<std::size_t> ends_;
  std::vector<TrainingWeights::Row> rows_;
};

}  // namespace copse::incremental
