// Brown clustering written down as it is defined: at every step the information after every
// possible merge is computed anew from the words' bigrams. Slow, and shares only f with the real
// one.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "copse/cluster/bigrams.h"
#include "copse/cluster/brown.h"
#include "copse/cluster/fixed_log.h"

namespace copse::reference {

using Sentences = std::vector<std::vector<std::string>>;
using Cluster = std::vector<std::uint32_t>;  // words; the first is its id

inline Bigrams count(const Sentences& sentences, const VocabularyOptions& options = {}) {
  BigramCounter counter;
  for (const auto& sentence : sentences) {
    for (const std::string& word : sentence) counter.add_word(word);
    counter.add_gap();
  }
  return counter.finish(options);
}

// n(a,b) by counting in the text, for the vocabulary of `bigrams`.
class Counts {
 public:
  Counts(const Sentences& sentences, const std::vector<std::string>& words)
      : words_(words.size()), n_(words.size() * words.size()) {
    std::map<std::string, std::size_t> number;
    for (std::size_t i = 0; i < words.size(); ++i) number[words[i]] = i;
    for (const auto& sentence : sentences) {
      for (std::size_t i = 1; i < sentence.size(); ++i) {
        const auto a = number.find(sentence[i - 1]);
        const auto b = number.find(sentence[i]);
        if (a != number.end() && b != number.end()) ++n_[a->second * words_ + b->second];
      }
    }
  }
  std::uint64_t operator()(std::size_t a, std::size_t b) const { return n_[a * words_ + b]; }
  std::size_t words() const { return words_; }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> n_;
};

// N * AMI without the constant N log2 N: the sum over the cells between the clusters given of
// n(A,B) log2(n(A,B) / (l(A) r(B))), l and r over all words.
inline Fixed information(const Counts& n, const std::vector<Cluster>& clusters,
                         const FixedLog& logs) {
  const auto marginal = [&](const Cluster& cluster, bool left) {
    std::uint64_t sum = 0;
    for (const auto v : cluster) {
      for (std::uint32_t w = 0; w < n.words(); ++w) sum += left ? n(v, w) : n(w, v);
    }
    return sum;
  };
  Fixed total = 0;
  for (const Cluster& a : clusters) {
    for (const Cluster& b : clusters) {
      std::uint64_t cell = 0;
      for (const auto v : a) {
        for (const auto w : b) cell += n(v, w);
      }
      if (cell == 0) continue;
      const Fixed log = logs.log(cell) - logs.log(marginal(a, true)) - logs.log(marginal(b, false));
      total += static_cast<Fixed>(cell) * log;
    }
  }
  return total;
}

inline std::vector<Cluster> merged(std::vector<Cluster> clusters, std::size_t i, std::size_t j) {
  clusters[i].insert(clusters[i].end(), clusters[j].begin(), clusters[j].end());
  clusters.erase(clusters.begin() + static_cast<std::ptrdiff_t>(j));
  return clusters;
}

// Clusters stand in the order of their ids, so the first least pair is the one the tie rule wants.
inline BrownMerge merge_least(const Counts& n, std::vector<Cluster>& clusters,
                              const FixedLog& logs) {
  const Fixed before = information(n, clusters, logs);
  BrownMerge best{0, 0, INT64_MAX};
  std::pair<std::size_t, std::size_t> where;
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    for (std::size_t j = i + 1; j < clusters.size(); ++j) {
      const Fixed loss = before - information(n, merged(clusters, i, j), logs);
      if (loss >= best.loss) continue;
      best = {clusters[i][0], clusters[j][0], loss};
      where = {i, j};
    }
  }
  clusters = merged(std::move(clusters), where.first, where.second);
  return best;
}

inline BrownClusters brown_clusters(const Counts& n, std::uint32_t c, const FixedLog& logs) {
  BrownClusters result;
  std::vector<Cluster> clusters;
  for (std::uint32_t word = 0; word < n.words(); ++word) {
    clusters.push_back({word});
    if (clusters.size() > c) result.merges.push_back(merge_least(n, clusters, logs));
  }
  result.clusters = static_cast<std::uint32_t>(clusters.size());
  result.cluster_of.resize(n.words());
  for (const Cluster& cluster : clusters) {
    for (const auto word : cluster) result.cluster_of[word] = cluster[0];
  }
  // The tree: whole subtrees of words get a bit in front, from the leaves upwards.
  result.bits.resize(n.words());
  while (clusters.size() > 1) {
    const std::vector<Cluster> before = clusters;
    const BrownMerge merge = merge_least(n, clusters, logs);
    result.merges.push_back(merge);
    for (const Cluster& cluster : before) {
      if (cluster[0] != merge.into && cluster[0] != merge.from) continue;
      for (const auto word : cluster) {
        result.bits[word].insert(0, 1, cluster[0] == merge.into ? '0' : '1');
      }
    }
  }
  return result;
}

}  // namespace copse::reference
