// What can be chosen about tokenising.
#pragma once

#include "copse/base/stop.h"

namespace copse {

// What a single line end means.
enum class LineEnds {
  blanks,      // like any other white space; the model may take them for a hint
  paragraphs,  // each ends a paragraph
  sentences,   // each line is one sentence
};

struct TokenizedTextOptions {
  LineEnds line_ends = LineEnds::blanks;
  bool plain_text = false;  // one sentence per line, words parted by blanks
  bool ranges = true;       // TokenRange
  int max_words = 50'000;   // a longer sentence is cut
  Stop stop = {};           // throws Stopped, every few thousand characters
};

// The rule tokeniser for English.
struct RuleTokenizerOptions {
  bool ptb_brackets = false;     // ( is written -LRB-, and so on
  bool keep_quotes = false;      // " stays ", else it is written `` or ''
  bool split_hyphens = false;    // well-known is three tokens, as in OntoNotes and UD
  bool split_addresses = false;  // URLs, e-mail addresses, @names and #tags are cut like words
};

}  // namespace copse
