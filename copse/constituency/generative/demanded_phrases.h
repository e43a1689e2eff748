// Phrases that a tree must or must not have (treebank/tree_demands.h), as rules for the charts.
//
// A span [i,j) that must be a phrase is one in every tree, and only there, when
//   - no item, open or whole, crosses it: begins before and ends inside, or the other way round;
//   - an open item over exactly [i,j) that has modifiers takes no more of them: it may only be closed.
// For the phrase around a wrong tree would have several children that make up [i,j) together. If its
// head is among them, its open items come to cover [i,j) with modifiers and go on, or cross it; if
// not, the first of them to be attached crosses it. Labels are counted on the way up a chain.
//
// Spans are those of the tokens that the model sees; punctuation that it does not see counts nowhere.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "copse/constituency/generative/labels.h"
#include "copse/treebank/tree_demands.h"

namespace copse::generative {

class DemandedPhrases {
 public:
  // One bit for each label that a span must have.
  using Labels = std::uint16_t;

  struct Rules {
    bool demanded = false;     // it must be a phrase
    bool forbidden = false;    // of no label may it be one
    Labels wanted = 0;         // bits of the labels that it must have
    std::vector<Labels> bits;  // by label: which of the wanted it is
    std::vector<char> barred;  // by label: may not be
  };

  DemandedPhrases() = default;
  // `tokens`: which words the model sees, from 0. Throws data_error for labels that the model does
  // not have, and for spans of none of these words.
  DemandedPhrases(std::span<const SpanDemand> spans, std::span<const int> tokens,
                  const LabelSet& labels);

  bool empty() const { return places_.empty(); }
  // Does [i,j) cross a span that must be a phrase?
  bool crosses(int i, int j) const;
  // What is said of a span; null: nothing.
  const Rules* at(int i, int j) const;
  bool demands(int i, int j) const {
    const Rules* const rules = at(i, j);
    return rules != nullptr && rules->demanded;
  }

 private:
  struct Place {
    int begin = 0, end = 0;
    Rules rules;
  };
  Rules& rules_at(int i, int j);

  std::vector<Place> places_;
};

}  // namespace copse::generative
