// Brown clustering (Brown et al. 1992, "Class-Based n-gram Models of Natural Language", section 3;
// window as in Liang 2005): greedy merging of word classes, at each step the pair that loses the
// least average mutual information between the classes of neighbouring words.
//
//   for each word, the most frequent first:
//     add it to the window as a cluster of its own
//     if the window holds more than c clusters: merge the pair of least loss
//   merge the c clusters down to one: the binary tree that gives each its bit string
//
// Exact with respect to this procedure: losses are fixed-point numbers that equal a computation
// from scratch (merge_window.h); ties go to the pair of the smaller ids. A cluster's id is the
// number of its most frequent word. O(V d c) for V words with d neighbouring clusters each.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "copse/cluster/bigrams.h"
#include "copse/cluster/fixed_log.h"

namespace copse {

struct BrownOptions {
  std::uint32_t clusters = 1000;  // c, from 2 to kMostClusters
  int threads = 0;                // 0: every core; the result does not depend on it
  // Take a word's count for both l and r, as some programs do; they differ at the ends of lines.
  bool symmetric_marginals = false;
  // Called now and then with the number of words and the share of the work done.
  std::function<void(std::size_t, double)> progress = [](std::size_t, double) {};
};
inline constexpr std::uint32_t kMostClusters = 30'000;

struct BrownMerge {
  std::uint32_t into;  // the smaller id: its side of the tree is 0
  std::uint32_t from;  // its side is 1
  Fixed loss;          // of N * AMI
};

struct BrownClusters {
  std::vector<BrownMerge> merges;         // in order; the last clusters - 1 make the tree
  std::uint32_t clusters = 0;             // min(c, V)
  std::vector<std::uint32_t> cluster_of;  // by word: id of its cluster when `clusters` were left
  std::vector<std::string> bits;          // by word
  double information = 0;                 // AMI with `clusters` clusters, in bits
  double information_lost = 0;            // by the merges that make the tree
};

// Needs at least one word and at most FixedLog::kLargestTotal words (data_error).
BrownClusters brown_clusters(const Bigrams& bigrams, const BrownOptions& options);

// The `paths` file: bit string, word, count.
std::string write_paths(const Bigrams& bigrams, const BrownClusters& clusters);

}  // namespace copse
