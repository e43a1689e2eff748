// Accuracy of tags over the same words, and what is taken for what.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "copse/treebank/evaluation/same_sentences.h"

namespace copse {

struct TagCounts {
  long words = 0;
  long correct = 0;

  double accuracy() const;  // a percentage
};

struct TagConfusion {
  std::string gold;
  std::string system;
  long words = 0;
};

// One column, over all words and over those that the training data did not have.
struct TagColumnScore {
  TagCounts all;
  TagCounts unknown;
  std::vector<TagConfusion> confusions;  // wrong ones only, most frequent first
};

struct TagReport {
  TagColumnScore upos, xpos, feats, lemma;
  TagColumnScore all_tags;  // UPOS, XPOS and FEATS; no confusions
  bool has_vocabulary = false;
  long sentences = 0;
};

// FORMs of the training data.
using Vocabulary = std::unordered_set<std::string>;
Vocabulary vocabulary_of(std::span<const Sentence> sentences);

// Files of one word per line, "word<TAB>tag" or "word tag ...", an empty line after each sentence:
// the tag becomes XPOS. A file is one when its first row has fewer columns than CoNLL-X.
bool is_column_file(std::string_view text);
// Throws data_error, with the place, for a line without a tag.
std::vector<Sentence> read_column_file(std::string_view text, const std::string& name);

// Throws data_error when the files are not the same words. Confusions of FEATS and LEMMA are not
// collected.
TagReport evaluate_tags(const ScoredFile& gold, const ScoredFile& system,
                        const Vocabulary* vocabulary = nullptr);

}  // namespace copse
