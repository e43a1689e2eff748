// One sentence with its columns, as CoNLL-U and CoNLL-X have them.
//
// The sentence keeps the raw bytes it was read from, one Row per line, and every column as a
// slice of them. Setting a column appends the new text and marks the row; writing copies clean
// rows verbatim and joins only marked ones. So a sentence that nobody changed is written back
// byte for byte: comments, multiword tokens, empty nodes, odd spacing, CR LF and all.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/treebank/dependency_tree.h"
#include "copse/treebank/slice.h"

namespace copse {

// In CoNLL-X the same ten columns are ID FORM LEMMA CPOSTAG POSTAG FEATS HEAD DEPREL PHEAD
// PDEPREL: upos holds CPOSTAG, xpos POSTAG, deps PHEAD and misc PDEPREL.
enum class Column : std::uint8_t { id, form, lemma, upos, xpos, feats, head, deprel, deps, misc };
inline constexpr int kColumns = 10;

enum class RowKind : std::uint8_t {
  comment,    // "# ..."
  word,       // "7"      a syntactic word
  multiword,  // "7-8"    a surface token made of words 7 and 8
  empty,      // "7.1"    an empty node of the enhanced graph
  blank,      // ends the sentence (or stands before it)
};

enum class Dialect : std::uint8_t { conllu, conllx };

struct Row {
  Slice line;                           // the whole line as read, line end included
  std::array<Slice, kColumns> columns;  // absent columns have size 0
  Slice extra;                          // CoNLL-X: what follows column 10, from its tab on
  std::uint8_t column_count = 0;        // as read; 10 for rows made here
  RowKind kind = RowKind::comment;
  bool edited = false;
  std::int32_t id = 0;    // word: its number; multiword: first word; empty: the word before it
  std::int32_t last = 0;  // multiword: last word; empty: k of "i.k"; word: same as id
  std::int32_t head = DependencyTree::kNoHead;  // words only
};

class Sentence {
 public:
  Sentence() = default;
  explicit Sentence(Dialect dialect) : dialect_(dialect) {}

  Dialect dialect() const { return dialect_; }
  int words() const { return static_cast<int>(word_rows_.size()); }
  // Nothing in it at all (a sentence of comments only is not empty).
  bool empty() const { return rows_.empty(); }

  // Columns of word i, 1 <= i <= words(). "_" is returned as it stands in the file.
  std::string_view get(int word, Column column) const { return get(word_row(word), column); }
  std::string_view form(int word) const { return get(word, Column::form); }
  std::string_view lemma(int word) const { return get(word, Column::lemma); }
  std::string_view upos(int word) const { return get(word, Column::upos); }
  std::string_view xpos(int word) const { return get(word, Column::xpos); }
  std::string_view feats(int word) const { return get(word, Column::feats); }
  std::string_view deprel(int word) const { return get(word, Column::deprel); }
  std::string_view misc(int word) const { return get(word, Column::misc); }
  int head(int word) const { return word_row(word).head; }

  // An empty value is written as "_". Tabs and line ends in a value become spaces.
  void set(int word, Column column, std::string_view value);
  void set_head(int word, int head);  // head may be DependencyTree::kNoHead
  // The item "key=value" of MISC: replaces those with that key, is the last then.
  void set_misc(int word, std::string_view key, std::string_view value);

  // Heads and labels of all words; words without a head have kNoHead, without a label "_".
  DependencyTree tree() const;
  // Needs tree.words() == words().
  void set_tree(const DependencyTree& tree);

  // The value of "# key = value" or "# key"; nothing when there is no such comment.
  std::optional<std::string_view> comment(std::string_view key) const;
  // Replaces the comment with that key or adds one after the last comment.
  void set_comment(std::string_view key, std::string_view value);

  // All lines in file order, and text behind them.
  std::span<const Row> rows() const { return rows_; }
  const Row& word_row(int word) const {
    return rows_[word_rows_[static_cast<std::size_t>(word) - 1]];
  }
  std::string_view get(const Row& row, Column column) const {
    return row.columns[static_cast<std::size_t>(column)].in(text_);
  }
  std::string_view line(const Row& row) const { return row.line.in(text_); }
  // A comment from its "#" on, without line end (and without a byte order mark before it).
  std::string_view comment_text(const Row& row) const;
  std::string_view extra(const Row& row) const { return row.extra.in(text_); }
  // "\n" or "\r\n", as the sentence was read.
  std::string_view line_end() const { return crlf_ ? "\r\n" : "\n"; }

  // Building a sentence from nothing: comments first, then rows in file order.
  void add_comment(std::string_view line_without_hash_or_end);
  void add_word(std::string_view form);
  void add_multiword(int first, int last, std::string_view form);
  void add_empty_node(int after, int k, std::string_view form);
  // Any row's column, for readers and writers that treat all kinds of row alike.
  void set_column(std::size_t row, Column column, std::string_view value);

  // The text from FORMs and SpaceAfter=No (multiword tokens as their surface form).
  std::string surface_text() const;

 private:
  friend class ConllParser;  // fills rows and text from a block of bytes

  Row& add_row(RowKind kind, std::string_view id, std::string_view form);

  std::string text_;
  std::vector<Row> rows_;
  std::vector<std::uint32_t> word_rows_;  // index into rows_ of word i + 1
  Dialect dialect_ = Dialect::conllu;
  bool crlf_ = false;
};

}  // namespace copse
