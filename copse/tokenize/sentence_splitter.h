// Where sentences end in text that the rule tokeniser has cut into tokens. Internal to this room.
//
// A sentence ends behind . ! ? and the quotes and brackets that close after it if what follows may
// begin one: a capital letter, a digit, an opening mark. Behind an abbreviation it ends only if the
// abbreviation is one that often closes a sentence and a frequent first word follows.
#pragma once

#include <string_view>

#include "copse/tokenize/rule_tokenizer.h"

namespace copse {

class SentenceSplitter {
 public:
  SentenceSplitter(const RuleTokenizer& rules, std::string_view paragraph)
      : rules_(rules), paragraph_(paragraph) {}

  // Fills in sentence_ends.
  void split(Segmentation& text) const;

 private:
  enum class Ending { none, mark, ellipsis, abbreviation };

  std::string_view text_of(const Token& token) const {
    return paragraph_.substr(token.begin, token.end - token.begin);
  }
  Ending ending_of(std::string_view token) const;
  bool closes(const Token& token, bool attached) const;
  bool may_begin(std::string_view token) const;
  bool is_starter(std::string_view token) const;

  const RuleTokenizer& rules_;
  std::string_view paragraph_;
};

}  // namespace copse
