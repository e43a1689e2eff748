#include "copse/treebank/tree_to_sentence.h"

namespace copse {

Sentence sentence_from_tree(const PhraseTree& tree) {
  Sentence sentence;
  for (int i = 0; i < tree.words(); ++i) {
    if (tree.tag(i) == "-NONE-") continue;
    sentence.add_word(tree.word_at(i));
    sentence.set(sentence.words(), Column::xpos, tree.tag(i));
  }
  return sentence;
}

}  // namespace copse
