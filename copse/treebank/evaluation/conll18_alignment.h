// Which word of the system is which word of gold, when the two cut the same text differently
// (CoNLL 2018). Outside multiword tokens: same span. Inside: longest common subsequence.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "copse/treebank/evaluation/conll18_treebank.h"

namespace copse {

struct WordAlignment {
  static constexpr int kNotAligned = -2;  // differs from UdWord::kRoot

  std::vector<std::pair<int, int>> pairs;  // (gold word, system word), both increasing
  std::vector<int> gold_of_system;         // per system word: the gold word, or kNotAligned
};

// Needs the same text on both sides. O(words) plus g * s for every span of g gold and s system
// words around multiword tokens; a span too large for that (beyond 2^32 pairs) is a data_error.
WordAlignment align_words(const UdTreebank& gold, const UdTreebank& system);

// Python's str.lower(), by which the official script compares the words of multiword tokens:
// Unicode lower case with the two unconditional and contextual exceptions of SpecialCasing.txt
// that touch equality, U+0130 and the final sigma.
std::string python_lower(std::string_view form);

}  // namespace copse
