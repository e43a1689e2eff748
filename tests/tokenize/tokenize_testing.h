// What the tests of this room share.
#pragma once

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <iterator>
#include <string>
#include <vector>

#include "copse/base/random.h"
#include "copse/base/utf8.h"
#include "copse/tokenize/gold_text.h"
#include "copse/tokenize/tokenizer_trainer.h"
#include "copse/tokenize/trained_tokenizer.h"
#include "copse/treebank/formats.h"
#include "copse/treebank/treebank.h"
#include "tests/source_dir.h"

namespace copse::testing {

inline std::string fixture(const std::string& name) {
  return source_dir() + "/fixtures/" + name;
}

inline std::vector<Entry> parse_conllu(const std::string& text) {
  std::vector<Entry> entries;
  for (ReadItem& item : make_reader(Format::conllu)->parse({text, "test", 1}).items) {
    EXPECT_FALSE(item.error) << item.error->what();
    entries.push_back(std::move(item.entry));
  }
  return entries;
}

inline std::vector<std::string> token_texts(std::string_view text, const Segmentation& found) {
  std::vector<std::string> tokens;
  for (const Token& token : found.tokens) {
    tokens.emplace_back(text.substr(token.begin, token.end - token.begin));
  }
  return tokens;
}

// Tokens joined by blanks, sentences by " / ", in the tokeniser's spelling.
inline std::string show(const Tokenizer& tokenizer, std::string_view text) {
  Tokenizer::Scratch scratch;
  Segmentation found;
  tokenizer.segment(text, scratch, found);
  std::string out;
  std::size_t sentence = 0;
  for (std::size_t i = 0; i < found.tokens.size(); ++i) {
    if (sentence < found.sentence_ends.size() && found.sentence_ends[sentence] == i) {
      out += " /";
      ++sentence;
    }
    if (!out.empty()) out += ' ';
    const Token& token = found.tokens[i];
    out += token.spelling == 0 ? text.substr(token.begin, token.end - token.begin)
                               : tokenizer.spellings()[token.spelling];
  }
  return out;
}

// Everything that is promised of any answer: tokens in order, all but white space covered, ends
// ascending, the last one at the end.
inline void ExpectSoundSegmentation(std::string_view text, const Segmentation& found) {
  std::size_t at = 0;
  const auto blank = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end;) {
      const CodePoint point = decode_utf8(text, i);
      EXPECT_TRUE(is_white_space(point.value)) << i;
      i += static_cast<std::size_t>(point.size);
    }
  };
  for (const Token& token : found.tokens) {
    ASSERT_LE(at, token.begin);
    ASSERT_LT(token.begin, token.end);
    blank(at, token.begin);
    at = token.end;
  }
  ASSERT_LE(at, text.size());
  blank(at, text.size());
  std::uint32_t last = 0;
  for (const std::uint32_t end : found.sentence_ends) {
    EXPECT_LT(last, end);
    last = end;
  }
  EXPECT_EQ(last, found.tokens.size());
}

// Text of the kind that breaks tokenisers, `pieces` long.
inline std::string awkward_text(Random& random, int pieces) {
  static const std::vector<std::string> kPieces = {"a",
                                                   "The",
                                                   "don't",
                                                   "U.S.",
                                                   "Mr.",
                                                   "etc.",
                                                   "...",
                                                   ".",
                                                   "!",
                                                   "?!",
                                                   ",",
                                                   ";",
                                                   ":",
                                                   "\"",
                                                   "'",
                                                   "''",
                                                   "``",
                                                   "(",
                                                   ")",
                                                   "[",
                                                   "--",
                                                   "-",
                                                   "\u2014",
                                                   "\u2019s",
                                                   "\u201C",
                                                   "\u201D",
                                                   "10",
                                                   "1,234.5",
                                                   "9:30",
                                                   "$",
                                                   "%",
                                                   "&",
                                                   "@",
                                                   "#",
                                                   "http://a.b/c",
                                                   "a@b.c",
                                                   ":)",
                                                   "\t",
                                                   "\n",
                                                   "\r\n",
                                                   " ",
                                                   "  ",
                                                   "\n\n",
                                                   "\u00A0",
                                                   "\u3000",
                                                   "\u2028",
                                                   "\xFF",
                                                   "\xC3",
                                                   "\u00E9",
                                                   "e\u0301",
                                                   "\U0001F600",
                                                   "\U0001F469\u200D\U0001F467",
                                                   "\U0001F1E9\U0001F1EA",
                                                   "\u65E5\u672C",
                                                   "|",
                                                   "\\",
                                                   "_",
                                                   "\v",
                                                   "\uFEFF",
                                                   "\x01",
                                                   "cannot",
                                                   "'tis",
                                                   "gonna",
                                                   "no.",
                                                   "5",
                                                   "I."};
  std::string text;
  for (int i = 0; i < pieces; ++i) text += kPieces[random.below(kPieces.size())];
  return text;
}

// A tokeniser learnt from the fixtures; made once per process.
inline const TrainedTokenizer& fixture_tokenizer() {
  static const TrainedTokenizer tokenizer = [] {
    const auto entries = read_treebank(fixture("english.conllu"));
    TokenizerTrainingOptions options;
    options.epochs = 5;
    const ModelWriter model = train_tokenizer(entries, entries, options, {}, {});
    return TrainedTokenizer::from(ModelFile::from_bytes(model.bytes(), "test"));
  }();
  return tokenizer;
}

}  // namespace copse::testing
