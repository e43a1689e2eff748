// Surface tokens that are several words: du -> de le, don't -> do n't.
//
// A token is looked up in lower case; if it is not known, the longest of its endings that is known
// (at least kMinCount kinds of token, nearly all of them multiword tokens, with one expansion)
// is replaced. Words that are the token cut in pieces keep its letters; other words get its case:
// all upper, first upper, or as they are.
#pragma once

#include <bitset>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "copse/treebank/format.h"

namespace copse {

class MultiwordExpander {
 public:
  // Tables as they are in a model: "du<TAB>de<TAB>le", and for endings "n't<TAB><TAB>n't": what
  // the first word ends in instead, and the words after it.
  // Throws data_error for anything else.
  MultiwordExpander(std::vector<std::string> words, std::vector<std::string> endings);

  // Learns both tables.
  static MultiwordExpander learn(std::span<const Entry> entries);

  const std::vector<std::string>& words() const { return word_rows_; }
  const std::vector<std::string>& endings() const { return ending_rows_; }
  bool empty() const { return words_.empty() && endings_.empty(); }

  // The words of a token; false (and nothing in `words`) if it is one word.
  bool expand(std::string_view form, std::vector<std::string>& words) const;

 private:
  using Pieces = std::vector<std::string>;
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  using Table = std::unordered_map<std::string, Pieces, Hash, std::equal_to<>>;

  static constexpr int kMinCount = 3;
  static constexpr std::size_t kLongestToken = 200;  // bytes; a longer one is one word
  static constexpr std::size_t kLongestEnding = 8;   // bytes

  // Whether a token may be in one of the tables: most are not, and are told by a few bytes.
  bool may_expand(std::string_view form) const;
  static std::size_t outline(std::string_view word);

  static Table parse(const std::vector<std::string>& rows, std::size_t pieces);

  std::vector<std::string> word_rows_;
  std::vector<std::string> ending_rows_;
  Table words_;                                   // an empty list: known to be one word
  std::bitset<std::size_t{1} << 16> outlines_;    // of the words
  std::bitset<std::size_t{1} << 16> last_bytes_;  // of the endings
  Table endings_;  // first piece: what replaces the ending within the first word
};

}  // namespace copse
