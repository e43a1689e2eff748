// What a tokeniser answers: which stretches of a text are tokens, and where sentences end.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "copse/base/stop.h"
#include "copse/model/feature_key.h"
#include "copse/tokenize/characters.h"

namespace copse {

struct Token {
  std::uint32_t begin = 0;  // in bytes of the text
  std::uint32_t end = 0;
  std::uint16_t spelling = 0;  // 0: as in the text; else Tokenizer::spellings()[spelling]

  bool operator==(const Token&) const = default;
};

struct Segmentation {
  std::vector<Token> tokens;                 // in order, not empty, not overlapping
  std::vector<std::uint32_t> sentence_ends;  // how many tokens come before each end; ascending

  void clear() {
    tokens.clear();
    sentence_ends.clear();
  }
  bool operator==(const Segmentation&) const = default;
};

class MultiwordExpander;

// Immutable and safe to share; memory for the work is in a Scratch, one per thread.
class Tokenizer {
 public:
  struct Scratch {
    Characters characters;
    std::vector<std::uint8_t> labels;
    std::vector<FeatureKey> keys;
    Stop stop;  // asked every few thousand characters of a paragraph
  };

  virtual ~Tokenizer() = default;

  // Tokens and sentences of one paragraph. All its characters but white space are in tokens; if
  // there are any, the last sentence ends with the last token. Throws Stopped when scratch.stop says
  // so.
  virtual void segment(std::string_view paragraph, Scratch& scratch, Segmentation& out) const = 0;

  // How tokens are written that are not written as in the text.
  virtual std::span<const std::string_view> spellings() const { return {}; }
  // How surface tokens become several words; null if they never do.
  virtual const MultiwordExpander* expander() const { return nullptr; }
};

}  // namespace copse
