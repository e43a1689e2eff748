// Bracketing scores, figure for figure those of EVALB (Sekine & Collins 1997).
//
// Line i of the gold file is compared with line i of the system file:
//   1. words whose tag is a DELETE_LABEL leave both sentences, each side by its own tags;
//   2. no word left on the system side: the sentence is skipped; other words or another number
//      of words: it is an error. Both are counted and left out of every total;
//   3. brackets are the phrases, labels cut at the first '-' or '='; empty ones and deleted
//      labels do not count;
//   4. each gold bracket takes the first system bracket, not yet taken, of the same span and label;
//   5. a system bracket crosses when it overlaps some gold bracket and neither contains the other.
// Recall, precision and F are of the summed counts. Exact; O(b log n) per sentence of b brackets
// apart from unary chains, which are compared pairwise.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "copse/treebank/evaluation/evalb_parameters.h"
#include "copse/treebank/format.h"

namespace copse {

enum class EvalbStatus { valid = 0, error = 1, skipped = 2 };

struct EvalbSentence {
  std::size_t line = 0;  // of both files, from 1
  int length = 0;        // of the gold sentence, with punctuation, without traces
  EvalbStatus status = EvalbStatus::valid;
  int matched = 0;
  int gold = 0;
  int system = 0;
  int crossing = 0;
  int words = 0;
  int correct_tags = 0;
};

// Sums over sentences; percentages are 0 where there is nothing to divide by.
struct EvalbTotals {
  long sentences = 0, errors = 0, skipped = 0;
  long matched = 0, gold = 0, system = 0;
  long complete = 0, crossing = 0, without_crossing = 0, at_most_two_crossing = 0;
  long words = 0, correct_tags = 0;

  void add(const EvalbSentence& sentence);

  long valid() const { return sentences - errors - skipped; }
  double recall() const;
  double precision() const;
  double f1() const;
  double complete_match() const;
  double average_crossing() const;  // per sentence, no percentage
  double no_crossing() const;
  double two_or_less_crossing() const;
  double tagging_accuracy() const;
};

// Brackets of one label over the valid sentences. Under EQ_LABEL a gold PRT may be found by a
// system ADVP, so each side has its own count of matches.
struct EvalbLabelCounts {
  long gold = 0, gold_matched = 0;
  long system = 0, system_matched = 0;
};

struct EvalbReport {
  EvalbParameters parameters;
  std::vector<EvalbSentence> sentences;
  EvalbTotals all;
  EvalbTotals up_to_cutoff;
  std::map<std::string, EvalbLabelCounts> labels;  // cut as for scoring
  // One line of text per error: "12: 5 gold words but 6 system words".
  std::vector<std::string> messages;
  bool stopped = false;     // MAX_ERROR was passed: the totals are incomplete
  std::size_t missing = 0;  // lines of gold for which the system file has none
  std::size_t extra = 0;    // lines of the system file beyond the end of gold
  // Sentences whose outermost bracket has no label; EVALB counts it as a phrase labelled "".
  std::size_t gold_unlabelled_outer = 0;
  std::size_t system_unlabelled_outer = 0;
  std::size_t outer_read_as_top = 0;  // sentences of which one side had it, read as TOP
};

// An outermost bracket without a label, "( (S ...) )", is a phrase labelled "" to EVALB. Penn trees
// have it where parsers write TOP, which is no phrase: the letter of EVALB then counts a bracket
// in gold that no system can find.
enum class EvalbOuter {
  as_evalb,  // to the letter
  agree,     // where one side has it and the other has not, the outer brackets of both are TOP
  top,       // always TOP; so are ROOT, S1 and VROOT
};

struct EvalbOptions {
  EvalbParameters parameters = collins_parameters();
  EvalbOuter outer = EvalbOuter::agree;
  Limits limits;  // of a line
};

// Never throws for any bytes: a line that cannot be read is an error of its sentence.
EvalbReport evaluate_constituency(std::string_view gold_text, std::string_view system_text,
                                  const EvalbOptions& options = {});

}  // namespace copse
