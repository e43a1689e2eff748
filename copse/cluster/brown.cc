#include "copse/cluster/brown.h"

#include <algorithm>
#include <numeric>

#include "copse/base/error.h"
#include "copse/base/stream.h"
#include "copse/cluster/merge_window.h"
#include "copse/cluster/word_clusters.h"

namespace copse {
namespace {

// Which cluster a word is in, by way of ids.
class Membership {
 public:
  explicit Membership(std::size_t words) : parent_(words), slot_(words) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  std::uint32_t id_of(std::uint32_t word) {
    while (parent_[word] != word) {
      parent_[word] = parent_[parent_[word]];  // shorter next time
      word = parent_[word];
    }
    return word;
  }
  MergeWindow::Slot slot_of(std::uint32_t word) { return slot_[id_of(word)]; }
  void settle(std::uint32_t id, MergeWindow::Slot slot) { slot_[id] = slot; }
  void merge(std::uint32_t into, std::uint32_t from) { parent_[from] = into; }

 private:
  std::vector<std::uint32_t> parent_;
  std::vector<MergeWindow::Slot> slot_;  // of ids
};

std::uint64_t counted(const Bigrams& bigrams) {
  return std::accumulate(bigrams.counts.begin(), bigrams.counts.end(), std::uint64_t{0});
}

class Clustering {
 public:
  Clustering(const Bigrams& bigrams, const BrownOptions& options)
      : bigrams_(bigrams),
        options_(options),
        words_(static_cast<std::uint32_t>(bigrams.words.size())),
        clusters_(std::min(options.clusters, words_)),
        logs_(FixedLog::fraction_for(std::max(bigrams.total, counted(bigrams)))),
        team_(resolve_threads(options.threads)),
        window_(clusters_ + (words_ > clusters_ ? 1 : 0), logs_, team_),
        members_(words_),
        counts_(clusters_ + 1) {}

  BrownClusters run() {
    for (std::uint32_t word = 0; word < words_; ++word) {
      add(word);
      if (window_.clusters() > clusters_) merge();
      if (word % 64 == 0) options_.progress(word, share_done(word));
    }
    result_.clusters = clusters_;
    for (std::uint32_t word = 0; word < words_; ++word) {
      result_.cluster_of.push_back(members_.id_of(word));
    }
    const Fixed before = window_.counts().information();
    const std::size_t windowed = result_.merges.size();
    while (window_.clusters() > 1) merge();
    result_.information = bits_per_bigram(before);
    result_.information_lost = bits_per_bigram(before - window_.counts().information());
    assign_bits(windowed);
    return std::move(result_);
  }

 private:
  void add(std::uint32_t word) {
    const std::vector<Cell> follows = by_slot(bigrams_.following(word));
    const std::vector<Cell> precedes = by_slot(bigrams_.preceding(word));
    const auto marginal = [&](const std::vector<std::uint64_t>& bigrams) {
      return options_.symmetric_marginals ? bigrams_.counts[word] : bigrams[word];
    };
    members_.settle(word, window_.add({word, marginal(bigrams_.left), marginal(bigrams_.right),
                                       bigrams_.self[word], follows, precedes}));
    entries_done_ += bigrams_.following(word).words.size() + bigrams_.preceding(word).words.size();
  }

  // Counts of words as counts of their clusters.
  std::vector<Cell> by_slot(const Bigrams::Row& row) {
    std::vector<MergeWindow::Slot> slots;
    for (std::size_t i = 0; i < row.words.size(); ++i) {
      const MergeWindow::Slot slot = members_.slot_of(row.words[i]);
      if (counts_[slot] == 0) slots.push_back(slot);
      counts_[slot] += row.counts[i];
    }
    std::vector<Cell> cells;
    cells.reserve(slots.size());
    for (const MergeWindow::Slot slot : slots) {
      cells.emplace_back(slot, counts_[slot]);
      counts_[slot] = 0;
    }
    return cells;
  }

  void merge() {
    const MergeWindow::Merged merged = window_.merge_least();
    members_.merge(merged.into, merged.from);
    members_.settle(merged.into, merged.slot);
    if (merged.freed < window_.clusters()) {
      members_.settle(window_.id(merged.freed), merged.freed);
    }
    result_.merges.push_back({merged.into, merged.from, merged.loss});
  }

  // Read backwards the merges are the splits of a tree, from the root.
  void assign_bits(std::size_t windowed) {
    std::vector<std::string> bits(words_);
    for (std::size_t i = result_.merges.size(); i-- > windowed;) {
      const BrownMerge& split = result_.merges[i];
      bits[split.from] = bits[split.into] + '1';
      bits[split.into] += '0';
    }
    result_.bits.reserve(words_);
    for (const std::uint32_t cluster : result_.cluster_of) result_.bits.push_back(bits[cluster]);
  }

  double bits_per_bigram(Fixed information) const {
    if (bigrams_.total == 0) return 0;
    return static_cast<double>(information) / (static_cast<double>(bigrams_.total) *
                                               static_cast<double>(Fixed{1} << logs_.fraction()));
  }

  // The work for a word is about proportional to the number of its neighbours.
  double share_done(std::uint32_t word) const {
    const std::size_t whole = bigrams_.entries() + words_;
    return static_cast<double>(entries_done_ + word) / static_cast<double>(whole);
  }

  const Bigrams& bigrams_;
  const BrownOptions& options_;
  std::uint32_t words_;
  std::uint32_t clusters_;
  FixedLog logs_;
  ThreadTeam team_;
  MergeWindow window_;
  Membership members_;
  std::vector<std::uint64_t> counts_;  // by slot, zero between uses
  std::size_t entries_done_ = 0;
  BrownClusters result_;
};

}  // namespace

BrownClusters brown_clusters(const Bigrams& bigrams, const BrownOptions& options) {
  if (options.clusters < 2 || options.clusters > kMostClusters) {
    throw usage_error("the number of clusters must be from 2 to 30000");
  }
  if (bigrams.words.empty()) throw data_error("there is no word to cluster");
  if (counted(bigrams) > FixedLog::kLargestTotal) {
    throw data_error("the text is longer than 2^36 words", {},
                     "clustering a part of it gives nearly the same clusters");
  }
  return Clustering(bigrams, options).run();
}

std::string write_paths(const Bigrams& bigrams, const BrownClusters& clusters) {
  std::vector<WordClusters::Line> lines;
  for (std::size_t word = 0; word < bigrams.words.size(); ++word) {
    lines.push_back({clusters.bits[word], bigrams.words[word], bigrams.counts[word]});
  }
  return WordClusters(std::move(lines)).paths();
}

}  // namespace copse
