// Learning a tokeniser from CoNLL-U: tables by counting, weights by the averaged perceptron. The
// learner walks each paragraph as the tokeniser will (its own earlier decisions as context) and
// corrects the weights at every wrong decision.
//
// In every epoch some paragraphs are shown in another dress, so that headings, chat and wrapped
// lines are no surprise: in lower case, run together with the next paragraph, or with line ends
// instead of some blanks.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "copse/model/frozen_weights.h"
#include "copse/model/model_file.h"
#include "copse/model/provenance.h"
#include "copse/tokenize/boundary_table.h"
#include "copse/treebank/format.h"

namespace copse {

struct TokenizerTrainingOptions {
  int epochs = 10;
  std::uint64_t seed = 1;
  double augment = 0.5;   // share of paragraphs in another dress
  std::string templates;  // a table of features instead of the built-in one, if not empty
  std::string templates_name = "the table of features";  // for messages
  BoundaryTableOptions boundaries;
  FreezeOptions freeze;
};

struct TokenizerEpoch {
  int epoch = 0;
  long decisions = 0;  // asked of the model while learning
  long mistakes = 0;
  double dev_tokens = 0;  // F1
  double dev_sentences = 0;
  bool best = false;  // so far, by the sum of the two
};

// The model with the best weights by development data. Throws data_error when the training data
// has no sentences or does not say where blanks are. Deterministic.
ModelWriter train_tokenizer(std::span<const Entry> train, std::span<const Entry> dev,
                            const TokenizerTrainingOptions& options,
                            const std::vector<DataSource>& sources,
                            const std::function<void(const TokenizerEpoch&)>& report);

}  // namespace copse
