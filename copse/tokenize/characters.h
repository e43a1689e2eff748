// The text of a paragraph as the tokenisers see it: one entry per code point, each run of blanks
// drawn together to one entry, and what can be said of an entry without looking around.
//
// Bytes that are no UTF-8 count as one code point each, U+FFFD. Hashes of any stretch of up to
// kLongestHashed entries cost a subtraction: polynomial prefix hashes modulo 2^64.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace copse {

// ASCII punctuation marks are classes of their own: ascii_mark + the mark's number, 0 to 31.
enum class CharClass : std::uint8_t {
  edge,      // before the first and after the last character
  blank,     // a run of blanks on one line
  line_end,  // a run of blanks with a line end in it
  lower,     // letters by case; "other" has none
  upper,
  other_letter,
  digit,
  han,
  hiragana,
  katakana,
  hangul,
  south_east_asian,  // Thai, Lao, Khmer, Burmese: no blanks between words
  extender,          // belongs to what stands before it: marks, joiners, emoji modifiers
  pictograph,
  symbol,
  currency,
  dash,
  open,
  close,
  quote_open,
  quote_close,
  apostrophe,
  ellipsis,
  full_stop,  // of scripts other than Latin, with their question and exclamation marks
  comma,      // likewise
  other_mark,
  control,
  invalid,
  ascii_mark = 32,
};
inline constexpr int kCharClasses = 64;

constexpr int index_of(CharClass value) {
  return static_cast<int>(value);
}
constexpr bool is_blank(CharClass value) {
  return value == CharClass::blank || value == CharClass::line_end;
}
constexpr bool is_letter(CharClass value) {
  return value >= CharClass::lower && value <= CharClass::south_east_asian &&
         value != CharClass::digit;
}

CharClass class_of(char32_t point);
// Unicode white space.
bool is_white_space(char32_t point);
char32_t lower_of(char32_t point);
char32_t upper_of(char32_t point);

class Characters {
 public:
  // Positions from -kPadding to size() - 1 + kPadding may be asked for; outside of the text they
  // are CharClass::edge.
  static constexpr int kPadding = 8;
  static constexpr int kLongestHashed = 64;

  // Needs fewer than 2^31 bytes. Memory is kept from one call to the next.
  void read(std::string_view text);

  int size() const { return size_; }
  CharClass cls(int i) const { return cells_[at(i)].cls; }
  // The class of the character that an extender belongs to; of any other, its own.
  CharClass base_cls(int i) const {
    while (cls(i) == CharClass::extender && i > 0) --i;
    return cls(i);
  }
  char32_t point(int i) const { return cells_[at(i)].point; }  // ' ' and '\n' for runs of blanks
  // Where the entry begins in the text; of size(), where the text ends.
  std::uint32_t begin(int i) const { return cells_[at(i)].begin; }

  // A hash of entries [begin, end) in lower case, the first kLongestHashed of them.
  std::uint64_t lower_hash(int begin, int end) const;

  // A stretch without blanks.
  struct Chunk {
    int begin;
    int end;
  };
  const std::vector<Chunk>& chunks() const { return chunks_; }

 private:
  struct Cell {
    char32_t point;
    std::uint32_t begin;
    CharClass cls;
  };

  static std::size_t at(int i) { return static_cast<std::size_t>(i + kPadding); }
  void make_room(std::size_t bytes);
  void mark_joined();

  // Longer than needed: memory is kept, and what is beyond size() is left from earlier texts.
  std::vector<Cell> cells_;           // with the padding
  std::vector<std::uint64_t> lower_;  // hash of the first i entries
  std::vector<Chunk> chunks_;
  int size_ = 0;
};

// Folds text the way lower_hash() does; for tables made in training.
std::uint64_t lower_hash_of(std::string_view text);

}  // namespace copse
