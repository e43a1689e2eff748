// Tags to learn a parser from: by taggers that have not seen the sentence, so that they are wrong as
// often as those of the tagger that the parser comes with.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "copse/tag/perceptron_tagger.h"

namespace copse {

struct ParserTagging {
  int folds = 5;  // less than 2: the tags of the trees
  int epochs = 6;
  std::shared_ptr<const WordClusters> clusters = {};  // may be null
  int threads = 1;  // each learns folds of its own; the tags do not depend on it
};

// A run of examples that a model has not seen.
struct UnseenFold {
  std::size_t begin = 0, end = 0;
  bool has(std::size_t i) const { return i >= begin && i < end; }
};
inline constexpr UnseenFold kNoFold = {};
UnseenFold fold_of(std::size_t examples, int fold, int folds);

SequenceTagger train_parser_tagger(std::span<const TagExample> examples, const UnseenFold& left_out,
                                   const ParserTagging& tagging);

// visit(example, tagger that has not seen it, its words, scratch), in any order, by threads; false,
// and nothing is visited, if there are fewer examples than folds.
using VisitUnseen =
    std::function<void(std::size_t, const SequenceTagger&, const TagInput&, TagScratch&)>;
bool visit_unseen(std::span<const TagExample> examples, const ParserTagging& tagging,
                  const VisitUnseen& visit);
// Of every word; those of the examples if there are fewer than folds.
std::vector<std::vector<std::string>> unseen_tags(std::span<const TagExample> examples,
                                                  const ParserTagging& tagging);

}  // namespace copse
