// From raw text to counted words: one sentence a line, words separated by blanks.
#pragma once

#include <tsl/robin_set.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/base/group.h"
#include "copse/base/input.h"
#include "copse/cluster/bigrams.h"

namespace copse {

// Streams the words of a text. Blanks are space, tab, vertical tab, form feed and carriage return;
// all other bytes belong to words. A byte order mark at the start is skipped.
class TextWords {
 public:
  enum class Event { word, line_end, too_long, end };
  static constexpr std::size_t kLongestWord = std::size_t{1} << 16;  // bytes

  // Keeps a reference to `input`.
  explicit TextWords(Input& input) : input_(input) {}

  // A word longer than kLongestWord is passed over: too_long. The last line need not be ended.
  Event next();
  // The word that next() found, until it is called again.
  std::string_view word() const { return word_; }

 private:
  bool fill();
  Event take_word();

  Input& input_;
  std::string buffer_;
  std::size_t position_ = 0;
  std::string_view word_;
  bool started_ = false;
  bool at_end_ = false;
  bool in_line_ = false;
};

// What is done to a word before it is counted or looked up.
struct WordForm {
  bool lower = false;   // Unicode lower case
  bool digits = false;  // 1987 becomes 0000: each of 1 to 9

  // Invalid UTF-8 is replaced first. The answer points to `word` or into `scratch`.
  std::string_view apply(std::string_view word, std::string& scratch) const;
};

struct CorpusOptions {
  WordForm form;
  bool neighbours = true;     // a word and the next one are a pair
  bool arcs = false;          // of trees: a head and each of its modifiers are a pair
  bool across_lines = false;  // the last word of a line and the first of the next are neighbours
  // If given only these words are counted, in the form after `form`.
  std::optional<tsl::robin_set<std::string>> only;
};

class CorpusCounter {
 public:
  explicit CorpusCounter(CorpusOptions options) : options_(std::move(options)) {}

  // A word that a file of clusters cannot hold (WordClusters::is_word) is left out.
  void add_word(std::string_view word);
  void end_line();
  void end_text() { counter_.add_gap(); }
  // A sentence with the heads of its words: from 1, 0 or less for none.
  void add_tree(std::span<const std::string> words, std::span<const int> heads);
  // All of `input`. With several threads words are read, put into their form and counted at the
  // same time; `tick` is called now and then by one of them.
  void add_text(Input& input, int threads, const std::function<void()>& tick);

  std::uint64_t tokens() const { return counter_.tokens(); }
  std::uint64_t repaired() const { return repaired_; }  // words with invalid UTF-8
  std::uint64_t unusable() const { return unusable_; }  // too long, or with blanks inside
  std::uint64_t arcs() const { return arcs_; }

  // What the members of a group have counted, each its own texts: for the leader; the others are
  // empty afterwards. Nothing depends on who counted what.
  void gather_counts(Group& group);

  Bigrams finish(const VocabularyOptions& options) { return counter_.finish(options); }

 private:
  enum class Mark : std::uint8_t { word, gap, line_end };
  // A piece of text: its words, as they are read and then in the form in which they are counted.
  struct Piece {
    struct Item {
      Mark mark;
      std::uint32_t bytes;  // of a word
    };
    std::vector<Item> items;
    std::string words;  // one after the other
    std::uint64_t repaired = 0;
    std::uint64_t unusable = 0;

    void clear();
  };

  static std::optional<Piece> read(TextWords& text);
  Piece put_into_form(const Piece& read) const;
  void prepare(std::string_view word, std::string& scratch, Piece& piece) const;
  void count(const Piece& piece);

  CorpusOptions options_;
  BigramCounter counter_;
  std::uint64_t repaired_ = 0;
  std::uint64_t unusable_ = 0;
  std::uint64_t arcs_ = 0;
  // Scratch.
  std::string form_;
  Piece one_;                              // a single word
  std::vector<BigramCounter::Word> tree_;  // its words
};

}  // namespace copse
