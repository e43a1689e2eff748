// A treebank read for training: its sentences, and where they came from for the model's record.
#pragma once

#include <string>
#include <vector>

#include "copse/cli/treebank_stream.h"
#include "copse/model/provenance.h"

namespace copse {

struct TrainingEntries {
  std::vector<Entry> entries;
  DataSource source;
};

// Reads a whole file. Unusable sentences are reported to `log` and left out. `format_name` empty:
// told by the file.
TrainingEntries read_training_entries(const std::string& path, const std::string& role,
                                      const std::string& format_name, const CommonOptions& common,
                                      ProblemLog& log);

struct TrainingData {
  std::vector<Sentence> sentences;
  DataSource source;
};

// The same as sentences; trees without columns become sentences.
TrainingData read_training_data(const std::string& path, const std::string& role,
                                const std::string& format_name, const CommonOptions& common,
                                ProblemLog& log);

}  // namespace copse
