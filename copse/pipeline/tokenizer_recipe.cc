#include "copse/pipeline/tokenizer_recipe.h"

#include "copse/base/error.h"

namespace copse {

void train_tokenizer_model(const TokenizerRecipe& recipe, const std::string& output,
                           const TokenizerReport& report) {
  TokenizerTrainingOptions options = recipe.training;
  if (!recipe.templates.empty()) {
    options.templates = read_table(recipe.templates);
    options.templates_name = recipe.templates;
  }
  TrainingFiles files = recipe.files;
  files.format = "conllu";
  if (files.dev.empty()) throw usage_error("a tokeniser needs dev data to choose its epoch by");
  const auto read = [&](const TreebankFile& file) {
    return read_training_treebank(file, accept_entries(), report.reading);
  };
  const TrainingTreebank train = read(files.train_file());
  const TrainingTreebank dev = read(files.dev_file());
  const auto epoch = [&](const TokenizerEpoch& done) {
    if (report.epoch) report.epoch(done);
  };
  train_tokenizer(train.entries, dev.entries, options, {train.source, dev.source}, epoch)
      .save(output);
}

}  // namespace copse
