// What a parser sees at each position of a sentence: the atoms that its feature templates join.
//
//   name   value                                               absent when
//   w l    the form; the lemma (the form in lower case if the treebank has none)
//   t c    the fine and the coarse tag                         the word has no tag
//   p5 s3  first five, last three characters of the form       the word has no more than that
//   sh     shape: Xx for letters, d for digits, runs cut
//   f      the FEATS column as a whole                         "_"
//   cc     the form of a coordinating conjunction              it is none
//   k4 k6 k  beginning of its cluster's bit string, all of it  there are no clusters
// Besides, every word has its morphological attributes, a set (templates say h.attr).
//
// Forms, lemmas and p5 are absent too for words outside a lexical limit (Koo et al. 2008). Position
// 0 is the root; beyond the ends stand BOS and EOS; NONE stands for a sibling that is not there.
// These four have values of their own for w l t c sh f k4 k6 k and nothing else.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/inference/part.h"
#include "copse/model/feature_key.h"

namespace copse {

class WordClusters;

enum class PositionAtom : int {
  form,
  lemma,
  fine,
  coarse,
  prefix5,
  suffix3,
  shape,
  feats,
  conjunction,
  cluster4,
  cluster6,
  cluster,
};
inline constexpr int kPositionAtoms = static_cast<int>(PositionAtom::cluster) + 1;
// Templates may look that many words to either side of a position.
inline constexpr int kPositionWindow = 2;

std::optional<PositionAtom> position_atom_named(std::string_view name);
std::string_view name_of(PositionAtom atom);

// A column that says nothing.
inline bool is_missing(std::string_view value) {
  return value.empty() || value == "_";
}

struct ParserWord {
  std::string_view form, lemma, coarse, fine, feats;
  bool lexical = true;  // within the lexical limit
};

// What an atom of a word is, in words; nothing if it is absent. The value of the atom is the
// atom_of() this text.
std::optional<std::string> text_of(PositionAtom atom, const ParserWord& word,
                                   const WordClusters* clusters);

class PositionAtoms {
 public:
  // Any bytes are words. `clusters` may be null.
  void fill(std::span<const ParserWord> words, const WordClusters* clusters);

  int words() const { return words_; }
  // The atoms of a position 0..n or kNobody; those of its neighbours lie kPositionAtoms apart.
  const AtomValue* at(int position) const { return values_.data() + offset(position); }
  // Attr=Value pairs of a word, at most kMostAttributes.
  std::span<const AtomValue> attributes(int position) const {
    const auto& list = attributes_[static_cast<std::size_t>(position) + 1];
    return {list.values.data(), list.size};
  }
  // For agreement: the value of one of the attributes compared, kAbsent if the word has none.
  static constexpr int kCompared = 4;  // Case Number Gender Person
  static std::string_view compared_name(int attribute);
  AtomValue compared(int position, int attribute) const {
    return attributes_[static_cast<std::size_t>(position) + 1]
        .compared[static_cast<std::size_t>(attribute)];
  }
  // How many verbs, commas and conjunctions stand at positions 1..k.
  struct Counts {
    int verbs = 0;
    int commas = 0;
    int conjunctions = 0;
  };
  const Counts& counts_up_to(int position) const {
    return counts_[static_cast<std::size_t>(position)];
  }

  // Of the words between two positions; nothing where both are one word.
  Counts counts_between(int one, int other) const {
    const auto [first, last] = std::minmax(one, other);
    const Counts& low = counts_up_to(first);
    const Counts& high = counts_up_to(std::max(first, last - 1));
    return {high.verbs - low.verbs, high.commas - low.commas, high.conjunctions - low.conjunctions};
  }

  static constexpr int kMostAttributes = 8;
  // The last word before this one with the same value of an atom; 0 if there is none. Words without
  // a value are equal to none.
  int same_before(int position, PositionAtom atom) const {
    return same_before_[static_cast<std::size_t>(position) * kPositionAtoms +
                        static_cast<std::size_t>(atom)];
  }
  // The next one; words() + 1 if there is none.
  int same_after(int position, PositionAtom atom) const {
    return same_after_[static_cast<std::size_t>(position) * kPositionAtoms +
                       static_cast<std::size_t>(atom)];
  }

 private:
  struct Attributes {
    std::array<AtomValue, kMostAttributes> values{};
    std::array<AtomValue, kCompared> compared{};
    std::size_t size = 0;
  };

  // Rows: two times BOS, the words, two times EOS, then the root among neighbours of its own, then
  // NONE among its likes.
  std::size_t offset(int position) const {
    const int row = position >= 1   ? position + kPositionWindow - 1
                    : position == 0 ? words_ + 3 * kPositionWindow
                                    : words_ + 5 * kPositionWindow + 1;
    return static_cast<std::size_t>(row) * kPositionAtoms;
  }
  void fill_row(std::size_t row, std::string_view special, bool clusters);
  void fill_word(int word, const ParserWord& columns, const WordClusters* clusters);
  void fill_attributes(int word, std::string_view feats);
  void link_equals(int word);
  void count(int word, const ParserWord& columns);

  int words_ = 0;
  std::vector<AtomValue> values_;
  std::vector<Attributes> attributes_;  // NONE, the root, the words
  std::vector<Counts> counts_;
  std::vector<int> same_before_, same_after_;  // words 0..n, each with all atoms
};

}  // namespace copse
