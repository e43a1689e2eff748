// One line of a bracketed file the way EVALB reads it.
//
// This reader is line-driven on purpose, unlike the treebank's own: in EVALB line i of one file
// is compared with line i of the other, an empty line is a sentence (a failed parse), "(NP )" is
// a word without letters, an unlabelled bracket counts as a phrase labelled "", and a line with
// the wrong number of brackets is scored as far as it goes and then counted as an error. A
// reader that mends trees would give other figures.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "copse/treebank/evaluation/evalb_parameters.h"
#include "copse/treebank/format.h"

namespace copse {

// All views point into the line that was parsed.
struct EvalbLine {
  struct Word {
    std::string_view word;
    std::string_view tag;
  };
  struct Bracket {
    static constexpr int kOpen = -1;  // `end` of a bracket nobody closed
    int begin = 0;                    // in kept words
    int end = kOpen;
    std::string_view label;  // as written; scoring cuts it
    bool outermost = false;
    bool counted = true;
  };
  // A quote sign whose tag may decide whether it is deleted; see fix_quotes() in evalb.cc.
  struct Quote {
    Word word;
    int position = 0;               // index among the kept words
    std::size_t next_bracket = 0;   // first bracket opened after it
    std::vector<std::size_t> open;  // brackets around it
  };

  std::vector<Word> words;  // without deleted ones
  std::vector<Bracket> brackets;
  std::vector<Quote> quotes;
  int length = 0;                     // words without DELETE_LABEL_FOR_LENGTH
  std::vector<std::string> problems;  // each makes the line an error
  bool unreadable = false;            // a problem after which nothing can be compared
};

// A line beyond the limits is unreadable.
EvalbLine parse_evalb_line(std::string_view line, const EvalbParameters& parameters,
                           const Limits& limits = {});

}  // namespace copse
