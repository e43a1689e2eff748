// One step of a tree that is being built, event by event: what learning, counting and tests walk.
#pragma once

#include "copse/constituency/incremental/spine.h"

namespace copse::incremental {

// node(cell, label) for each end, phrase and tag that is built in a cell, in order; then
// word(cell) for the word under its tag in a cell. The deepest phrase after the step.
template <class Node, class Word>
const Cell* walk_step(const Cell* top, const Move& move, int position, const Grammar& grammar,
                      Spines& spines, Node node, Word word) {
  for (int k = 0; k < move.closes; ++k) {
    node(*top, kEnd);
    top = spines.close(top);
  }
  const Chain& chain = grammar.chain(move.chain);
  const Cell* cell = top;
  for (std::size_t k = 0; k < chain.size(); ++k) {
    node(*cell, chain[k]);
    if (k + 1 < chain.size()) cell = spines.open(cell, chain[k]);
  }
  word(*cell);
  return spines.attach(top, chain, position);
}

// node(cell, kEnd) for all phrases that are open after the last word.
template <class Node>
void walk_end(const Cell* top, Spines& spines, Node node) {
  for (; top->up != nullptr; top = spines.close(top)) node(*top, kEnd);
  node(*top, kEnd);
}

}  // namespace copse::incremental
