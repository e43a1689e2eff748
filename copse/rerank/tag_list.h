// Tag sequences of one sentence, for the tagging kernel. A node is a position with its label and
// everything to the right of it, so sequences share nodes from their last difference on:
//
//   word      the   dog   barks
//   1         D     N     V          nodes 0 (V), 1 (N V), 2 (D N V)
//   2         D     V     V          nodes 0, 3 (V V), 4 (D V V)
//
// A node stands after the node to its right.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/base/symbols.h"
#include "copse/treebank/candidates.h"

namespace copse {

// What a word looks like; two words of one class are similar.
enum class WordClass : std::uint8_t {
  first_capital,
  all_capital,
  digits,
  digits_and_punctuation,
  hyphen,
  lower,
  other
};
WordClass word_class(std::string_view word);

struct TagVocabulary {
  Symbols words, labels;
};

struct TagList {
  static constexpr std::uint32_t kNone = UINT32_MAX;

  // Of positions; a word that is not known is kNone.
  std::vector<std::uint32_t> word;
  std::vector<std::uint8_t> word_class;
  // Of nodes; a label that is not known is kNone.
  std::vector<std::uint32_t> label;
  std::vector<std::uint32_t> position;
  std::vector<std::uint32_t> next;   // kNone at the end of the sentence
  std::vector<std::uint32_t> first;  // of a candidate; kNone for a sentence without words

  std::size_t nodes() const { return label.size(); }
  std::size_t size() const { return first.size(); }
  template <class Visit>
  void for_each_node(std::size_t candidate, Visit visit) const {
    for (std::uint32_t node = first[candidate]; node != kNone; node = next[node]) visit(node);
  }
};

// Throws data_error for candidates that are no tag sequences, or of another number of words. With a
// vocabulary that is not const words and labels are added to it.
TagList make_tag_list(const Candidates& list, TagVocabulary& vocabulary);
TagList make_tag_list(const Candidates& list, const TagVocabulary& vocabulary);

}  // namespace copse
