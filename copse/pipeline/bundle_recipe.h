// From treebanks to a bundle, as `copse train pipeline` does it:
//
//   1. clusters       of raw text, if there is some
//   2. tokenizer      from the CoNLL-U treebank
//   3. tagger         from the same, with the clusters
//   4. tags           of the training data by taggers that have not seen them, of dev by the tagger
//   5. dependency     a parser that learns from those tags
//   6. constituency   a parser from bracketed trees, if there are some
//   7. the bundle     with the figures of all of it on the raw text of dev
//
// What a step made is kept in a folder beside the output until the bundle is there, under a key made
// of everything it was made from: a training that was broken off goes on where it was, and a step
// whose data or options changed is done again.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "copse/constituency/phrase_training.h"
#include "copse/pipeline/dependency_recipe.h"
#include "copse/pipeline/tagger_recipe.h"
#include "copse/pipeline/tokenizer_recipe.h"

namespace copse {

struct BundleRecipe {
  TrainingFiles files;           // CoNLL-U; dev must be there
  std::string trees, dev_trees;  // bracketed trees; empty: no phrase-structure parser
  std::string raw;               // text, words parted by blanks, for clusters; empty: none are made
  std::string clusters;          // clusters that are there already, instead
  std::string name, language;    // of the bundle; its name is that of the file if empty
  int cluster_count = 800;
  int folds = 5;  // of taggers that have not seen what they tag
  // How each component is trained; files and clusters are those above.
  TokenizerRecipe tokenizer;
  TaggerRecipe tagger;
  DependencyRecipe dependency;
  PhraseTraining phrases;
  int threads = 1;  // the result does not depend on it
};

struct BundleReport {
  ReadReport reading;
  std::function<void(const std::string& line)> step;  // what is done now, or was done before
};

struct TrainedBundle {
  nlohmann::json figures;  // those of the bundle's record
  std::string page;        // the report as one web page
};

// Trains and saves. Throws what reading, training and saving throw.
TrainedBundle train_bundle(const BundleRecipe& recipe, const std::string& output,
                           const BundleReport& report = {});

}  // namespace copse
