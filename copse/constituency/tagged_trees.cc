#include "copse/constituency/tagged_trees.h"

#include <algorithm>
#include <utility>

#include "copse/constituency/incremental/grammar.h"
#include "copse/treebank/clean.h"

namespace copse {

TaggedTrees tagged_trees(std::span<const std::span<const Entry>> runs, int longest) {
  TaggedTrees out;
  for (const std::span<const Entry> run : runs) {
    for (const Entry& entry : run) {
      const PhraseTree tree = entry.tree.empty() ? PhraseTree() : clean(entry.tree).tree;
      if (tree.empty() || tree.words() == 0 || tree.words() >= longest) {
        ++out.left_out;
        continue;
      }
      TagExample& words = out.words.emplace_back();
      for (int i = 0; i < tree.words(); ++i) {
        words.words.emplace_back(tree.word_at(i));
        words.labels.emplace_back(tree.tag(i));
      }
      out.word_count += words.words.size();
      out.trees.push_back(incremental::under_top(tree));
    }
  }
  return out;
}

TagsToParse::TagsToParse(const SequenceTagger& tagger, const WordsToParse& sentence)
    : views_(sentence.words.begin(), sentence.words.end()),
      kept_(sentence.tags.empty() ? 0 : views_.size()) {
  const auto& labels = tagger.model().labels;
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    const auto found = std::ranges::find(labels, sentence.tags[i]);
    if (found != labels.end()) kept_[i] = {static_cast<Label>(found - labels.begin())};
  }
}

std::vector<std::string> tags_to_parse(const SequenceTagger& tagger, const WordsToParse& sentence,
                                       TagScratch& scratch) {
  const TagsToParse question(tagger, sentence);
  std::vector<std::string> tags;
  for (const Label label : tagger.tag(question.input(), scratch)) {
    tags.push_back(tagger.label(label));
  }
  return tags;
}

PhraseTree flat_tree(std::span<const std::string> tags, std::span<const std::string> words) {
  PhraseTreeBuilder builder;
  builder.open(incremental::kTopName);
  builder.open("X");
  for (std::size_t i = 0; i < words.size(); ++i) builder.leaf(tags[i], words[i]);
  builder.close();
  builder.close();
  return std::move(builder).finish();
}

}  // namespace copse
