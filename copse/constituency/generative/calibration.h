// Bracket probabilities that mean what they say: the sharpness (parser.h) with the least log loss
//     - sum over brackets : y ln p + (1 - y) ln(1 - p),   y = 1 if the gold tree has the bracket,
// on trees that the parser has not learnt from. Brackets are compared over the words that are no
// punctuation, as evaluation does.
#pragma once

#include <span>
#include <string>

#include "copse/constituency/generative/parser.h"
#include "copse/treebank/format.h"

namespace copse::generative {

struct Calibration {
  double sharpness = 1;
  // Mean log loss per bracket of the odd sentences (the first, the third, ...), which do not choose:
  // with sharpness 1 and with the sharpness chosen on the even ones.
  double before = 0, after = 0;
  std::size_t sentences = 0;  // that were parsed

  std::string str() const;  // a line for people; empty without sentences
};

// Log loss of brackets against a gold tree; `brackets` counts those that were compared.
double bracket_loss(std::span<const Bracket> found, const PhraseTree& gold, std::size_t& brackets);

// At most `most` sentences, from the first; one search for each. Sentences without a tree are left out.
Calibration calibrate(const GenerativeParser& parser, std::span<const Entry> gold,
                      const SearchOptions& search, std::size_t most = 400);

}  // namespace copse::generative
