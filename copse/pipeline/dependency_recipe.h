// From files to a dependency model, as `copse train dependency` does it.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "copse/dependency/trainer.h"
#include "copse/dependency/tree_choice.h"
#include "copse/pipeline/training_files.h"
#include "copse/tag/tagger_training.h"

namespace copse {

// The tags that a parser learns from.
enum class TrainingTags {
  gold,       // those of the files
  predicted,  // as a tagger gives them that has not seen the sentence, so that the parser learns
              // from what it will find in use
};

struct DependencyRecipe {
  TrainingFiles files;
  std::string heads = "yamada-matsumoto";  // head rules for bracketed trees: a name or a file
  // Not set: predicted if a tagger is named, else gold.
  std::optional<TrainingTags> tags;
  // Predicted tags: the training data are cut into so many folds, each tagged by a tagger trained
  // on the others (10: Koo & Collins 2010).
  int folds = 10;
  TaggerTrainingOptions taggers;  // how those are trained
  // A tagger's model: the dev data get its tags. Predicted tags without one: they get those of a
  // tagger trained on all the training data.
  std::string tagger;
  std::string clusters;  // a file of word clusters
  // A file of templates instead of the built-in ones; "+FILE": beside them.
  std::string templates;
  // What trees are searched for. Not set: chosen by trial, unless the training names a kind that is
  // not projective.
  std::optional<TreeSort> trees;
  DependencyTraining training;  // its templates and clusters are filled in from the files above
};

struct DependencyReport {
  ReadReport reading;  // none: the first unusable sentence ends it
  // After each fold of predicted tags: its number, its sentences, how many tags are right.
  std::function<void(int, std::size_t, const nlohmann::json&)> fold;
  std::function<void(const TreeChoice&)> trees;  // which were chosen, by trial or by name
  TrainingProgress training;
};

// Templates and clusters read, everything set. Trees that are to be chosen by trial are projective.
DependencyTraining training_of(const DependencyRecipe& recipe);
// Sentences whose heads are no tree, or that are too long to learn from, are reported and left out;
// tags are predicted as asked for.
TrainingSentences read_dependency_data(const DependencyRecipe& recipe,
                                       const DependencyReport& report);

// The same, with trees chosen by trial on the data if they are to be; in a group all choose.
DependencyTraining training_for(const DependencyRecipe& recipe, const TrainingSentences& data,
                                const DependencyReport& report);

// Trains and saves. Throws what reading, training and saving throw. In a group of processes
// (DependencyTraining::group) all of them call it, and the leader saves.
TrainedParser train_dependency_model(const DependencyRecipe& recipe, const std::string& output,
                                     const DependencyReport& report = {});

}  // namespace copse
