// N-best lists to learn a reranker from (Collins 2000, section 5): those of the training trees by
// parsers that have not seen them, those of other trees by the parser of all training trees.
#pragma once

#include <functional>
#include <span>

#include "copse/base/group.h"
#include "copse/constituency/parse_trees.h"
#include "copse/constituency/phrase_training.h"

namespace copse {

struct UnseenLists {
  PhraseTraining training;
  PhraseQuestion question{.k = 50};
  int folds = 20;  // parts of the training trees, in their order
  // The processes that share the folds, all with the same trees; null: this one alone. The leader
  // takes the lists.
  Group* group = nullptr;
};

// The lists of the training trees, in order, numbered from 1. Throws data_error if there are fewer
// trees than folds.
void unseen_lists(std::span<const Entry> train, const UnseenLists& recipe, const TakeList& take);

// The lists of other trees by the parser of all `train`.
void lists_of_others(std::span<const Entry> train, std::span<const Entry> others,
                     const UnseenLists& recipe, const TakeList& take);

}  // namespace copse
