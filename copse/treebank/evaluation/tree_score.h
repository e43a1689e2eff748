// EVALB's figures for trees in memory: one gold tree against any number of system trees.
//
// The comparison is that of evalb.h, rule by rule, without printing the trees and reading the
// lines back. What depends on gold alone is made once:
//
//   slots      the different counted brackets (begin, end, class of label) of gold, by begin,
//              with how often each occurs;
//   crossing   the farthest end of a bracket per beginning, the nearest beginning per end.
//
// A system bracket then takes a place in its slot while there is one, which counts the same
// matches as EVALB's first-come pairing whenever "counts as the same label" is an equivalence: labels
// are compared by class. An outer bracket, unlabelled or ROOT or S1, is read as TOP. Exact; O(w + b) per system
// tree of w words and b brackets, against 50 candidates about a microsecond each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "copse/treebank/evaluation/evalb.h"
#include "copse/treebank/phrase_tree.h"

namespace copse {

// Parameters made ready for comparing labels by number. Immutable; share one among all sentences.
class LabelClasses {
 public:
  explicit LabelClasses(EvalbParameters parameters = collins_parameters());

  // The same number for labels that count as the same; labels of more than seven bytes have none.
  std::optional<std::uint64_t> of(std::string_view label) const;
  bool deletes_tag(std::uint64_t packed) const;
  bool deletes_phrase(std::uint64_t label_class) const;
  bool for_length(std::uint64_t packed) const;  // the word counts towards the length
  const EvalbParameters& parameters() const { return parameters_; }
  // False when the parameters ask for what only the line-driven comparison does: quotes that are
  // put back, labels of which the first equals the second and the second the third but not the
  // first the third.
  bool simple() const { return simple_; }

  // The bytes of a label and how many as a number; nothing for more than seven.
  static std::optional<std::uint64_t> pack(std::string_view label);

 private:
  std::uint64_t class_of(std::uint64_t packed) const;

  EvalbParameters parameters_;
  bool simple_ = true;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> classes_;  // label -> first of its class
  std::vector<std::uint64_t> deleted_tags_, deleted_phrases_, not_for_length_;
};

class TreeScorer {
 public:
  // Keeps references: the tree and the classes must outlive this. An empty gold tree is one
  // without words.
  TreeScorer(const PhraseTree& gold, const LabelClasses& classes);

  // `line` of the result is 0. Words that differ make it an error, as in EVALB; an empty system
  // tree is skipped. Thread-safe.
  EvalbSentence score(const PhraseTree& system) const;

 private:
  struct Slot {
    std::int32_t end = 0;
    std::int32_t places = 0;
    std::uint64_t label = 0;
  };
  // A tree in the words that count. Kept between calls by each thread.
  struct Side;

  bool read(const PhraseTree& tree, Side& side) const;
  bool same_words(const Side& system) const;
  bool crosses(int begin, int end) const;
  EvalbSentence score_lines(const PhraseTree& system) const;
  void make_slots(const Side& gold);
  void make_crossing(const Side& gold);

  const PhraseTree& gold_;
  const LabelClasses& classes_;
  bool simple_;  // false: gold needs the line-driven comparison
  int length_ = 0;
  int brackets_ = 0;
  std::vector<std::string_view> words_;
  std::vector<std::uint64_t> tags_;
  std::vector<Slot> slots_;
  std::vector<std::int32_t> slots_from_;  // by begin; one more at the end
  // Row k holds the largest values of runs of 2^k beginnings or ends; see evalb.cc.
  std::vector<std::vector<std::int32_t>> farthest_end_, minus_first_begin_;
};

// The same for a single pair.
EvalbSentence score_trees(const PhraseTree& gold, const PhraseTree& system,
                          const EvalbParameters& parameters = collins_parameters());

}  // namespace copse
