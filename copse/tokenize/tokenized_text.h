// Text, tokenised: as sentences, and as what `copse tokenize` writes, CoNLL-U or plain lines.
//
// CoNLL-U has "# newdoc", "# newpar", "# sent_id" and "# text", the tokens with the white space
// around them (space_escapes.h) and TokenRange=begin:end, their place in the text in code points.
// restore_text() makes the bytes of the text from it again.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "copse/tokenize/options.h"
#include "copse/tokenize/segmentation.h"
#include "copse/tokenize/text_blocks.h"
#include "copse/treebank/sentence.h"

namespace copse {

// A block's output, still without the numbers of its sentences.
struct TokenizedBlock {
  std::unique_ptr<char[]> bytes;
  std::size_t size = 0;
  std::vector<std::size_t> id_places;  // where among the bytes a number goes, ascending
  std::size_t tokens = 0;
  std::size_t cut_sentences = 0;  // longer than max_words

  // The text with its numbers, the first one being `first_id`.
  std::string numbered(std::uint64_t first_id) const;
};

// `document` is the name after "# newdoc id = ", empty for none.
TokenizedBlock tokenize_block(const Tokenizer& tokenizer, const TextBlock& block,
                              const std::string& document, const TokenizedTextOptions& options);

// The sentences of a whole text, with the same comments and columns, numbered from 1.
std::vector<Sentence> tokenize_sentences(const Tokenizer& tokenizer, std::string text,
                                         TokenizedTextOptions options = {});

// Those of one block, `document` as above.
std::vector<Sentence> block_sentences(const Tokenizer& tokenizer, const TextBlock& block,
                                      const std::string& document, TokenizedTextOptions options);

// A whole text at once.
std::string tokenize_text(const Tokenizer& tokenizer, std::string text,
                          const TokenizedTextOptions& options = {});

}  // namespace copse
