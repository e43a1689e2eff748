// The trained tokeniser in use: an averaged perceptron over boundaries, greedy from left to right
// (boundary_walk.h), with its tables, from a model file of kind "tokenizer".
#pragma once

#include <memory>
#include <string>

#include "copse/model/frozen_weights.h"
#include "copse/model/model_file.h"
#include "copse/tokenize/boundary_features.h"
#include "copse/tokenize/boundary_table.h"
#include "copse/tokenize/multiword.h"
#include "copse/tokenize/segmentation.h"
#include "copse/tokenize/spaced_forms.h"
#include "copse/tokenize/word_set.h"

namespace copse {

inline constexpr std::string_view kTokenizerKind = "tokenizer";

class TrainedTokenizer : public Tokenizer {
 public:
  // Throws data_error for a model of another kind or with damaged contents.
  static TrainedTokenizer load(const std::string& path) { return from(ModelFile::open(path)); }
  static TrainedTokenizer from(const ModelFile& model);

  void segment(std::string_view paragraph, Scratch& scratch, Segmentation& out) const override;
  const MultiwordExpander* expander() const override {
    return expander_.empty() ? nullptr : &expander_;
  }

 private:
  explicit TrainedTokenizer(const ModelFile& model);

  Boundary best(BoundarySet allowed, const BoundaryFeatures::Keys& keys) const;

  std::shared_ptr<const void> owner_;
  BoundaryFeatures features_;
  BoundaryTable table_;
  WordSet lower_words_;
  FrozenWeights weights_;
  MultiwordExpander expander_;
  SpacedForms spaced_forms_;
};

}  // namespace copse
