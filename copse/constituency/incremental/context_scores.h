// Scores of what can be built in contexts while a word is attached: the features' and, where there is
// one, the log-probability of the generative model with a weight.
//
// A context is scored once, however many hypotheses have it; contexts that look alike to a group of
// templates share what that group says of them (Features::node_groups). Contexts are asked for first
// and looked up together afterwards, so that the waits for memory overlap.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "copse/constituency/incremental/companion.h"
#include "copse/constituency/incremental/context_cache.h"
#include "copse/constituency/incremental/features.h"
#include "copse/constituency/incremental/node_keys.h"
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
  constexpr std::size_t kBatch = 128;
  for (std::size_t g = 0, begin = 0, near = 0; g < ends.size(); begin = ends[g++]) {
    if (ends[g] > near) {
      // Brings the table's places of the next keys near.
      const std::size_t size = std::min(keys.size() - begin, std::max(kBatch, ends[g] - begin));
      weights.find_all(keys.subspan(begin, size), rows);
      near = begin + size;
    }
    weights.find_all(keys.subspan(begin, ends[g] - begin), rows);
    weights.add_all_to(rows, scores.subspan(g * labels, labels));
  }
}

template <class Weights>
class ContextScores {
 public:
  void start(const ScoringModel<Weights>& model, const SentenceWords& words) {
    model_ = model;
    words_ = &words;
  }
  // The word to be attached; the one after the last is the end. Forgets all contexts.
  void set_position(int position) {
    position_ = position;
    node_keys_.set_position(*model_.features, *words_, position);
    nodes_.clear();
    parts_.clear();
    part_list_.clear();
    part_rows_.clear();
    scores_.clear();
    companion_parts_.clear();
    companion_rows_.clear();
    logs_.clear();
    word_cache_.clear();
    words_found_.clear();
    keys_.clear();
    ends_.clear();
    rows_made_ = 0;
  }

  // The number of what can be built in a cell, to be looked up.
  std::uint32_t node(const Cell& cell, LabelId tag) {
    return node(model_.features->context(cell, *words_, position_, tag));
  }
  std::uint32_t node(const NodeContext& context) {
    const auto [number, is_new] = nodes_.find(hash_of(context));
    if (!is_new) return number;
    const auto bits = bits_of(context);
    node_keys_.set_context(context);
    std::uint64_t seed = 0;
    for (const TemplateGroup& group : model_.features->node_groups()) {
      const auto [part, part_is_new] = parts_.find(group.hash(bits, ++seed));
      if (part_is_new) {
        node_keys_.add(group, keys_);
        part_list_.push_back(end_row());
      }
      part_rows_.push_back(part_list_[part]);
    }
    if (model_.companion != nullptr) add_companion(context);
    return number;
  }
  // The number of the word under its tag in a cell, to be looked up.
  std::uint32_t word(const Cell& cell, LabelId tag) {
    const WordContext context = Features::word_context(cell, tag);
    const auto [number, is_new] = word_cache_.find(hash_of(context));
    if (!is_new) return number;
    model_.features->word_keys(context, *words_, position_, word_keys_);
    keys_.insert(keys_.end(), word_keys_.begin(), word_keys_.end());
    Word& word = words_found_.emplace_back();
    word.row = end_row();
    if (model_.companion != nullptr) {
      word.log_probability =
          static_cast<float>(model_.companion->word(context, *words_, position_, companion_keys_));
    }
    return number;
  }
  void look_up() {
    if (ends_.empty()) return;
    scores_.resize(rows_made_ * labels());
    add_weights(*model_.weights, keys_, ends_, rows_,
                std::span(scores_).last(ends_.size() * labels()));
    keys_.clear();
    ends_.clear();
  }

  // Of numbers that were looked up: a label that is built, a word under its tag.
  Score of_node(std::uint32_t number, LabelId label) {
    const std::size_t groups = model_.features->node_groups().size();
    const std::uint32_t* const rows = part_rows_.data() + number * groups;
    float sum = 0;
    for (std::size_t g = 0; g < groups; ++g) sum += scores_[rows[g] * labels() + label];
    Score score{sum, 0};
    if (model_.companion != nullptr) {
      add_log(log_of(logs_[companion_rows_[number] * labels() + label]), score);
    }
    return score;
  }
  Score of_word(std::uint32_t number, LabelId tag) const {
    const Word& word = words_found_[number];
    Score score{scores_[word.row * labels() + tag], 0};
    if (model_.companion != nullptr) add_log(word.log_probability, score);
    return score;
  }

 private:
  struct Word {
    std::uint32_t row = 0;
    double log_probability = 0;
  };
  std::size_t labels() const { return model_.grammar->labels(); }

  // A row of scores for the keys since the last one; it is filled by look_up().
  std::uint32_t end_row() {
    ends_.push_back(keys_.size());
    return rows_made_++;
  }
  void add_companion(const NodeContext& context) {
    const auto [row, is_new] =
        companion_parts_.find(model_.companion->node_group().hash(bits_of(context), 0));
    companion_rows_.push_back(row);
    if (!is_new) return;
    logs_.resize(logs_.size() + labels());
    model_.companion->node(context, *words_, position_, companion_keys_,
                           std::span(logs_).last(labels()));
  }
  // A probability becomes its logarithm when it is first asked for: those are never above 0.
  static float log_of(float& value) {
    if (value > 0) value = std::min(std::log(value), 0.0F);
    return value;
  }
  void add_log(double log_probability, Score& score) const {
    score.log_probability = log_probability;
    score.total += model_.companion_weight * log_probability;
  }

  ScoringModel<Weights> model_;
  const SentenceWords* words_ = nullptr;
  int position_ = 0;
  ContextCache nodes_, word_cache_;
  ContextCache parts_;                    // as a group of templates sees a context
  std::vector<std::uint32_t> part_list_;  // their rows of scores
  std::vector<std::uint32_t> part_rows_;  // [context][group] -> row of scores
  ContextCache companion_parts_;
  std::vector<std::uint32_t> companion_rows_;  // by context
  std::vector<float> scores_;                  // [row][label]
  std::uint32_t rows_made_ = 0;
  std::vector<float> logs_;  // [part of the companion][label]; see log_of()
  std::vector<Word> words_found_;
  NodeKeys node_keys_;
  Features::Keys keys_;  // of the rows that are not looked up yet
  std::vector<std::size_t> ends_;
  Features::Keys word_keys_, companion_keys_;
  std::vector<TrainingWeights::Row> rows_;
};

}  // namespace copse::incremental
