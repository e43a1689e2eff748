// Finds whole trees in bracketed text without building them: bracket-driven, never line-driven.
//
// Outside any tree there may be blanks, byte order marks and header text that begins with "*x*" and
// goes on to the end of its line. Anything else there is a fault, and scanning resumes at the next
// line that begins with '('. A tree that is never closed is a fault too; the lines behind its first
// line get another chance, so one missing bracket does not lose the rest of the text (after many that
// are not closed either, those in a row are one fault: each costs memory). So is a tree
// that swallows others: one bracket missing here and one too many a hundred trees later balance,
// but a line inside that begins with the same outer label ("(TOP (S ..." within "(TOP (S ...") gives
// it away. Linear time whatever the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace copse {

inline constexpr bool is_bracket_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

enum class PieceKind : std::uint8_t {
  tree,         // from its '(' to behind its ')'
  unclosed,     // from its '(' to where scanning resumes
  stray_close,  // a ')' outside any tree, to where scanning resumes
  stray_text,   // a word outside any tree, to where scanning resumes
  swallowing,   // from its '(' to the line of the next tree, which it should have ended before
};

struct BracketPiece {
  PieceKind kind;
  std::size_t begin;
  std::size_t end;
  // Of a tree whose label is no outer one: a line in it that begins with '(' and is a whole tree of the
  // same label, or where other lines are indented any that begins so; kNone (npos) if there is none.
  // Perhaps two trees, perhaps a tree without indents.
  std::size_t doubtful_line = std::string_view::npos;
  std::size_t trees = 1;  // of an unclosed one: lines that begin with '(', none of them closed
};

// Where the next tree under the same outer label must begin, at the latest those before it have ended.
class OuterLines {
 public:
  // Where the text goes on behind `bytes`, a label at their end may be longer than it looks.
  enum class Text { ends, goes_on };
  OuterLines(std::string_view bytes, Text text) : bytes_(bytes), text_(text) {}

  // The first line behind the tree's '(' that begins with '(' and its label; npos if there is none, or
  // the label is no outer one. Linear over all calls if asked in ascending order.
  std::size_t after(std::size_t open);

 private:
  std::size_t line_of(std::string_view label, std::size_t position) const;

  std::string_view bytes_;
  Text text_;
  std::map<std::string_view, std::size_t> found_;
};

class BracketScanner {
 public:
  static constexpr std::size_t kNone = std::string_view::npos;
  static constexpr std::size_t kUnclosedApart = 1000;  // each is a fault; then those in a row are

  explicit BracketScanner(std::string_view bytes)
      : bytes_(bytes), outer_lines_(bytes, OuterLines::Text::ends) {}

  // The next piece; false at the end of the text.
  bool next(BracketPiece& piece);

 private:
  bool is_known_unclosed(std::size_t open) const;
  void find_end(BracketPiece& piece);
  void end_unclosed(BracketPiece& piece);
  void find_unclosed_brackets(std::size_t from);
  void look_for_doubtful_line(BracketPiece& piece) const;

  std::string_view bytes_;
  std::size_t position_ = 0;
  // Which '(' of bytes_[unclosed_from_..] are never closed; filled at the first such tree.
  std::size_t unclosed_from_ = kNone;
  std::vector<bool> unclosed_;
  std::size_t unclosed_pieces_ = 0;
  OuterLines outer_lines_;
};

// Position behind the ')' that closes the '(' at `open`, or npos.
std::size_t find_bracket_end(std::string_view bytes, std::size_t open);

// The first '(' after `position` that begins a line, or npos.
std::size_t find_line_with_bracket(std::string_view bytes, std::size_t position);

// The first byte at or after `position` that is not blank, byte order mark or header line; the
// size of `bytes` when there is none.
std::size_t skip_outside_trees(std::string_view bytes, std::size_t position);

// How many leading bytes are whole trees, faults included, with the line end behind the last; 0
// if not one is whole. Cuts at a line end when there is one to cut at, and between a tree that swallows
// others and the line that shows it only when half a megabyte has nowhere else to be cut. What is longer
// than `max_tree_bytes` is given up: the cut is then at the last line that begins with '('.
std::size_t cut_whole_trees(std::string_view bytes, std::size_t max_tree_bytes);

// Reader::cuts for brackets.
std::vector<std::size_t> cuts_between_pieces(std::string_view bytes, std::size_t wanted);

}  // namespace copse
