// What a tagger is, apart from its weights: labels, features, dictionary, and which labels a word
// may get. Immutable once made.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/model/model_file.h"
#include "copse/tag/label_traits.h"
#include "copse/tag/tag_dictionary.h"
#include "copse/tag/tag_features.h"
#include "copse/tag/word_atoms.h"

namespace copse {

class WordClusters;

struct CandidateOptions {
  int max_rare = 10;     // labels tried for a rare word, those with the best local scores
  int extra_common = 2;  // labels tried for a common word beyond those it was seen with
  float reach = 100;  // labels with a local score so far below the best are not tried; 0: all are
  // A word seen so often may only have the labels it was seen with.
  int sure_from = std::numeric_limits<int>::max();
};

struct TagModel {
  std::vector<std::string> labels;
  LabelTraits traits;
  std::string table;  // of the templates, as text
  TagFeatures features;
  TagDictionary dictionary;
  std::shared_ptr<const WordClusters> clusters;  // may be null
  CandidateOptions candidates;
  // allowed[before * labels + label] for before = label or `labels` (the beginning); empty when
  // every label may follow every other.
  std::vector<std::uint8_t> allowed;

  // What templates see of a label of the history, or of the beginning (label == labels.size()): one
  // of a number of values, and their atoms.
  struct History {
    std::vector<Label> values;     // by label
    std::vector<AtomValue> atoms;  // by value
  };
  History whole;    // t[...]: every label a value of its own
  History classes;  // k[...]
  void make_histories();
  const History& history(const HistoryTemplate& row) const { return row.coarse ? classes : whole; }

  // Numbers that a feature may have a weight for: labels, then traits.
  std::size_t outputs() const { return labels.size() + traits.count(); }

  Label beginning() const { return static_cast<Label>(labels.size()); }
  bool may_follow(Label before, Label label) const {
    return allowed.empty() || allowed[std::size_t{before} * labels.size() + label] != 0;
  }

  // That the parts of a loaded model fit together; throws data_error.
  void check(const ModelFile& file, const std::string& prefix, std::size_t weight_labels) const;

  WordAtomSources sources() const { return {&dictionary, clusters.get()}; }

  // Whether a word is seen often enough to be sure of and had one label alone, the candidate then;
  // scores do not matter for it.
  bool only_label(TagDictionary::Row word, std::vector<Label>& candidates) const;
  // The labels tried for a word, ascending. `local` holds the local score of every output; those of
  // the candidates are the sums with their traits afterwards.
  void find_candidates(TagDictionary::Row word, std::span<float> local,
                       std::vector<Label>& candidates) const;

 private:
  void drop_hopeless(std::span<const float> local, std::vector<Label>& tried) const;
};

}  // namespace copse
