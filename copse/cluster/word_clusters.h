// Word classes as taggers and parsers use them: every word has a cluster, every cluster a bit
// string, the path to it in a binary tree (Brown et al. 1992; Koo, Carreras & Collins 2008). Short
// prefixes of the strings stand in for parts of speech, whole strings for words.
//
// The text form is the usual `paths` file, one word a line, the line ended by LF or CRLF:
//
//   bits TAB word TAB count         0110	Monday	418
//
// Bits are the characters 0 and 1, possibly none; a word is any bytes but blanks and line ends; a
// count is a number below 2^63. The binary form holds the same in about half the bytes, for
// embedding into model files.
#pragma once

#include <tsl/robin_map.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "copse/base/input.h"

namespace copse {

// Immutable once made: everything const may be called from many threads.
class WordClusters {
 public:
  // Clusters are numbered 0, 1, ... in the lexicographic order of their bit strings.
  using Id = std::uint32_t;
  static constexpr Id kNone = UINT32_MAX;

  struct Line {
    std::string_view bits;
    std::string_view text;
    std::uint64_t count = 0;
  };
  struct Word {
    std::string_view text;
    std::uint64_t count;
  };
  // Numbers [first, last) of words or clusters.
  struct Range {
    std::uint32_t first;
    std::uint32_t last;
  };

  WordClusters() : WordClusters(std::vector<Line>{}) {}
  // In any order. Copies what the lines point to. Of a word given twice the first counts.
  explicit WordClusters(std::vector<Line> lines);
  // Throws data_error naming file and line for a line that is no `bits TAB word TAB count`; an
  // empty line is allowed at the end.
  static WordClusters read(Input& input);
  // Undoes bytes(). Throws data_error for anything else, whatever the bytes.
  static WordClusters from_bytes(std::string_view bytes);

  WordClusters(WordClusters&&) noexcept = default;
  WordClusters& operator=(WordClusters&&) noexcept = default;
  WordClusters(const WordClusters&) = delete;  // the index points into the text
  WordClusters& operator=(const WordClusters&) = delete;
  ~WordClusters() = default;

  // Whether a file can hold this word: not empty, no blank, no line end.
  static bool is_word(std::string_view text) {
    return !text.empty() && text.find_first_of(" \t\n\v\f\r") == std::string_view::npos;
  }

  // The cluster of a word, kNone if it has none. One hash lookup.
  Id find(std::string_view word) const {
    const auto found = index_.find(word);
    return found == index_.end() ? kNone : found->second;
  }
  Id clusters() const { return static_cast<Id>(first_word_.size() - 1); }
  std::string_view bits(Id cluster) const {
    return {bits_.data() + bits_begin_[cluster], bits_begin_[cluster + 1] - bits_begin_[cluster]};
  }

  // A dense number, 0 to prefixes(length) - 1, for the first `length` bits of the cluster's string,
  // the whole string where it is shorter: two clusters have the same number exactly if these agree.
  // An array access up to kTabledPrefix bits, beyond that O(clusters).
  Id prefix(Id cluster, int length) const;
  static constexpr int kTabledPrefix = 24;
  // How many different prefixes of that length there are.
  Id prefixes(int length) const { return clusters() == 0 ? 0 : prefix(clusters() - 1, length) + 1; }
  // The length whose number of different prefixes is nearest to `wanted`, the shorter of two.
  int length_with_prefixes(Id wanted) const;

  // Words are numbered in the order of the file that write() makes: by bit string, then by count,
  // largest first, then by bytes.
  std::uint32_t words() const { return static_cast<std::uint32_t>(counts_.size()); }
  Word word(std::uint32_t number) const {
    return {{text_.data() + text_begin_[number], text_begin_[number + 1] - text_begin_[number]},
            counts_[number]};
  }
  Range words_of(Id cluster) const { return {first_word_[cluster], first_word_[cluster + 1]}; }
  // The clusters whose strings start with `bits`.
  Range clusters_below(std::string_view bits) const;

  // Lines that repeated a word and were passed over.
  std::size_t duplicates() const { return duplicates_; }

  std::string paths() const;  // the text form
  std::string bytes() const;  // the binary form

 private:
  void add_cluster(std::string_view bits);
  void add_word(const Line& line);
  void make_index();
  void make_prefix_table();

  std::vector<char> bits_;                 // of all clusters, one after the other
  std::vector<std::size_t> bits_begin_;    // where each cluster's begin, and the end
  std::vector<char> text_;                 // of all words, one after the other
  std::vector<std::size_t> text_begin_;    // where each word's begin, and the end
  std::vector<std::uint64_t> counts_;      // by word
  std::vector<std::uint32_t> first_word_;  // by cluster, and the end
  // How many leading bits a cluster's string shares with the one before; 0 for the first.
  std::vector<std::uint32_t> shared_;
  std::vector<Id> prefix_table_;                // [(length - 1) * clusters + cluster]
  int tabled_ = 0;                              // lengths in the table
  int longest_ = 0;                             // bits of the longest string
  tsl::robin_map<std::string_view, Id> index_;  // keys lie in text_
  std::size_t duplicates_ = 0;
};

}  // namespace copse
