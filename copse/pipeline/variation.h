// The same words annotated differently in different places (variation n-grams; Dickinson & Meurers
// 2003, for dependencies Boyd, Dickinson & Meurers 2008).
//
// A nucleus is two words with those between them; with one word more on either side it is a context.
// Where one context occurs several times and the two words are not joined in the same way everywhere
// (which of them is the head, by which relation, or not at all), the rarer ways are doubtful.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "copse/treebank/sentence.h"

namespace copse {

struct Variation {
  std::size_t sentence = 0;     // its number from 0
  int word = 0;                 // the one whose head or relation is doubtful
  std::string here, elsewhere;  // "obj", "no arc"
  std::size_t times = 0;        // how often it is as elsewhere
  std::size_t occurrences = 0;  // of the words with their neighbours
};

// By sentence and word, each word once. Contexts of at most `longest` words. O(words * longest).
std::vector<Variation> find_variations(std::span<const Sentence> sentences, int longest = 8);

}  // namespace copse
