// Treebanks read as evaluation wants them: sentences with columns, made from trees where there are
// only those, and the name of the file for messages.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "copse/base/input.h"
#include "copse/treebank/evaluation/same_sentences.h"
#include "copse/treebank/formats.h"

namespace copse {

struct ScoredSentences {
  std::vector<Sentence> sentences;
  std::string name;

  ScoredFile file() const { return {sentences, name}; }
};

ScoredSentences scored_sentences(std::vector<Entry> entries, std::string name);

// The format is told by the file unless it is given. Throws the first error in the file.
ScoredSentences read_scored(const std::string& path, std::optional<Format> format = std::nullopt,
                            const Limits& limits = {});
// The same for tags: also files of one word and its tag per line (evaluation/tagging.h).
ScoredSentences read_tagged(const std::string& path, std::optional<Format> format = std::nullopt,
                            const Limits& limits = {});

}  // namespace copse
