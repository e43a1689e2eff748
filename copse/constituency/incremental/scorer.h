// Scores of everything that can be built while a word is attached: the features' and, where there is
// one, the log-probability of the generative model with a weight.
//
// Hypotheses whose open phrases look alike to all features share one Site; chains that begin alike
// share the scores of their first phrases; contexts that look alike to a group of templates share
// what that group says of them (Features::node_groups). Which contexts a word brings does not depend
// on scores: all sites of a beam are prepared before the first is scored, so that their features are
// looked up together and the waits for memory overlap.
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

struct ChainScore {
  int chain = 0;
  Score score;
};

// A place to attach a word at.
struct Site {
  Score end;                          // of closing the phrase
  bool may_end = true;                // as the grammar has it
  bool is_scored = false;             // else what follows is not there yet
  std::uint32_t begin = 0, size = 0;  // of its chains
  LabelId label = 0, last = 0, tag = 0;
  std::uint32_t contexts = 0;  // where the numbers of its contexts begin
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
    node_keys_.set_position(*model_.features, *words_, position);
    clear();
  }
  // Steps that the grammar does not know cost kRelaxedPenalty instead of being left out.
  void set_relaxed(bool relaxed) {
    relaxed_ = relaxed;
    clear();
  }

  // Says that a site will be asked for; whether the grammar lets its phrase end.
  bool prepare(const Cell& cell, LabelId tag) { return find_site(cell, tag).may_end; }
  // With every chain of the tag (none for kEnd). Valid until the next call.
  const Site& site(const Cell& cell, LabelId tag) {
    Site& found = find_site(cell, tag);
    if (!found.is_scored) score(found);
    return found;
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
    const std::uint32_t last = word_of(*parent, tag);
    look_up();
    return sum + word(last, tag);
  }

 private:
  void clear() {
    sites_.clear();
    nodes_.clear();
    site_list_.clear();
    chain_scores_.clear();
    parts_.clear();
    part_list_.clear();
    part_rows_.clear();
    scores_.clear();
    companion_parts_.clear();
    companion_rows_.clear();
    logs_.clear();
    word_cache_.clear();
    words_found_.clear();
    site_contexts_.clear();
    keys_.clear();
    ends_.clear();
    rows_made_ = 0;
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
  // A row of scores for the keys since the last one; it is filled by look_up().
  std::uint32_t end_row() {
    ends_.push_back(keys_.size());
    return rows_made_++;
  }
  void look_up() {
    if (ends_.empty()) return;
    scores_.resize(rows_made_ * labels());
    add_weights(*model_.weights, keys_, ends_, rows_,
                std::span(scores_).last(ends_.size() * labels()));
    keys_.clear();
    ends_.clear();
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
    const std::uint32_t number = scores_of(cell, tag);
    look_up();
    return built(number, label);
  }

  struct Word {
    std::uint32_t row = 0;
    double log_probability = 0;
  };
  // The number of the word under its tag in a cell.
  std::uint32_t word_of(const Cell& cell, LabelId tag) {
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
  Score word(std::uint32_t number, LabelId tag) const {
    const Word& word = words_found_[number];
    Score score{scores_[word.row * labels() + tag], 0};
    if (model_.companion != nullptr) {
      score.log_probability = word.log_probability;
      score.total += model_.companion_weight * score.log_probability;
    }
    return score;
  }

  bool allowed(const Site& site, LabelId child, Score& score) const {
    if (model_.grammar->follows(site.label, site.last, child)) return true;
    score.total += kRelaxedPenalty;
    return relaxed_;
  }

  Site& find_site(const Cell& cell, LabelId tag) {
    const NodeContext context = model_.features->context(cell, *words_, position_, tag);
    const auto [number, is_new] = sites_.find(hash_of(context));
    if (!is_new) return site_list_[number];
    Site site;
    site.label = cell.label;
    site.last = cell.last;
    site.tag = tag;
    site.may_end = relaxed_ || model_.grammar->follows(cell.label, cell.last, kEnd);
    site.contexts = static_cast<std::uint32_t>(site_contexts_.size());
    const std::uint32_t self = scores_of(context);
    const auto tree = model_.grammar->chains_of(tag);
    path_.clear();
    path_.reserve(tree.size());
    if (tree.empty()) {
      site_contexts_.push_back(self);
    } else {
      find_contexts(site, cell, tree, 0, self);
    }
    site_list_.push_back(site);
    return site_list_.back();
  }
  // The contexts of a node of the tree of chains, whose phrase is `cell`, and of all below it, in the
  // order in which add_chains() takes them.
  void find_contexts(const Site& site, const Cell& cell, std::span<const ChainNode> tree, int node,
                     std::uint32_t self) {
    const ChainNode& here = tree[static_cast<std::size_t>(node)];
    site_contexts_.push_back(self);
    Score unused;
    if (here.chain >= 0 && (node != 0 || allowed(site, site.tag, unused))) {
      site_contexts_.push_back(word_of(cell, site.tag));
    }
    for (int child = node + 1; child < here.next;
         child = tree[static_cast<std::size_t>(child)].next) {
      const LabelId label = tree[static_cast<std::size_t>(child)].label;
      if (node == 0 && !allowed(site, label, unused)) continue;
      const Cell& below = descend(cell, label);
      find_contexts(site, below, tree, child, scores_of(below, site.tag));
      path_.pop_back();
    }
  }

  void score(Site& site) {
    look_up();
    const std::uint32_t* next = site_contexts_.data() + site.contexts;
    site.end = built(*next, kEnd);
    allowed(site, kEnd, site.end);
    site.begin = static_cast<std::uint32_t>(chain_scores_.size());
    const auto tree = model_.grammar->chains_of(site.tag);
    if (!tree.empty()) add_chains(site, tree, 0, {}, next);
    site.size = static_cast<std::uint32_t>(chain_scores_.size()) - site.begin;
    site.is_scored = true;
  }
  // `next`: the number of the node's context, moved behind all of those below it.
  void add_chains(const Site& site, std::span<const ChainNode> tree, int node, const Score& sum,
                  const std::uint32_t*& next) {
    const ChainNode& self = tree[static_cast<std::size_t>(node)];
    const std::uint32_t scores = *next++;
    if (self.chain >= 0) {
      Score score = sum + built(scores, site.tag);
      if (node != 0 || allowed(site, site.tag, score)) {
        chain_scores_.push_back({self.chain, score + word(*next++, site.tag)});
      }
    }
    for (int child = node + 1; child < self.next;
         child = tree[static_cast<std::size_t>(child)].next) {
      const LabelId label = tree[static_cast<std::size_t>(child)].label;
      Score score = sum + built(scores, label);
      if (node == 0 && !allowed(site, label, score)) continue;
      add_chains(site, tree, child, score, next);
    }
  }

  ScoringModel<Weights> model_;
  const SentenceWords* words_ = nullptr;
  int position_ = 0;
  bool relaxed_ = false;
  ContextCache sites_, nodes_, word_cache_;
  ContextCache parts_;                    // as a group of templates sees a context
  std::vector<std::uint32_t> part_list_;  // their rows of scores
  std::vector<std::uint32_t> part_rows_;  // [context][group] -> row of scores
  ContextCache companion_parts_;
  std::vector<std::uint32_t> companion_rows_;  // by context
  std::vector<Site> site_list_;
  std::vector<ChainScore> chain_scores_;
  std::vector<float> scores_;  // [row][label]
  std::uint32_t rows_made_ = 0;
  std::vector<float> logs_;  // [part of the companion][label]; see log_of()
  std::vector<Word> words_found_;
  std::vector<std::uint32_t> site_contexts_;  // see find_contexts()
  std::vector<Cell> path_;  // phrases of a chain; never grows beyond what was reserved
  NodeKeys node_keys_;
  Features::Keys keys_;  // of the rows that are not looked up yet
  std::vector<std::size_t> ends_;
  Features::Keys word_keys_, companion_keys_;
  std::vector<TrainingWeights::Row> rows_;
};

}  // namespace copse::incremental
