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

// The templates over tags alone: their rows by what they see of (t[-2], t[-1]) need no hashing, and
// for weights that no longer change sums of them no rows.
template <class Weights>
class TagPairRows {
 public:
  using Row = typename Weights::Row;

  TagPairRows() = default;
  template <class Find>  // find(key) -> row
  TagPairRows(const TagModel& model, Find find) {
    for (const HistoryTemplate& row : model.features.history) {
      const auto& atoms = model.history(row).atoms;
      const std::size_t outer = row.second ? atoms.size() : 1;
      const bool fits = row.only_tags() && outer * atoms.size() <= kMostRows;
      begins_.push_back(fits ? rows_.size() : kNone);
      for (std::size_t g = 0; fits && g < outer; ++g) {
        for (const AtomValue last : atoms) {
          rows_.push_back(find(row.key(row.words.seed, atoms[g], last)));
        }
      }
    }
  }

  // Whether a template's rows are here; else they are looked up by their keys.
  bool has(std::size_t number) const { return begins_[number] != kNone; }
  Row row(const TagModel& model, std::size_t number, Label before_last, Label last) const {
    const HistoryTemplate& row = model.features.history[number];
    const TagModel::History& history = model.history(row);
    const std::size_t before = row.second ? history.values[before_last] * history.atoms.size() : 0;
    return rows_[begins_[number] + before + history.values[last]];
  }

  // The sums of all of these templates, of first and of second order, as tables over what they see
  // and the label: a score is then one access. Not for those that would be too large.
  void make_tables(const TagModel& model, const Weights& weights) {
    make_table(model, weights, false, first_);
    make_table(model, weights, true, second_);
  }
  bool has_table(bool second) const { return !(second ? second_ : first_).scores.empty(); }
  // The scores of all labels after a history.
  const float* table(bool second, Label before_last, Label last) const {
    const Table& table = second ? second_ : first_;
    const std::vector<Label>& values = *table.values;
    const std::size_t before = second ? values[before_last] * table.stride : 0;
    return table.scores.data() + (before + values[last]) * table.labels;
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  static constexpr std::size_t kMostRows = std::size_t{1} << 18;
  static constexpr std::size_t kMostScores = std::size_t{1} << 21;

  struct Table {
    const std::vector<Label>* values = nullptr;  // of the model: what is seen of each label
    std::size_t stride = 0;
    std::size_t labels = 0;
    std::vector<float> scores;
  };

  void make_table(const TagModel& model, const Weights& weights, bool second, Table& table) {
    const auto& templates = model.features.history;
    const auto takes_part = [&](const HistoryTemplate& row) {
      return row.second == second && row.only_tags();
    };
    if (std::ranges::none_of(templates, takes_part)) return;
    const bool coarse = std::ranges::all_of(
        templates, [&](const HistoryTemplate& row) { return !takes_part(row) || row.coarse; });
    const TagModel::History& history = coarse ? model.classes : model.whole;
    table.values = &history.values;
    table.stride = history.atoms.size();
    table.labels = model.labels.size();
    const std::size_t histories = second ? table.stride * table.stride : table.stride;
    if (histories * table.labels > kMostScores) return;
    table.scores.assign(histories * table.labels, 0.0F);
    // A label for each value: templates that see less of a label can be asked by it.
    std::vector<Label> examples(table.stride);
    for (std::size_t label = 0; label < history.values.size(); ++label) {
      examples[history.values[label]] = static_cast<Label>(label);
    }
    std::vector<float> scores(model.outputs());
    for (std::size_t number = 0; number < templates.size(); ++number) {
      if (!takes_part(templates[number])) continue;
      if (!has(number)) return table.scores.clear();
      for (std::size_t at = 0; at < histories; ++at) {
        const Row found =
            row(model, number, examples[at / table.stride], examples[at % table.stride]);
        if (found == Weights::kNoRow) continue;
        weights.for_each(found, [&](Label label, float weight) { scores[label] = weight; });
        for (std::size_t label = 0; label < table.labels; ++label) {
          table.scores[at * table.labels + label] +=
              model.traits.score(static_cast<Label>(label), scores);
        }
        weights.for_each(found, [&](Label label, float) { scores[label] = 0; });
      }
    }
  }

  std::vector<std::size_t> begins_;  // by template; kNone: not here
  std::vector<Row> rows_;
  Table first_, second_;
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
      const bool decided = model_.only_label(sentence.dictionary_rows[i], scratch.some);
      if (!decided) add_local(static_cast<int>(i), scores);
      if (!kept.empty() && !kept[i].empty()) {
        if (decided) add_local(static_cast<int>(i), scores);
        scratch.some = kept[i];
        for (const Label label : scratch.some) scores[label] = model_.traits.score(label, scores);
      } else if (!decided) {
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
    if (row.only_tags() && pair_rows_.has(number)) {
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
    const bool tabled = pair_rows_.has_table(second);
    if (tabled) {
      const float* const table = pair_rows_.table(second, before_last, last);
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
