// The options of the training recipe, and trees read with a report of what is unusable.
#pragma once

#include <string>
#include <vector>

#include "copse/cli/treebank_stream.h"
#include "copse/constituency/phrase_training.h"
#include "copse/model/provenance.h"

namespace copse {

// Declares the options of a recipe, with its defaults; `path` gets the training trees.
void declare_training_options(CLI::App& app, PhraseTraining& recipe, std::string& path);

struct TreeFile {
  std::vector<Entry> entries;
  DataSource source;

  TreeData data() const { return {entries, source}; }
};

// Unusable trees are reported to `log` with their lines. Throws data_error when the file has trees
// of another kind (no brackets).
TreeFile read_tree_file(const std::string& path, const std::string& role,
                        const CommonOptions& common, ProblemLog& log);

}  // namespace copse
