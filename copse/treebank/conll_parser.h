// The lines of one sentence in CoNLL-U or CoNLL-X. Internal to the CoNLL reader.
#pragma once

#include <string_view>
#include <vector>

#include "copse/treebank/conll.h"
#include "copse/treebank/format.h"

namespace copse {

class ConllParser {
 public:
  ConllParser(Dialect dialect, const Limits& limits, HeadColumn heads = HeadColumn::judged)
      : dialect_(dialect), limits_(limits), heads_(heads) {}

  // `bytes` are the lines of one sentence with the blank lines around it, `first_line` the
  // number of the first. Throws data_error with line and column. Warnings get line numbers.
  Sentence parse(std::string_view bytes, std::size_t first_line, std::vector<Warning>& warnings);

 private:
  void add_line(Sentence& sentence, std::string_view line);
  static Slice slice_of(const Sentence& sentence, std::string_view part_of_its_text);
  void split_columns(const Sentence& sentence, Row& row, std::string_view content) const;
  void read_id(Sentence& sentence, Row& row);
  void read_head(const Sentence& sentence, Row& row) const;
  void check_whole(const Sentence& sentence);
  void check_cycles(const Sentence& sentence);
  static std::string name_of(const Sentence& sentence);
  // An error at the current line.
  [[noreturn]] void fail(std::string message, std::size_t column = 0, std::string hint = {}) const;

  Dialect dialect_;
  Limits limits_;
  HeadColumn heads_;

  // Where in the sentence we are.
  std::size_t line_ = 0;
  int words_ = 0;       // words seen
  int range_end_ = 0;   // last word of the latest multiword token
  int last_empty_ = 0;  // k of the latest empty node after the current word
  std::size_t range_line_ = 0;
  std::vector<std::size_t> word_lines_;
  std::vector<int> walk_;  // scratch of check_cycles
};

}  // namespace copse
