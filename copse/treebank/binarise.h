// Binarisation: phrases with more than two children become towers of binary ones.
//
//   (X A B C D)   right        (X A (@X[B,C] B (@X[C,D] C D)))
//                 left         (X (@X[B,C] (@X[A,B] A B) C) D)
//                 head (= B)   (X A (@X[C,D] (@X[B,C] B C) D))   outwards from the head, first to
//                                                                the right, then to the left
//
// A new label shows its phrase and, for a Markov grammar of that order, the last few children
// attached. A '@' or '\' inside a phrase label gets a '\' before it. Unary phrases stay.
#pragma once

#include <cstdint>

#include "copse/treebank/head_rules.h"
#include "copse/treebank/phrase_tree.h"

namespace copse {

enum class Factor : std::uint8_t { left, right, head };

struct BinariseOptions {
  Factor factor = Factor::right;
  int order = 2;                     // children remembered in the new labels: 0..kMaxMarkovOrder
  const HeadRules* heads = nullptr;  // needed by Factor::head
};
inline constexpr int kMaxMarkovOrder = 100;

// Throws usage_error for an order out of range and for Factor::head without a table.
PhraseTree binarise(const PhraseTree& tree, const BinariseOptions& options = {});

// The exact inverse, whatever the options were.
PhraseTree debinarise(const PhraseTree& tree);

}  // namespace copse
