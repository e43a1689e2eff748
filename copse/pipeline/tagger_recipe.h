// From files to a tagger or an entity tagger, as `copse train tagger` and `copse train entities` do
// it; and a treebank with the tags of taggers that have not seen it.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "copse/pipeline/training_files.h"
#include "copse/tag/entity_labels.h"
#include "copse/tag/tagger_training.h"

namespace copse {

struct TaggerRecipe {
  TrainingFiles files;
  int holdout = 0;  // without dev: hold out so many sentences, the last of the training data
  // Feature templates: the name of a built-in table (a, b, entities) or a file; empty: b, for
  // entities their own.
  std::string templates;
  std::string clusters;            // a file of word clusters
  TaggerTrainingOptions training;  // its table and clusters are filled in from the above
  // Entities: the labels that are learnt.
  EntityEncoding encoding = EntityEncoding::bio;
  bool types = true;  // false: only where they begin and go on
};

struct TrainedTaggerModel {
  TaggerTraining trained;
  nlohmann::json figures;  // on the dev data, of the tagger as it is saved; empty without them
};

// Trains and saves.
TrainedTaggerModel train_tagger_model(const TaggerRecipe& recipe, const std::string& output,
                                      const ReadReport& report = {});

// The training data with tags as a tagger would predict them: `jackknife` of tagger_training.h.
std::vector<Sentence> jackknifed(
    const TaggerRecipe& recipe, int folds, const ReadReport& report = {},
    const std::function<void(int, std::size_t, const nlohmann::json&)>& fold = {});
// The k best tag sequences of each sentence by such taggers, scored against its own tags.
std::vector<Candidates> jackknifed_lists(
    const TaggerRecipe& recipe, int folds, int k, const ReadReport& report = {},
    const std::function<void(int, std::size_t, const nlohmann::json&)>& fold = {});

}  // namespace copse
