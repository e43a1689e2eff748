// Trees for the training commands: read with a report of what is unusable, parsed in parallel.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "copse/cli/generative_options.h"
#include "copse/cli/treebank_stream.h"
#include "copse/constituency/training_trees.h"
#include "copse/model/provenance.h"

namespace copse {

// The options of training the generative parser.
struct GenerativeTraining {
  std::string path;
  std::string head_table = "collins";
  ModelOptions options;

  void declare_options(CLI::App& app);
  HeadRules heads() const { return HeadRules::load(head_table); }
};

struct TreeFile {
  std::vector<Entry> entries;
  DataSource source;
};

// Unusable trees are reported to `log` with their lines. Throws data_error when the file has trees
// of another kind (no brackets).
TreeFile read_tree_file(const std::string& path, const std::string& role,
                        const CommonOptions& common, ProblemLog& log);

// Parses the words of all trees; `take` is called in order, from one thread at a time.
using TakeList = std::function<void(NBestList&& list, bool fallback, const Entry& entry)>;
void parse_trees(const GenerativeParser& parser, std::span<const Entry> entries,
                 const GenerativeOptions& options, const CommonOptions& common,
                 const std::string& title, const TakeList& take);

}  // namespace copse
