// A trained tagger of one column: words in, one label per word out. Immutable, shared by threads.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/model/frozen_weights.h"
#include "copse/model/model_file.h"
#include "copse/tag/tag_model.h"
#include "copse/tag/tag_scorer.h"

namespace copse {

// The words of a sentence and, for taggers that use it, a part of speech for each.
struct TagInput {
  std::span<const std::string_view> words;
  std::span<const std::string_view> parts_of_speech = {};
  // Empty, or for every word the labels it may have, ascending (an empty list: any).
  std::span<const std::vector<Label>> kept = {};
};

struct TagSearch {
  int beam = 0;  // search left to right with so many hypotheses, 1 is greedy; 0: exact
};

// What the scores of a tagger mean.
enum class TagScores {
  margins,      // sums that were trained to be larger for the right sequence (perceptron)
  conditional,  // log P(tag | history), normalised at every word (maximum entropy)
};

class SequenceTagger {
 public:
  // `table` are bytes made by freeze(); the tagger keeps them.
  SequenceTagger(std::shared_ptr<const TagModel> model, std::string table,
                 TagScores scores = TagScores::margins);
  // As saved under a prefix such as "upos/".
  static SequenceTagger load(const ModelFile& file, const std::string& prefix);
  void save(ModelWriter& writer, const std::string& prefix) const;

  const TagModel& model() const { return *model_; }
  const FrozenWeights& weights() const { return weights_; }
  const std::string& label(Label label) const { return model_->labels[label]; }

  // The best labels.
  std::vector<Label> tag(const TagInput& input, TagScratch& scratch) const;
  // The k best sequences, best first, with their scores.
  std::vector<Scored<std::vector<Label>>> k_best(const TagInput& input, int k,
                                                 TagScratch& scratch) const;
  // The same with log-probabilities: scores * sharpness less the logarithm of their sum over all
  // sequences; for conditional scores log P itself.
  std::vector<Scored<std::vector<Label>>> k_best_with_probabilities(const TagInput& input, int k,
                                                                    TagScratch& scratch) const;
  // For every word the labels tried with their probabilities under exp(score * sharpness), most
  // probable first.
  struct LabelProbability {
    Label label;
    double probability;
  };
  std::vector<std::vector<LabelProbability>> marginals(const TagInput& input,
                                                       TagScratch& scratch) const;

  // Margins are no log-probabilities; this factor, fitted on held-out data, makes them some.
  double sharpness() const { return sharpness_; }
  void set_sharpness(double value) { sharpness_ = value; }
  TagScores scores() const { return scores_; }
  const TagSearch& search() const { return search_; }
  void set_search(const TagSearch& search) { search_ = search; }

  // Candidates and their scores, in scratch.lattice and scratch.candidates.
  void fill_lattice(const TagInput& input, TagScratch& scratch) const;

 private:
  SequenceTagger() = default;
  void choose(const TagInput& input, TagScratch& scratch) const;
  void make_pair_rows();
  std::vector<Label> labels_of(const TagSequence& sequence, const TagScratch& scratch) const;

  std::shared_ptr<const TagModel> model_;
  std::shared_ptr<const void> owner_;  // of the table's bytes
  std::span<const std::byte> table_;
  FrozenWeights weights_;
  TagPairRows<FrozenWeights> pair_rows_;
  TagScores scores_ = TagScores::margins;
  TagSearch search_;
  double sharpness_ = 1;
};

}  // namespace copse
