// The options of the training recipe, and trees read with a report of what is unusable.
#pragma once

#include <string>

#include "copse/cli/generative_options.h"
#include "copse/cli/treebank_stream.h"
#include "copse/constituency/phrase_training.h"
#include "copse/treebank/training_treebank.h"

namespace copse {

// Declares the options of a recipe, with its defaults; `path` gets the training trees.
void declare_training_options(CLI::App& app, PhraseTraining& recipe, std::string& path);

// The rest of the recipe, from what the commands share.
void finish_training_options(const PhraseRunOptions& run, const CommonOptions& common,
                             PhraseTraining& recipe);

// Unusable trees are reported to `log` with their lines.
TrainingTreebank read_tree_file(const std::string& path, const std::string& role,
                                const CommonOptions& common, ProblemLog& log);
TreeData tree_data(const TrainingTreebank& treebank);

}  // namespace copse
