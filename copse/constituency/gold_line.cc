#include "copse/constituency/gold_line.h"

#include "copse/treebank/clean.h"
#include "copse/treebank/label.h"

namespace copse {

std::vector<std::string> words_of(const PhraseTree& tree) {
  std::vector<std::string> words;
  for (const int leaf : tree.leaves()) {
    if (tree.label(leaf) != kTraceTag) words.emplace_back(tree.word(leaf));
  }
  return words;
}

std::string gold_line(const PhraseTree& tree) {
  const PhraseTree cleaned = clean(tree).tree;
  if (cleaned.empty()) return {};
  if (!is_outer_label(cleaned.label(0))) return "(TOP " + cleaned.str() + ")";
  std::string line = "(TOP";
  for (const int child : cleaned.children(0)) line += ' ' + cleaned.str(child);
  return line + ")";
}

}  // namespace copse
