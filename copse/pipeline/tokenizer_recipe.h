// From files to a tokeniser, as `copse train tokenizer` does it.
#pragma once

#include <functional>
#include <string>

#include "copse/pipeline/training_files.h"
#include "copse/tokenize/tokenizer_trainer.h"

namespace copse {

struct TokenizerRecipe {
  TrainingFiles files;    // CoNLL-U; dev must be there
  std::string templates;  // a file of templates instead of the built-in ones
  TokenizerTrainingOptions training;
};

struct TokenizerReport {
  ReadReport reading;
  std::function<void(const TokenizerEpoch&)> epoch;
};

// Trains and saves.
void train_tokenizer_model(const TokenizerRecipe& recipe, const std::string& output,
                           const TokenizerReport& report = {});

}  // namespace copse
