// The rule tokeniser for English: Penn Treebank conventions, one pass with a hand-written scanner.
// Every word of its tables is in data/english-ptb.rules.
//
// A chunk (what stands between blanks) is taken from its ends: opening marks on the left, closing
// marks on the right; what is left is a URL, an address, a number or a word and is cut inside at
// commas, dashes, brackets and clitics. A full stop stays with an abbreviation wherever it stands
// ("U.S." at the end of a sentence gets no second one) and is a token of its own after any other
// word. Tokenised text is left as it is.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "copse/tokenize/options.h"
#include "copse/tokenize/segmentation.h"

namespace copse {

class RuleTokenizer : public Tokenizer {
 public:
  // The rules for English. `rules` is a table like data/english-ptb.rules.
  explicit RuleTokenizer(const RuleTokenizerOptions& options = {});
  RuleTokenizer(const RuleTokenizerOptions& options, std::string_view rules);

  void segment(std::string_view paragraph, Scratch& scratch, Segmentation& out) const override;
  std::span<const std::string_view> spellings() const override;

 private:
  friend class ChunkScanner;
  friend class SentenceSplitter;
  using Words = std::unordered_set<std::string>;

  bool keeps_stop(const std::string& word) const {
    return abbreviations_.contains(word) || closing_abbreviations_.contains(word);
  }

  RuleTokenizerOptions options_;
  std::vector<std::string> clitics_;
  std::unordered_map<std::string, std::vector<int>> splits_;  // sizes of the pieces
  Words whole_;
  Words emoticons_;
  Words abbreviations_;
  Words closing_abbreviations_;
  Words before_numbers_;
  Words starters_;
};

}  // namespace copse
