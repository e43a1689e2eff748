// Lists of candidates read for learning hidden values: graded, without repetitions, with a block of
// weights for every feature that is in enough lists.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "copse/model/feature_table.h"
#include "copse/rerank/graded_lists.h"
#include "copse/rerank/hidden/hidden_list.h"
#include "copse/rerank/kernel_selection.h"

namespace copse::hidden {

// Which features have weights, and where.
class Blocks {
 public:
  static constexpr std::uint64_t kMostWeights = UINT32_MAX - 1;

  // Appends a block; false if the key has one already. Throws data_error beyond kMostWeights.
  bool add(FeatureKey key, std::uint32_t rows, std::uint32_t columns);
  std::uint32_t find(FeatureKey key, std::uint32_t rows, std::uint32_t columns) const {
    const std::uint32_t number = table_.find(key);
    if (number == FeatureTable::kNone || rows_[number] != rows || columns_[number] != columns) {
      return kNoBlock;
    }
    return begin_[number];
  }
  BlockOf finder() const {
    return [this](FeatureKey key, std::uint32_t rows, std::uint32_t columns) {
      return find(key, rows, columns);
    };
  }

  std::size_t size() const { return keys_.size(); }
  std::size_t weights() const { return weights_; }
  FeatureKey key(std::size_t block) const { return keys_[block]; }
  std::uint32_t begin(std::size_t block) const { return begin_[block]; }
  std::uint32_t block_size(std::size_t block) const {
    return std::uint32_t{rows_[block]} * columns_[block];
  }

  std::span<const FeatureKey> keys() const { return keys_; }
  std::span<const std::uint8_t> rows() const { return rows_; }
  std::span<const std::uint8_t> columns() const { return columns_; }

 private:
  FeatureTable table_;
  std::vector<FeatureKey> keys_;
  std::vector<std::uint8_t> rows_, columns_;
  std::vector<std::uint32_t> begin_;
  std::uint64_t weights_ = 0;
};

// Candidates with their grades, each once.
struct ReadLists {
  std::vector<Candidates> lists;
  std::size_t candidates = 0, duplicates = 0;
  DataSource source;
};
ReadLists read_hidden_lists(GradedLists& lists, int threads);

// Words of the lists that occur in at least so many of their sentences; a word counts as often as it
// is in a sentence.
std::unordered_set<std::string> frequent_words(const ReadLists& lists, int min_count);

// The features that are in at least `min_lists` lists, in the order of appearance.
Blocks frequent_blocks(const ReadLists& lists, const Extraction& extraction, int min_lists,
                       int threads);

struct HiddenData : GradedNumbers {
  std::vector<HiddenList> lists;
  std::vector<std::uint32_t> best;  // the candidate that should win; ties: higher base, then first
  std::size_t bytes() const;
};
// Empties the lists as it goes.
HiddenData make_hidden_data(ReadLists&& lists, const Extraction& extraction, const Blocks& blocks,
                            bool sharing, int threads);

}  // namespace copse::hidden
