// From files to word clusters: text, a sentence a line, or the word forms of treebanks.
#pragma once

#include <string>
#include <vector>

#include "copse/cluster/brown.h"
#include "copse/cluster/corpus.h"
#include "copse/treebank/training_treebank.h"

namespace copse {

struct ClusterRecipe {
  std::vector<std::string> files;
  // "text", "conllu" or "conllx"; empty: by the ending of the file, else text.
  std::string format;
  CorpusOptions corpus;
  VocabularyOptions vocabulary;
  BrownOptions brown;
  Limits limits;
};

struct FoundClusters {
  Bigrams bigrams;
  BrownClusters clusters;

  std::string paths() const { return write_paths(bigrams, clusters); }  // the file of clusters
};

// Sentences that cannot be read are reported and left out. Throws data_error without any word.
FoundClusters find_clusters(const ClusterRecipe& recipe, const ReadReport& report = {});

}  // namespace copse
