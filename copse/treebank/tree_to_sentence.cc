#include "copse/treebank/tree_to_sentence.h"

#include "copse/treebank/label.h"

namespace copse {

Sentence sentence_from_tree(const PhraseTree& tree, Dialect dialect) {
  Sentence sentence(dialect);
  for (int leaf : tree.leaves()) {
    if (tree.label(leaf) == kTraceTag) continue;
    sentence.add_word(tree.word(leaf));
    sentence.set(sentence.words(), Column::xpos, tree.label(leaf));
    if (dialect == Dialect::conllx) {
      sentence.set(sentence.words(), Column::upos, tree.label(leaf));
    }
  }
  return sentence;
}

}  // namespace copse
