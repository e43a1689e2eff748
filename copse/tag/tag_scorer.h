// From weights to a lattice of scored tags. The same lines serve training (weights that grow) and
// prediction (frozen weights): both answer find(key) and for_each(row, visit).
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "copse/inference/tag_lattice.h"
#include "copse/tag/tag_model.h"

namespace copse {

// A sentence as the scorer wants it: one dictionary row per word, and for every word the keys of
// the history templates' words.
struct TagSentence {
  std::vector<TagDictionary::Row> dictionary_rows;
  std::vector<FeatureKey> history_keys;  // [word * templates + template]; kAbsent: does not fire

  int words() const { return static_cast<int>(dictionary_rows.size()); }
  void fill(const TagModel& model, const SentenceAtoms& atoms);
};

// Scratch memory, one per thread.
struct TagScratch {
  SentenceAtoms atoms;
  TagSentence sentence;
  std::vector<FeatureKey> keys;
  TagLattice lattice;
  LatticeWorkspace search;
  std::vector<float> local;         // scores of all labels and traits, word after word
  std::vector<float> dense;         // scores of all labels; zero between uses
  std::vector<Label> candidates;    // of all words, one word after the other
  std::vector<std::size_t> begins;  // where each word's begin, and the end
  std::vector<int> widths;
  std::vector<Label> some;

  std::span<float> local_of(int word, std::size_t labels) {
    return std::span(local).subspan(static_cast<std::size_t>(word) * labels, labels);
  }
  std::span<const Label> candidates_of(int word) const {
    const auto i = static_cast<std::size_t>(word);
    return std::span(candidates).subspan(begins[i], begins[i + 1] - begins[i]);
  }
};

// Rows of the templates over tags alone, by (t[-2], t[-1]): they need no hashing.
template <class Weights>
class TagPairRows {
 public:
  using Row = typename Weights::Row;
  static constexpr std::size_t kMaxLabels = 400;

  // Empty for large label sets; rows are then looked up by their keys.
  TagPairRows() = default;
  template <class Find>  // find(key) -> row
  TagPairRows(const TagModel& model, Find find) {
    if (model.labels.size() > kMaxLabels) return;
    stride_ = model.labels.size() + 1;
    for (const HistoryTemplate& row : model.features.history) {
      begins_.push_back(rows_.size());
      if (!row.only_tags()) continue;
      const auto& atoms = model.history(row).atoms;
      for (std::size_t g = 0; g < (row.second ? atoms.size() : 1); ++g) {
        for (const AtomValue last : atoms) {
          rows_.push_back(find(row.key(row.words.seed, atoms[g], last)));
        }
      }
    }
  }

  bool empty() const { return stride_ == 0; }

  // For small label sets and weights that no longer change: the sums of all these templates, as
  // tables over (t[-1], t) and (t[-2], t[-1], t), so that a score is one access.
  void make_tables(const TagModel& model, const Weights& weights) {
    labels_ = model.labels.size();
    if (empty() || stride_ * stride_ * labels_ > kMaxTable) return;
    first_.assign(stride_ * labels_, 0.0F);
    second_.assign(stride_ * stride_ * labels_, 0.0F);
    for (std::size_t number = 0; number < model.features.history.size(); ++number) {
      const HistoryTemplate& row = model.features.history[number];
      if (!row.only_tags()) continue;
      auto& table = row.second ? second_ : first_;
      std::vector<float> scores(model.outputs());
      for (std::size_t g = 0; g < (row.second ? stride_ : 1); ++g) {
        for (std::size_t p = 0; p < stride_; ++p) {
          const Row found = this->row(model, number, static_cast<Label>(g), static_cast<Label>(p));
          if (found == Weights::kNoRow) continue;
          weights.for_each(found, [&](Label label, float weight) { scores[label] = weight; });
          for (std::size_t label = 0; label < labels_; ++label) {
            table[(g * stride_ + p) * labels_ + label] +=
                model.traits.score(static_cast<Label>(label), scores);
          }
          std::ranges::fill(scores, 0.0F);
        }
      }
    }
  }
  bool has_tables() const { return !first_.empty(); }
  // The scores of all labels after a history.
  const float* first(Label last) const { return first_.data() + last * labels_; }
  const float* second(Label before_last, Label last) const {
    return second_.data() + (before_last * stride_ + last) * labels_;
  }

  Row row(const TagModel& model, std::size_t number, Label before_last, Label last) const {
    const HistoryTemplate& row = model.features.history[number];
    const TagModel::History& history = model.history(row);
    const std::size_t before = row.second ? history.values[before_last] * history.atoms.size() : 0;
    return rows_[begins_[number] + before + history.values[last]];
  }

 private:
  static constexpr std::size_t kMaxTable = std::size_t{1} << 20;

  std::size_t stride_ = 0;
  std::size_t labels_ = 0;
  std::vector<float> first_, second_;
  std::vector<std::size_t> begins_;
  std::vector<Row> rows_;
};

template <class Weights>
class TagScorer {
 public:
  using Row = typename Weights::Row;

  TagScorer(const TagModel& model, const Weights& weights, const TagPairRows<Weights>& pair_rows)
      : model_(model), weights_(weights), pair_rows_(pair_rows) {}

  // Local scores and candidates of all words. add_local(word, scores) adds the scores of the local
  // templates for every label. `kept` is empty or names labels to which words are restricted.
  template <class AddLocal>
  void choose(const TagSentence& sentence, AddLocal add_local, TagScratch& scratch,
              std::span<const std::vector<Label>> kept = {}) const {
    const std::size_t outputs = model_.outputs();
    const auto words = static_cast<std::size_t>(sentence.words());
    scratch.local.assign(words * outputs, 0.0F);
    scratch.dense.assign(outputs, 0.0F);
    scratch.candidates.clear();
    scratch.begins.assign(1, 0);
    scratch.widths.clear();
    for (std::size_t i = 0; i < words; ++i) {
      const auto scores = scratch.local_of(static_cast<int>(i), outputs);
      add_local(static_cast<int>(i), scores);
      if (model_.traits.count() > 0) {
        for (std::size_t label = 0; label < model_.labels.size(); ++label) {
          scores[label] = model_.traits.score(static_cast<Label>(label), scores);
        }
      }
      if (!kept.empty() && !kept[i].empty()) {
        scratch.some = kept[i];
      } else {
        model_.find_candidates(sentence.dictionary_rows[i], scores, scratch.some);
      }
      scratch.candidates.insert(scratch.candidates.end(), scratch.some.begin(), scratch.some.end());
      scratch.begins.push_back(scratch.candidates.size());
      scratch.widths.push_back(static_cast<int>(scratch.some.size()));
    }
  }

  // The lattice of the sentence that was chosen for, with all pairs and triples.
  void fill_lattice(const TagSentence& sentence, TagScratch& scratch) const {
    scratch.lattice.reset(scratch.widths, std::max(1, model_.features.order()));
    for (int i = 0; i < sentence.words(); ++i) {
      fill_unary(i, scratch);
      fill_history(sentence, i, scratch);
    }
  }

  // Left to right, keeping the `width` best of the beginnings that end in different tag pairs;
  // width 1 is greedy. Needs choose(); gives candidate numbers as best_tags() does.
  TagSequence beam(const TagSentence& sentence, int width, TagScratch& scratch) const;

  // The row of a history template, kNoRow if it does not fire or has no weights.
  Row history_row(const TagSentence& sentence, int word, std::size_t number, Label before_last,
                  Label last) const {
    const HistoryTemplate& row = model_.features.history[number];
    if (row.only_tags() && !pair_rows_.empty()) {
      return pair_rows_.row(model_, number, before_last, last);
    }
    const FeatureKey key = history_key(model_, sentence, word, number, before_last, last);
    return key == kAbsent ? Weights::kNoRow : weights_.find(key);
  }

  static FeatureKey history_key(const TagModel& model, const TagSentence& sentence, int word,
                                std::size_t number, Label before_last, Label last) {
    const auto& history = model.features.history;
    const FeatureKey words =
        sentence.history_keys[static_cast<std::size_t>(word) * history.size() + number];
    if (words == kAbsent) return kAbsent;
    const TagModel::History& seen = model.history(history[number]);
    return history[number].key(words, seen.atoms[seen.values[before_last]],
                               seen.atoms[seen.values[last]]);
  }

 private:
  void fill_unary(int i, TagScratch& scratch) const {
    const auto unary = scratch.lattice.unary(i);
    const auto candidates = scratch.candidates_of(i);
    const auto scores = scratch.local_of(i, model_.outputs());
    for (std::size_t c = 0; c < candidates.size(); ++c) unary[c] = scores[candidates[c]];
  }

  // Pairs and triples. Scores of a history are gathered for all labels at once: rows hold them
  // together.
  void fill_history(const TagSentence& sentence, int i, TagScratch& scratch) const {
    const Label beginning = model_.beginning();
    const std::span<const Label> start(&beginning, 1);
    const auto candidates = scratch.candidates_of(i);
    const auto last = i >= 1 ? scratch.candidates_of(i - 1) : start;
    const auto before = i >= 2 ? scratch.candidates_of(i - 2) : start;
    const auto pair = scratch.lattice.pair(i);
    for (std::size_t p = 0; p < last.size(); ++p) {
      add_rows(sentence, i, false, beginning, last[p], candidates,
               pair.subspan(p * candidates.size(), candidates.size()), scratch.dense);
      if (!model_.allowed.empty()) forbid(last[p], candidates, pair.data() + p * candidates.size());
    }
    if (model_.features.order() < 2) return;
    const auto triple = scratch.lattice.triple(i);
    for (std::size_t g = 0; g < before.size(); ++g) {
      for (std::size_t p = 0; p < last.size(); ++p) {
        add_rows(sentence, i, true, before[g], last[p], candidates,
                 triple.subspan((g * last.size() + p) * candidates.size(), candidates.size()),
                 scratch.dense);
      }
    }
  }

  void add_rows(const TagSentence& sentence, int i, bool second, Label before_last, Label last,
                std::span<const Label> candidates, std::span<float> out,
                std::vector<float>& dense) const {
    const auto& history = model_.features.history;
    const bool tabled = pair_rows_.has_tables();
    if (tabled) {
      const float* const table =
          second ? pair_rows_.second(before_last, last) : pair_rows_.first(last);
      for (std::size_t c = 0; c < candidates.size(); ++c) out[c] += table[candidates[c]];
    }
    for (std::size_t number = 0; number < history.size(); ++number) {
      if (history[number].second != second || (tabled && history[number].only_tags())) continue;
      const Row row = history_row(sentence, i, number, before_last, last);
      if (row == Weights::kNoRow) continue;
      weights_.for_each(row, [&](Label label, float weight) { dense[label] = weight; });
      for (std::size_t c = 0; c < candidates.size(); ++c) {
        out[c] += model_.traits.score(candidates[c], dense);
      }
      weights_.for_each(row, [&](Label label, float) { dense[label] = 0; });
    }
  }

  // Best first; of those that end in the same pair of candidates only the best.
  template <class Beginning>
  static void keep_best_beginnings(std::vector<Beginning>& all, int width) {
    std::ranges::stable_sort(all, std::ranges::greater{}, &Beginning::score);
    std::size_t kept = 0;
    for (const Beginning& one : all) {
      const auto same = [&](const Beginning& other) {
        return other.last == one.last && other.before_last == one.before_last;
      };
      if (kept == static_cast<std::size_t>(width)) break;
      if (std::none_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), same)) {
        all[kept++] = one;
      }
    }
    all.resize(kept);
  }

  void forbid(Label last, std::span<const Label> candidates, float* pair) const {
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      if (!model_.may_follow(last, candidates[c])) {
        pair[c] = -std::numeric_limits<float>::infinity();
      }
    }
  }

  const TagModel& model_;
  const Weights& weights_;
  const TagPairRows<Weights>& pair_rows_;
};

template <class Weights>
TagSequence TagScorer<Weights>::beam(const TagSentence& sentence, int width,
                                     TagScratch& scratch) const {
  // A beginning: its last two candidates, its score and what it extends.
  struct Beginning {
    float score = 0;
    int before_last = -1;
    int last = -1;
    int extends = -1;
  };
  const int words = sentence.words();
  std::vector<std::vector<Beginning>> beam(static_cast<std::size_t>(words) + 1);
  beam[0].push_back({});
  std::vector<float> scores;
  const auto label_at = [&](int word, int candidate) {
    return candidate < 0 ? model_.beginning()
                         : scratch.candidates_of(word)[static_cast<std::size_t>(candidate)];
  };
  for (int i = 0; i < words; ++i) {
    const auto candidates = scratch.candidates_of(i);
    const auto local = scratch.local_of(i, model_.outputs());
    const auto& here = beam[static_cast<std::size_t>(i)];
    auto& next = beam[static_cast<std::size_t>(i) + 1];
    for (int b = 0; b < static_cast<int>(here.size()); ++b) {
      const Beginning& beginning = here[static_cast<std::size_t>(b)];
      const Label last = label_at(i - 1, beginning.last);
      const Label before = label_at(i - 2, beginning.before_last);
      scores.assign(candidates.size(), 0.0F);
      add_rows(sentence, i, false, model_.beginning(), last, candidates, scores, scratch.dense);
      add_rows(sentence, i, true, before, last, candidates, scores, scratch.dense);
      if (!model_.allowed.empty()) forbid(last, candidates, scores.data());
      for (int c = 0; c < static_cast<int>(candidates.size()); ++c) {
        const auto at = static_cast<std::size_t>(c);
        const float score = beginning.score + local[candidates[at]] + scores[at];
        next.push_back({score, beginning.last, c, b});
      }
    }
    keep_best_beginnings(next, width);
  }
  TagSequence sequence(static_cast<std::size_t>(words));
  int at = 0;
  for (int i = words; i > 0; --i) {
    const Beginning& beginning = beam[static_cast<std::size_t>(i)][static_cast<std::size_t>(at)];
    sequence[static_cast<std::size_t>(i) - 1] = beginning.last;
    at = beginning.extends;
  }
  return sequence;
}

}  // namespace copse
