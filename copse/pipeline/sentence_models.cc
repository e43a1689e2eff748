#include "copse/pipeline/sentence_models.h"

#include <utility>

#include "copse/treebank/tree_to_sentence.h"

namespace copse {
namespace {

// The columns of an entry that may have a phrase-structure tree only.
Sentence columns_of(const Entry& entry) {
  if (entry.sentence.words() == 0 && !entry.tree.empty()) return sentence_from_tree(entry.tree);
  return entry.sentence;
}

}  // namespace

void SentenceTagger::annotate(Entry& entry) const {
  Sentence sentence = columns_of(entry);
  tag(sentence);
  entry.sentence = std::move(sentence);
}

void SentenceParser::annotate(Entry& entry) const {
  Sentence sentence = columns_of(entry);
  if (sentence.words() > 0) fill(sentence, parse(sentence).trees.front());
  entry.sentence = std::move(sentence);
}

void PhraseStep::annotate(Entry& entry) const {
  const WordsToParse words = words_to_parse(entry, use_tags_, parser_);
  if (words.words.empty()) return;
  entry.tree = std::move(parser_.parse(words).trees.front().tree);
}

}  // namespace copse
