// From lists of candidates to the numbers a learner wants: features are extracted by many threads,
// counted by the number of lists that have them, and those seen in too few are dropped.
//
// A feature that all candidates of a list have equally often says nothing there and is not kept for
// that list, so that memory is that of the differences.
#pragma once

#include <tsl/robin_map.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "copse/learning/ranking_lists.h"
#include "copse/rerank/graded_lists.h"
#include "copse/rerank/list_features.h"

namespace copse {

struct CutoffOptions {
  std::uint32_t min_lists = 5;   // features of fewer training lists are not used
  std::uint32_t max_times = 20;  // "at least so often" is not asked beyond this
};

// Features by number: what they say.
class FeatureDictionary {
 public:
  struct Entry {
    FeatureKey key = 0;
    std::uint32_t times = 1;
    std::string name;  // without "xN"
  };
  static constexpr std::uint32_t kUnknown = UINT32_MAX;

  std::size_t size() const { return entries_.size(); }
  const Entry& operator[](std::uint32_t number) const { return entries_[number]; }
  std::uint32_t find(FeatureKey key, std::uint32_t times) const;
  bool has(FeatureKey key) const { return find(key, 1) != kUnknown; }

 private:
  friend class DictionaryBuilder;
  std::vector<Entry> entries_;
  tsl::robin_map<FeatureKey, std::uint32_t> numbers_;  // by key and times together
};

struct RankingData {
  RankingLists lists;
  std::vector<StratumCounts> counts;  // of each candidate; empty unless they were counted
  std::size_t duplicates = 0;         // candidates equal to an earlier one of their list, left out
  std::size_t without_best = 0;       // lists of parses without one that equals gold
  DataSource source;
};

// Training lists make the dictionary; features are numbered by falling frequency.
RankingData read_training_lists(GradedLists& lists, const FeatureSource& source,
                                const CutoffOptions& options, int threads,
                                FeatureDictionary& dictionary);
// Other lists use it.
RankingData read_other_lists(GradedLists& lists, const FeatureSource& source,
                             const CutoffOptions& options, int threads,
                             const FeatureDictionary& dictionary);

}  // namespace copse
