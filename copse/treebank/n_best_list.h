// Lists of parses of a sentence, best first, and their two forms on disk.
//
// Text, one block per sentence:
//     COUNT ID [ORACLE]
//     LOG-PROBABILITY          } COUNT times
//     (TOP (S ...))            }
//     <blank line>
// The log probability has 17 significant digits, so that it is read back as it was; it is finite.
// A list of no parses ("0 ID") stands for a sentence without words. Words and labels are written as
// in brackets, in both forms: "(" is -LRB-, a blank is '_' (see ptb.h); blanks of an id are '_', too.
//
// Binary (.nbl): "NBL1", then for each sentence the number of its bytes, the bytes and their XXH3
// checksum; a number of 0 ends the file, so that a file cut short is noticed. A sentence is
// complete in itself: id, words, labels, then for each parse its log probability and the tree as
// the preorder of (label, number of children). Numbers are in base 128, least significant digits
// first, the high bit of a byte set if more follow. Both forms stream, and hold the same.
//
// What is read is not trusted: a binary list may grow to 64 times its size in memory and 16 MiB more
// (labels and words stand once in the file and in every parse in memory), a tree be 10,000 deep.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "copse/base/input.h"
#include "copse/treebank/phrase_tree.h"

namespace copse {

struct ScoredTree {
  double log_probability = 0;
  PhraseTree tree;  // under TOP
};

struct NBestList {
  std::string id;  // without blanks
  std::vector<ScoredTree> parses;
  std::optional<int> oracle;  // number of the parse nearest to gold
};

enum class NBestForm : std::uint8_t { text, binary };

// Begins and ends a file of lists; nothing for text.
std::string_view n_best_begin(NBestForm form);
std::string_view n_best_end(NBestForm form);
// Throws data_error for what could not be read back: a parse without words, a leaf without a tag or
// a word, a log probability that is not finite, a binary list whose parses differ in their words.
void append_n_best(const NBestList& list, NBestForm form, std::string& out);

// Reads lists one after the other, whichever form they have.
class NBestReader {
 public:
  // `begun`: bytes that were read from the input already.
  explicit NBestReader(Input input, std::string begun = {});

  NBestForm form() const { return form_; }
  const std::string& name() const { return input_.name(); }
  // Nothing at the end. Throws data_error with the line (or the number of the sentence) for
  // anything that is not as above.
  std::optional<NBestList> next();

 private:
  std::optional<NBestList> next_text();
  std::optional<NBestList> next_binary();
  bool fill();  // false at the end of the input
  std::size_t line_end();
  std::optional<std::string_view> line();
  std::string_view take(std::size_t bytes);
  [[noreturn]] void fail(const std::string& message) const;
  PhraseTree tree(std::string_view text) const;

  Input input_;
  NBestForm form_ = NBestForm::text;
  std::string buffer_;
  std::size_t at_ = 0;    // of buffer_, everything before was handed out
  std::size_t line_ = 0;  // text: lines, binary: sentences read
  bool ended_ = false;
};

}  // namespace copse
