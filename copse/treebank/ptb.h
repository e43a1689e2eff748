// Penn Treebank brackets: "( (S (NP-SBJ (DT The) (NN cat)) (VP (VBD sat)) (. .)) )".
//
//   file := blank* (tree blank*)*
//   tree := '(' blank* label? blank* (tree+ | word)? blank* ')'
//
// A label or word is a run of bytes without blanks and brackets. Trees are read losslessly: the
// unlabelled outer bracket keeps its empty label, "ADVP|PRT", "NP-SBJ-1", "\/" and "-LRB-" stay as
// they are. Brackets without a word below them are dropped and counted in a warning. Line ends
// may be CR LF, a byte order mark is skipped, and so are header lines that begin with "*x*".
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "copse/treebank/format.h"

namespace copse {

struct PtbReadOptions {
  // A tree without any word, such as "(())", becomes an entry with an empty tree instead of
  // vanishing: evaluation needs the n-th tree of one file beside the n-th of another.
  bool keep_empty_trees = false;
};

// Places in errors count columns in bytes from the beginning of the line; in a block that was
// cut in the middle of a very long line, from the cut.
std::unique_ptr<Reader> make_ptb_reader(const Limits& limits, const PtbReadOptions& options = {});

// The bracket around the whole tree; trees whose root is no outer label (see label.h) get one.
enum class OuterBracket : std::uint8_t {
  keep,   // as it is in memory
  empty,  // "( (S ...))"
  top,    // "(TOP (S ...))"
  root,   // "(ROOT (S ...))"
  s1,     // "(S1 (S ...))"
  none,   // "(S ...)"; an outer bracket around several trees is written unlabelled
};
// From "keep", "empty", "TOP", "ROOT", "S1", "none"; anything else throws usage_error.
OuterBracket parse_outer_bracket(std::string_view name);

struct PtbWriteOptions {
  OuterBracket outer = OuterBracket::keep;
  bool indent = false;  // spread a tree over indented lines instead of one line per tree
  int width = 100;      // with indent: a phrase that fits into this many columns stays on one line
};

// Brackets inside words and labels are written as -LRB- and -RRB-, blanks inside them as '_'.
// Throws data_error for an entry without a tree and for a leaf without a tag or a word.
std::unique_ptr<Writer> make_ptb_writer(const PtbWriteOptions& options = {});

// A label or word as it stands in brackets: as the writer above has it, nothing else changed.
std::string ptb_token(std::string_view token);
// The tree on one line without its end, escaped so that it can be read back; unlike the writer it
// takes any tree: an empty one is an empty line.
std::string ptb_line(const PhraseTree& tree);

// The word as raw text has it: "-LRB-" is "(", "-RCB-" is "}", "\/" is "/", "\*" is "*"; the
// bracket names are also resolved inside a word ("friend-LRB-s-RRB-").
std::string unescape_ptb_word(std::string_view word);
// The inverse as far as there is one: brackets become -LRB- and so on, '/' and '*' get their '\'.
std::string escape_ptb_word(std::string_view word);

}  // namespace copse
