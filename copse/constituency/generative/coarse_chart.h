// Inside and outside sums of the coarse grammar over all spans of a sentence, and which items are
// worth the lexicalised model's time.
//
// For a span (i,j), by phrase P and class c of the last modifier:
//   complete[X]   a whole X, chains of single children included
//   right[c][P]   P with its head and some right modifiers, the last of class c (start: none)
//   turned[P]     P with all its right modifiers, at least one, and no left ones yet
//   left[c][P]    P with all its right modifiers (perhaps none) and some left ones; start: none yet
// A modifier's probability depends only on (P, c), so the sum over labels of the modifier is done
// once per span and not once per split:
//   use_right(k,j)[c][c'][P] = sum over M of class c' : P(M | P, right, c) complete(k,j)[M]
//   right(i,j)[c'][P]       += sum over k, c : right(i,k)[c][P] use_right(k,j)[c][c'][P]
// which is a product of rows of phrases. O(n^3 * 24 phrases) time, O(n^2 * 36 phrases) floats. Most
// spans are no conjunction and no punctuation mark, which leaves two thirds of the rows zero: Rows tells
// which, and they are passed over.
// Sums are scaled per span by powers of two, so no length underflows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "copse/base/stop.h"
#include "copse/constituency/generative/coarse_grammar.h"
#include "copse/constituency/generative/demanded_phrases.h"
#include "copse/constituency/generative/lexicon.h"

namespace copse::generative {

class CoarseChart {
 public:
  // Log of the outside sum, up to a constant of the sentence; kPruned for items whose share of all
  // derivations is under the threshold.
  static constexpr float kPruned = -std::numeric_limits<float>::infinity();

  // False when the grammar has no tree for the sentence; then nothing may be asked. Memory is
  // reused from call to call.
  // `span_bonus`: what a phrase over a span adds to the logarithm, (i * n + j - 1) * phrases + phrase.
  // Items that cross demanded phrases are left out. `stop` is asked once per width.
  bool run(const CoarseGrammar& grammar, std::span<const WordReading> words, double threshold,
           const DemandedPhrases& demands = {}, const Stop& stop = {},
           std::span<const float> span_bonus = {});

  int words() const { return n_; }
  // Spans are [i, j), 0 <= i < j <= words(); `phrase` is a number among phrases.
  float complete(int i, int j, int phrase) const {
    return out_complete_[cell(i, j) * row_ + static_cast<std::size_t>(phrase)];
  }
  float right(int i, int j, Previous previous, int phrase) const {
    return out_right_[open_place(i, j, previous, phrase)];
  }
  float left(int i, int j, Previous previous, int phrase) const {
    return out_left_[open_place(i, j, previous, phrase)];
  }
  float turned(int i, int j, int phrase) const {
    return out_turned_[cell(i, j) * row_ + static_cast<std::size_t>(phrase)];
  }
  float tag(int word, LabelId tag) const {
    return kept_tag_[static_cast<std::size_t>(word) * tags_ + tag];
  }
  // Some complete item, or some item with modifiers on that side, is left.
  bool any(int i, int j) const { return any_[cell(i, j)]; }

 private:
  static constexpr int kStates = kPreviousClasses;
  static constexpr int kUses = kPreviousClasses * CoarseGrammar::kClasses;

  // Which rows of a span are not all zero.
  struct Rows {
    std::uint16_t right = 0, left = 0;          // bit c
    std::uint16_t use_right = 0, use_left = 0;  // bit c * kClasses + c' - 1
  };
  static bool has(std::uint16_t rows, std::size_t row) { return ((rows >> row) & 1U) != 0; }

  std::size_t cell(int i, int j) const {
    // Spans of the same left end lie together, by right end: n of the first, n - 1 of the second.
    const auto begin = static_cast<std::size_t>(i), words = static_cast<std::size_t>(n_);
    return begin * (2 * words - begin + 1) / 2 + static_cast<std::size_t>(j - i - 1);
  }
  std::size_t open_place(int i, int j, Previous previous, int phrase) const {
    return (cell(i, j) * kStates + static_cast<std::size_t>(previous)) * row_ +
           static_cast<std::size_t>(phrase);
  }
  float* state(std::vector<float>& rows, int i, int j) {
    return rows.data() + cell(i, j) * kStates * row_;
  }
  float* uses(std::vector<float>& rows, int i, int j) {
    return rows.data() + cell(i, j) * kUses * row_;
  }

  void inside(std::span<const WordReading> words, const DemandedPhrases& demands, const Stop& stop);
  void set_boost(std::span<const float> span_bonus);
  void join(int i, int j);
  void close(int i, int j, std::span<const WordReading> words);
  std::uint16_t rows_of(const float* rows, int count) const;
  void note_rows(int i, int j);
  void scale_inside(int i, int j);
  void outside(std::span<const WordReading> words, const Stop& stop);
  int pulled_scale(int i, int j) const;
  float pulled_factor(std::size_t part, std::size_t larger, int scale) const;
  void pull(int i, int j);
  // The products of pull() that there are: bits c * kClasses + c' - 1.
  std::uint16_t pairs(std::uint16_t states, std::uint16_t uses, std::uint16_t larger) const;
  void pull_modified(const float* open, const float* around, float factor, std::uint16_t pairs,
                     float* pulled) const;
  void pull_head(const float* use, const float* around, float factor, std::uint16_t pairs,
                 float* head) const;
  float used(std::size_t label, const float* out_right, bool whole) const;
  void open_chains(int i, int j, std::span<const WordReading> words);
  void open(int i, int j, std::span<const WordReading> words);
  void scale_outside(int i, int j);
  void keep(int i, int j, double threshold, std::span<const WordReading> words);

  const CoarseGrammar* grammar_ = nullptr;
  int n_ = 0;
  std::size_t row_ = 0, tags_ = 0;
  std::vector<float> complete_, turned_, right_, left_, use_right_, use_left_;
  // Outside sums; in the end those of what is kept, as logarithms, and kPruned.
  std::vector<float> out_complete_, out_turned_, out_right_, out_left_;
  std::vector<Rows> rows_;
  std::vector<int> scale_, out_scale_;
  std::vector<char> empty_, out_empty_;
  std::vector<float> pulled_right_, pulled_left_;  // outside of the uses of one span
  std::vector<float> chained_, level_, next_;      // scratch rows
  std::vector<float> boost_;                       // exp of the bonus, rows by span
  double total_ = 0;
  int total_scale_ = 0;
  std::vector<float> kept_tag_;
  std::vector<char> any_;
};

}  // namespace copse::generative
