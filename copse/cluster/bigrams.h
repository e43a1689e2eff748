// Words of a corpus and how often each forms a pair with each other one, by default because it
// follows it: what clustering needs to know.
#pragma once

#include <tsl/robin_set.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/base/symbols.h"

namespace copse {

struct VocabularyOptions {
  // Rarer words are left out; 0 means 1 for texts of less than 50 million words, else 3.
  std::uint64_t min_count = 0;
  // Only so many of the most frequent words; 0 means all.
  std::size_t max_words = 0;
};

// Words are numbered by count, the most frequent first, words of the same count by their bytes: so
// nothing depends on the order of the sentences. A bigram of two words is kept with the one that
// has the larger number.
struct Bigrams {
  struct Neighbour {
    std::uint32_t word;
    std::uint64_t count;
  };
  struct Row {
    std::span<const std::uint32_t> words;
    std::span<const std::uint64_t> counts;
  };

  std::vector<std::string> words;
  std::vector<std::uint64_t> counts;  // of the words
  std::vector<std::uint64_t> left;    // l: how often a word is the first of a bigram
  std::vector<std::uint64_t> right;   // r: the second
  std::vector<std::uint64_t> self;    // n(w,w)
  std::uint64_t total = 0;            // N: bigrams

  // (x, n(w,x)) and (x, n(x,w)) for words x before w.
  Row following(std::uint32_t word) const { return row(following_, word); }
  Row preceding(std::uint32_t word) const { return row(preceding_, word); }
  std::size_t entries() const { return following_.words.size() + preceding_.words.size(); }

 private:
  friend class BigramCounter;
  struct Rows {
    std::vector<std::size_t> begin;
    std::vector<std::uint32_t> words;
    std::vector<std::uint64_t> counts;
  };
  static Row row(const Rows& rows, std::uint32_t word) {
    const std::size_t first = rows.begin[word];
    const std::size_t size = rows.begin[word + 1] - first;
    return {std::span(rows.words).subspan(first, size),
            std::span(rows.counts).subspan(first, size)};
  }

  Rows following_;
  Rows preceding_;
};

// Counts a stream of words and their pairs: neighbours, or any others that are named. Memory: the
// vocabulary and 16 bytes for every distinct bigram, up to twice as much more while counting.
class BigramCounter {
 public:
  using Word = Symbols::Id;
  static constexpr Word kNoWord = Symbols::kUnknown;

  // A pair with the word before it, if there is no gap.
  void add_word(std::string_view word);
  // What follows is no neighbour of what came before: the end of a line, or a word left out.
  void add_gap() { previous_ = kNoWord; }
  // The word just added, kNoWord after a gap.
  Word last() const { return previous_; }
  // Two words that were added, neighbours or not.
  void add_pair(Word first, Word second);

  std::uint64_t tokens() const { return tokens_; }

  // All that was counted, for another counter of the same machine kind to add; the order of the
  // counters changes nothing. This one is empty afterwards.
  std::string take_bytes();
  void add_bytes(std::string_view bytes);

  // Words outside the vocabulary are left out together with their bigrams; their neighbours do not
  // become neighbours. The counter is empty afterwards.
  Bigrams finish(const VocabularyOptions& options);

 private:
  struct Pair {
    std::uint64_t key;  // first word in the upper half, second in the lower
    std::uint64_t count;
  };

  void merge_recent();
  void add_sorted(const std::vector<Pair>& pairs);
  std::vector<Symbols::Id> choose_words(const VocabularyOptions& options) const;
  void add_pairs(std::span<const std::uint32_t> rank, Bigrams& bigrams);

  Symbols symbols_;
  std::vector<std::uint64_t> counts_;
  Word previous_ = kNoWord;
  std::uint64_t tokens_ = 0;
  std::vector<std::uint64_t> recent_;  // keys not yet in pairs_
  std::vector<Pair> pairs_;            // by key
};

}  // namespace copse
