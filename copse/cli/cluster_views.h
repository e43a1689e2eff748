// What `copse cluster` does with clusters that exist already.
#pragma once

#include <string>
#include <vector>

#include "copse/cluster/cluster_tree.h"
#include "copse/cluster/corpus.h"
#include "copse/cluster/word_clusters.h"

namespace copse {

// Tells about words that occur twice unless `quiet`.
WordClusters read_clusters(const std::string& path, bool quiet);

// Every word of the texts on a line of its own, a tab, its bits or `-` if it has none; an empty
// line after each line of text. `json`: an array of {"word", "bits"} for each line of text.
void map_words(const WordClusters& clusters, const WordForm& form,
               const std::vector<std::string>& texts, const std::string& output, bool json);

// Word, count and bits, most frequent first. Throws usage_error when `bits` is no bit string,
// data_error when nothing is below it.
// `json`: an array of {"word", "count", "bits"}.
void show_words(const WordClusters& clusters, const std::string& bits, const std::string& output,
                bool json);

// A branch with its words, counts and branches, as one object.
std::string tree_json(const ClusterBranch& root);

}  // namespace copse
