// Training a whole tagger on sentences: which columns are learnt, which of them together, by which
// learner; jackknifing.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "copse/base/group.h"
#include "copse/tag/lemmatizer.h"
#include "copse/tag/maxent_tagger.h"
#include "copse/tag/perceptron_tagger.h"
#include "copse/tag/tagger.h"
#include "copse/treebank/candidates.h"

namespace copse {

enum class TagLearner { perceptron, maxent };

struct TaggerTrainingOptions {
  std::vector<Column> columns;  // empty: those of UPOS, XPOS, FEATS and LEMMA that the data has
  TagLearner learner = TagLearner::perceptron;
  PerceptronTaggerOptions sequence;
  int min_count = 2;   // maxent: rarer features are dropped
  LbfgsOptions lbfgs;  // maxent
  LemmatizerOptions lemma;
  bool together = false;  // perceptron: one tagger for UPOS, XPOS and FEATS, see LabelTraits
  std::size_t max_joint_labels = 400;  // else: UPOS and XPOS are learnt together up to here
  int threads = 1;                     // the result does not depend on it
  bool entities = false;               // learn entity labels instead of columns
  std::function<void(const std::string& line)> log;
};

struct TaggerTraining {
  Tagger tagger;
  std::vector<TagEpoch> curve;  // of the first part
};

// Throws data_error when there is nothing to learn from. `dev` may be empty: the last epoch counts.
TaggerTraining train_tagger(std::span<const Sentence> train, std::span<const Sentence> dev,
                            const TaggerTrainingOptions& options);

// Percentages of right words by column ("upos": 95.1, ...), on sentences with gold tags; "f1" for
// entities.
nlohmann::json tagger_figures(const Tagger& tagger, std::span<const Sentence> gold, int threads);

// report(fold, sentences, figures) after each fold, in order.
using FoldReport = std::function<void(int, std::size_t, const nlohmann::json&)>;

// The sentences with tags predicted by taggers that have not seen them: contiguous folds, each
// tagged by a tagger trained on the others. The members of a group, if there is one, share the folds;
// all have the same sentences before and after.
std::vector<Sentence> jackknife(std::span<const Sentence> sentences, int folds,
                                const TaggerTrainingOptions& options, const FoldReport& report = {},
                                Group* group = nullptr);
// The k best tag sequences of each by such taggers, graded: what a reranker learns from. Of one
// column, or entities.
std::vector<Candidates> jackknife_lists(std::span<const Sentence> sentences, int folds, int k,
                                        const TaggerTrainingOptions& options,
                                        const FoldReport& report = {});

}  // namespace copse
