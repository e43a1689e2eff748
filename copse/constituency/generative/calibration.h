// Probabilities of brackets and tags that mean what they say: the sharpness (parser.h) with the least
// log loss
//     - sum over brackets : y ln p + (1 - y) ln(1 - p),   y = 1 if the gold tree has the bracket,
//     - sum over words : ln P(the gold tag)
// on trees that the parser has not learnt from. Brackets are compared over the words that are no
// punctuation, as evaluation does; tags of the tokens that the model sees.
#pragma once

#include <span>
#include <string>

#include "copse/constituency/generative/parser.h"
#include "copse/treebank/format.h"

namespace copse::generative {

// What was fitted to the log loss.
struct FittedSharpness {
  double value = 1;
  // Mean log loss of the odd sentences (the first, the third, ...), which do not choose: with sharpness
  // 1 and with the value, which is chosen on the even ones.
  double before = 0, after = 0;
};

struct Calibration {
  FittedSharpness brackets, tags;
  std::size_t sentences = 0;  // that were parsed

  GenerativeParser::Sharpness sharpness() const { return {brackets.value, tags.value}; }
  std::string str() const;  // two lines for people; empty without sentences
};

// Log loss of the tags of words against a gold tree; `words` counts those that were compared.
double tag_loss(std::span<const Bracket> found, const PhraseTree& gold, std::size_t& words);

// Log loss of brackets against a gold tree; `brackets` counts those that were compared.
double bracket_loss(std::span<const Bracket> found, const PhraseTree& gold, std::size_t& brackets);

// At most `most` sentences, from the first; one search for each. Sentences without a tree are left out.
Calibration calibrate(const GenerativeParser& parser, std::span<const Entry> gold,
                      const SearchOptions& search, std::size_t most = 400);

}  // namespace copse::generative
