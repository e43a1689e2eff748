// Lists of several parsers for the same sentences as one list, each tree once, with what each parser
// says of it: rerankers then learn from all of them (Henderson & Titov 2005, "both log-probabilities").
//
//   order             trees of the first parser, then those that only later ones have
//   log probability   sum over parsers s of weight_s d_s
//   "from-s"          parser s has the tree in its list (s = 1, 2, ...)
//   "near-s"          so many steps of a ladder that d_s is near 0: learners of features that are 0 or
//                     1 make of it any function of the parser's log probability
//
//   d_s = ln P_s - ln P_s of its best tree, -50 at least; of a tree that s does not have and cannot
//   score that of its worst tree less 1
//
// The file is one of candidates that holds trees (tree_candidates.h).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "copse/model/model_file.h"
#include "copse/treebank/candidates.h"
#include "copse/treebank/n_best_list.h"

namespace copse {

// ln P of each of the trees of a sentence; nothing for one that the model cannot make. Thread-safe.
using TreeScores =
    std::function<std::vector<std::optional<double>>(std::span<const PhraseTree* const> trees)>;
// Of a history parser; usage_error for models that cannot tell it of a given tree.
TreeScores tree_scores(const ModelFile& model);

// Of a second parser whose scale is that of the first: the best of 0.25, 0.5, 0.75 and 1 on the odd half of
// the WSJ sample's development trees.
inline constexpr double kSecondWeight = 0.5;

// One of the parsers: its list, its model or both.
struct MergedSource {
  std::string lists;       // a path; may be empty if there is a model
  TreeScores scores = {};  // of all trees of the merged list; unset: those of the list
  double weight = 1;
};

// One sentence. `lists` and `sources` go together; a source without lists has an empty one. Throws
// data_error when lists have different words.
Candidates merge_lists(std::span<const NBestList> lists, std::span<const MergedSource> sources);

// All sentences, in order, as text: `take` gets the file piece by piece. Throws data_error when one
// file has more lists than another.
void merge_files(std::span<const MergedSource> sources, int threads,
                 const std::function<void(const std::string&)>& take);

}  // namespace copse
