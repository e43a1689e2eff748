// The tree of word clusters for people: a nested listing and a drawing of its top levels, each
// branch with its most frequent words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "copse/cluster/word_clusters.h"

namespace copse {

struct TreeViewOptions {
  int depth = 5;     // levels below the top
  int examples = 6;  // words shown for a branch
};

// A branch of the tree: the clusters whose bit strings start with `bits`. Where all of them go on
// with the same bit the branch is the longer one, so every inner branch splits in two or holds a
// cluster of its own.
struct ClusterBranch {
  std::string bits;
  std::uint64_t tokens = 0;  // sum of the counts of its words
  std::uint32_t words = 0;
  std::uint32_t clusters = 0;
  std::vector<std::string_view> examples;  // by count, largest first
  std::vector<ClusterBranch> children;     // none at the lowest level shown
};

// Throws data_error when there is no cluster. The result points into `clusters`.
ClusterBranch cluster_tree(const WordClusters& clusters, const TreeViewOptions& options);

// The words below `bits`, most frequent first.
std::vector<WordClusters::Word> words_below(const WordClusters& clusters, std::string_view bits);

// One line a branch, indented by level.
std::string render_tree(const ClusterBranch& root);
std::string render_svg(const ClusterBranch& root);

}  // namespace copse
