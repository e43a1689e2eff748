#include "copse/constituency/spinal/examples.h"

#include <utility>

#include "copse/treebank/clean.h"

namespace copse::spinal {

std::vector<Example> read_examples(std::span<const std::span<const Entry>> runs,
                                   const HeadRules& heads, Levels levels, Symbols& labels) {
  std::vector<Example> out;
  for (const std::span<const Entry> run : runs) {
    for (const Entry& entry : run) {
      const PhraseTree tree = entry.tree.empty() ? PhraseTree() : clean(entry.tree).tree;
      if (tree.empty() || tree.words() == 0) continue;
      Example example{{}, {}, derivation_of(tree, heads, levels, labels)};
      for (int i = 0; i < tree.words(); ++i) {
        example.words.emplace_back(tree.word_at(i));
        example.tags.emplace_back(tree.tag(i));
      }
      out.push_back(std::move(example));
    }
  }
  return out;
}

std::vector<TagExample> tag_examples(std::span<const Example> examples) {
  std::vector<TagExample> out;
  for (const Example& each : examples) out.push_back({each.words, each.tags});
  return out;
}

}  // namespace copse::spinal
