// Training a tagger with the averaged perceptron (Collins 2002): exact Viterbi search with the
// current weights over the same candidates as in use, an update where it is wrong.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "copse/model/frozen_weights.h"
#include "copse/tag/sequence_tagger.h"

namespace copse {

class WordClusters;

// One training sentence.
struct TagExample {
  std::vector<std::string> words;
  std::vector<std::string> labels;
  std::vector<std::string> parts_of_speech = {};  // empty, or one per word
};

struct PerceptronTaggerOptions {
  std::string table;       // of feature templates; empty: "b", with traits "joint"
  std::string table_name;  // for messages
  int epochs = 10;
  std::uint64_t seed = 1;
  float margin = 50;  // by which a right label has to win; updates are of size 1
  // A label that need not win by a margin: with one very frequent label (O of entities) the margin
  // would drown the others.
  std::string background;
  bool traits = false;  // labels of several columns share weights by what they have in common
  int beam = 0;         // search left to right with so many hypotheses; 0: exact
  DictionaryOptions dictionary;
  CandidateOptions candidates;
  FreezeOptions freeze;
  std::shared_ptr<const WordClusters> clusters;
  // Which label may follow which (or the beginning, an empty string); all, if not set.
  std::function<bool(const std::string& before, const std::string& label)> may_follow;
};

struct TagEpoch {
  int epoch = 0;
  long words = 0;
  long mistakes = 0;      // words tagged wrongly on the way
  double dev_score = -1;  // as given by the caller's measure; -1 without one
};

struct TrainedTagger {
  SequenceTagger tagger;
  int best_epoch = 0;
  double dev_score = -1;
  std::size_t features = 0;
};

// Tells how good a tagger is; more is better.
using TagMeasure = std::function<double(const SequenceTagger&)>;

// The tagger after the epoch that measured best, after the last one without a measure. Throws
// data_error when there is nothing to learn from: no sentence, one label only, too many labels.
TrainedTagger train_perceptron_tagger(const std::vector<TagExample>& examples,
                                      const PerceptronTaggerOptions& options,
                                      const TagMeasure& measure = {},
                                      const std::function<void(const TagEpoch&)>& progress = {});

// Labels, features and dictionary for some training data; labels in the order of their names.
std::shared_ptr<TagModel> make_tag_model(const std::vector<TagExample>& examples,
                                         const PerceptronTaggerOptions& options);

// The factor that makes the gold sequences most probable under exp(factor * score); gold labels
// that are no candidates are left out of it. 0.05 without examples.
double fit_sharpness(const SequenceTagger& tagger, const std::vector<TagExample>& examples);

// The share of words with the right label, a percentage.
double tag_accuracy(const SequenceTagger& tagger, const std::vector<TagExample>& examples);

}  // namespace copse
