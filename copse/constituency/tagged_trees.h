// What parsers that go from tags to trees share: trees to learn from with their words, tags of words
// to be parsed, and the tree of those for which there is none.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/constituency/phrase_parser.h"
#include "copse/tag/perceptron_tagger.h"
#include "copse/tag/sequence_tagger.h"
#include "copse/treebank/format.h"

namespace copse {

// Clean trees under TOP, and their words and tags.
struct TaggedTrees {
  std::vector<PhraseTree> trees;
  std::vector<TagExample> words;
  std::size_t word_count = 0;
  std::size_t left_out = 0;  // without words, or of `longest` words or more
};
TaggedTrees tagged_trees(std::span<const std::span<const Entry>> runs, int longest);

// What a tagger is asked for words to be parsed: tags that are given and known are kept.
class TagsToParse {
 public:
  TagsToParse(const SequenceTagger& tagger, const WordsToParse& sentence);
  // Of words that must stay.
  TagInput input() const { return {views_, {}, kept_}; }

 private:
  std::vector<std::string_view> views_;
  std::vector<std::vector<Label>> kept_;
};
// Those that are given and known, the tagger's for the other words.
std::vector<std::string> tags_to_parse(const SequenceTagger& tagger, const WordsToParse& sentence,
                                       TagScratch& scratch);

// (TOP (X ...)).
PhraseTree flat_tree(std::span<const std::string> tags, std::span<const std::string> words);

}  // namespace copse
