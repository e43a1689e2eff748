// One chunk of text to tokens, by the rules of rule_tokenizer.h. Internal to this room.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "copse/tokenize/rule_tokenizer.h"

namespace copse {

class ChunkScanner {
 public:
  ChunkScanner(const RuleTokenizer& rules, std::string_view paragraph, const Characters& text,
               std::vector<Token>& tokens)
      : rules_(rules), paragraph_(paragraph), text_(text), tokens_(tokens) {}

  // Appends the tokens of a chunk. Chunks must be scanned in order: quotes are counted.
  void scan(std::size_t chunk);

 private:
  enum Spelling : std::uint16_t {
    kAsIs,
    kOpenQuote,
    kCloseQuote,
    kOpenRound,
    kCloseRound,
    kOpenSquare,
    kCloseSquare,
    kOpenCurly,
    kCloseCurly,
  };

  void give(int begin, int end, Spelling spelling = kAsIs);
  void give_mark(int i, bool opening);
  int take_opening(int begin, int end);
  bool begins_word(int i, int end);
  int find_core_end(int begin, int end);
  void take_closing(int begin, int end);
  void cut_core(int begin, int end);
  void cut_word(int begin, int end);
  void cut_clitics(int begin, int end);

  std::string folded(int begin, int end) const;
  bool is_whole(int begin, int end) const;
  bool keeps_stop(int begin, int end) const;
  bool is_acronym(int begin, int end) const;
  bool is_address(int begin, int end) const;
  int run_of(int begin, int end, std::u32string_view marks) const;
  int separator_size(int i, int begin, int end) const;
  char32_t point(int i) const { return text_.point(i); }
  bool is_digit(int i) const { return text_.cls(i) == CharClass::digit; }
  bool is_alphabetic(int i) const { return is_letter(text_.cls(i)); }

  const RuleTokenizer& rules_;
  std::string_view paragraph_;
  const Characters& text_;
  std::vector<Token>& tokens_;
  bool in_quotes_ = false;
  bool number_follows_ = false;  // the next chunk begins with a digit, or a bracket and a digit
  bool capital_follows_ = false;
};

}  // namespace copse
