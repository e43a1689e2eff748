// What is in a treebank: sizes, lengths, inventories, how much of it is non-projective.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "copse/treebank/format.h"

namespace copse {

struct Counts {
  std::map<std::string, std::size_t, std::less<>> of;

  void add(std::string_view key, std::size_t count = 1);
  void add(const Counts& other);
};

struct TreebankStatistics {
  std::size_t sentences = 0;
  std::size_t words = 0;
  std::size_t multiword_tokens = 0;
  std::size_t empty_nodes = 0;
  std::size_t longest = 0;
  std::map<int, std::size_t> lengths;  // sentences by number of words

  // Dependency trees; arcs are words with a head.
  std::size_t arcs = 0;
  std::size_t with_dependencies = 0;  // sentences in which every word has a head
  std::size_t nonprojective_arcs = 0;
  std::size_t nonprojective_sentences = 0;
  std::size_t multiroot_sentences = 0;
  std::map<int, std::size_t> gap_degrees;  // sentences by gap degree
  std::size_t ill_nested_sentences = 0;

  // Phrase-structure trees.
  std::size_t phrase_trees = 0;
  std::size_t phrases = 0;
  std::size_t traces = 0;
  std::size_t deepest = 0;

  Counts forms, upos, xpos, relations, phrase_labels;

  void add(const Entry& entry);
  void add(const TreebankStatistics& other);
};

}  // namespace copse
