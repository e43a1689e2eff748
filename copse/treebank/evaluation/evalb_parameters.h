// The parameter file of EVALB (Sekine & Collins): which labels count, which are the same, when
// to give up. One "KEYWORD value" per line; a line starting with '#' is a comment.
//
//   DEBUG n, MAX_ERROR n, CUTOFF_LEN n, LABELED 0|1
//   DELETE_LABEL l, DELETE_LABEL_FOR_LENGTH l, QUOTE_LABEL l      repeatable
//   EQ_LABEL l l, EQ_WORD w w                                     repeatable
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace copse {

struct EvalbParameters {
  int max_errors = 10;               // the run stops at error number max_errors + 2, as EVALB does
  int cutoff = 40;                   // length limit of the second summary
  bool labeled = true;               // compare labels, not only spans
  std::vector<std::string> deleted;  // tags and phrases that do not count
  std::vector<std::string> deleted_for_length;  // tags that do not count as words
  std::vector<std::string> quotes;              // tags of quotes that may be put back
  std::vector<std::pair<std::string, std::string>> equal_labels;
  std::vector<std::pair<std::string, std::string>> equal_words;

  bool is_deleted(std::string_view label) const;
  bool is_deleted_for_length(std::string_view label) const;
  // A quote sign under one of the QUOTE_LABEL tags.
  bool is_quote(std::string_view tag, std::string_view word) const;
  bool same_label(std::string_view a, std::string_view b) const;
  bool same_word(std::string_view a, std::string_view b) const;
};

// The parameters of the published figures (COLLINS), built in.
EvalbParameters collins_parameters();

// Reads a parameter file. Throws data_error with the line for a value that cannot be used;
// keywords nobody knows, and lines without a value, are skipped and told in `warnings`.
EvalbParameters parse_evalb_parameters(std::string_view text, const std::string& file,
                                       std::vector<std::string>* warnings = nullptr);

}  // namespace copse
