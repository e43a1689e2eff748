// The files that a recipe learns from, and what it tells while it reads and learns.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "copse/base/data_source.h"
#include "copse/cluster/word_clusters.h"
#include "copse/treebank/format.h"
#include "copse/treebank/training_treebank.h"

namespace copse {

struct TrainingFiles {
  std::string train;   // the treebank to learn from
  std::string dev;     // other sentences, which choose; empty: none
  std::string format;  // of both; empty: told by the files
  Limits limits;

  TreebankFile train_file() const { return file(train, "train"); }
  TreebankFile dev_file() const { return file(dev, "dev"); }

 private:
  TreebankFile file(const std::string& path, const std::string& role) const;
};

// Sentences to learn from and to choose by, and the record of where they came from.
struct TrainingSentences {
  std::vector<Sentence> train, dev;
  std::vector<DataSource> sources;
};
TrainingSentences read_training_sentences(const TrainingFiles& files, const Accept& accept,
                                          const ReadReport& report);

struct ClusterFile {
  std::shared_ptr<const WordClusters> clusters;  // null if no file was named
  DataSource source;
};
ClusterFile read_clusters(const std::string& path);

// A table of templates.
std::string read_table(const std::string& path);

}  // namespace copse
