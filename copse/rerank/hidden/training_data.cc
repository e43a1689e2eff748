#include "copse/rerank/hidden/training_data.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "copse/base/error.h"
#include "copse/base/stream.h"
#include "copse/learning/dual_perceptron.h"
#include "copse/rerank/graded_lists.h"

namespace copse::hidden {
namespace {

// In how many lists features are, at least: several may share a counter. Those that cannot be in
// enough lists need no place in a table, and most are of that kind.
class KeyCounts {
 public:
  explicit KeyCounts(std::size_t lists)
      : counts_(std::bit_ceil(std::clamp<std::size_t>(lists * 8192, 1U << 16, 1U << 27))) {}

  void add(FeatureKey key) {
    std::uint8_t& count = counts_[place(key)];
    if (count < UINT8_MAX) ++count;
  }
  bool may_have(FeatureKey key, int lists) const {
    return counts_[place(key)] >= std::min(lists, int{UINT8_MAX});
  }

 private:
  std::size_t place(FeatureKey key) const { return scramble(key) & (counts_.size() - 1); }
  std::vector<std::uint8_t> counts_;
};

// A list as sums of weights; errors say which list it is.
HiddenList made_list(const ReadLists& lists, std::size_t number, const Candidates& list,
                     const Extraction& extraction, const BlockOf& block_of, bool sharing) {
  try {
    return make_hidden_list(extraction, list, block_of, sharing);
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("list {}: {}", number + 1, error.message()),
                {lists.source.name, 0, 0}, error.hint());
  }
}

struct Key {
  FeatureKey key;
  std::uint32_t rows, columns;
};

// The features of every list, each once, to `take`, list by list.
template <class Take>
void for_keys(const ReadLists& lists, const Extraction& extraction,
              const std::function<bool(FeatureKey)>& wanted, int threads, Take take) {
  std::size_t next = 0;
  stream_in_order<std::size_t, std::vector<Key>>(
      threads,
      [&]() -> std::optional<std::size_t> {
        return next < lists.lists.size() ? std::optional(next++) : std::nullopt;
      },
      [&](std::size_t i) {
        std::vector<Key> keys;
        FeatureTable seen;
        const BlockOf gather = [&](FeatureKey key, std::uint32_t rows, std::uint32_t columns) {
          if ((!wanted || wanted(key)) && seen.add(key).is_new)
            keys.push_back({key, rows, columns});
          return kNoBlock;
        };
        made_list(lists, i, lists.lists[i], extraction, gather, true);
        return keys;
      },
      take);
}

}  // namespace

bool Blocks::add(FeatureKey key, std::uint32_t rows, std::uint32_t columns) {
  if (!table_.add(key).is_new) return false;
  if (weights_ + std::uint64_t{rows} * columns > kMostWeights) {
    throw data_error("there are too many weights for one model", {},
                     "keep only features of more lists");
  }
  keys_.push_back(key);
  rows_.push_back(static_cast<std::uint8_t>(rows));
  columns_.push_back(static_cast<std::uint8_t>(columns));
  begin_.push_back(static_cast<std::uint32_t>(weights_));
  weights_ += std::uint64_t{rows} * columns;
  return true;
}

ReadLists read_hidden_lists(GradedLists& lists, int threads) {
  ReadLists result;
  struct Read {
    Candidates list;
    std::size_t duplicates = 0;
  };
  stream_in_order<GradedLists::Item, Read>(
      threads, [&] { return lists.next(); },
      [&](GradedLists::Item&& item) {
        Read read{lists.graded(std::move(item))};
        read.duplicates = drop_duplicates(read.list);
        return read;
      },
      [&](Read&& read) {
        result.duplicates += read.duplicates;
        result.candidates += read.list.items.size();
        result.lists.push_back(std::move(read.list));
      });
  result.source = lists.source();
  return result;
}

std::unordered_set<std::string> frequent_words(const ReadLists& lists, int min_count) {
  std::unordered_map<std::string, int> counts;
  for (const Candidates& list : lists.lists) {
    if (list.items.empty()) continue;
    const PhraseTree& tree = list.items.front().tree;
    for (int w = 0; w < tree.words(); ++w) ++counts[std::string(tree.word_at(w))];
    if (tree.empty()) {
      for (const std::string& word : list.words) ++counts[word];
    }
  }
  std::unordered_set<std::string> words;
  for (const auto& [word, count] : counts) {
    if (count >= min_count) words.insert(word);
  }
  return words;
}

Blocks frequent_blocks(const ReadLists& lists, const Extraction& extraction, int min_lists,
                       int threads) {
  KeyCounts counts(lists.lists.size());
  for_keys(lists, extraction, {}, threads, [&](std::vector<Key>&& keys) {
    for (const Key& each : keys) counts.add(each.key);
  });
  // Now exactly.
  FeatureTable table;
  std::vector<Key> found;
  std::vector<std::uint32_t> times;
  for_keys(
      lists, extraction, [&](FeatureKey key) { return counts.may_have(key, min_lists); }, threads,
      [&](std::vector<Key>&& keys) {
        for (const Key& each : keys) {
          const auto [number, is_new] = table.add(each.key);
          if (is_new) {
            found.push_back(each);
            times.push_back(0);
          }
          ++times[number];
        }
      });
  Blocks blocks;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (times[i] >= static_cast<std::uint32_t>(min_lists)) {
      blocks.add(found[i].key, found[i].rows, found[i].columns);
    }
  }
  return blocks;
}

std::size_t HiddenData::bytes() const {
  std::size_t sum = 0;
  for (const HiddenList& list : lists) sum += list.bytes();
  return sum;
}

HiddenData make_hidden_data(ReadLists&& read, const Extraction& extraction, const Blocks& blocks,
                            bool sharing, int threads) {
  HiddenData data;
  std::size_t next = 0;
  struct Made {
    HiddenList list;
    std::vector<double> quality, base;
    std::vector<StratumCounts> counts;
  };
  const BlockOf find = blocks.finder();
  stream_in_order<std::size_t, Made>(
      threads,
      [&]() -> std::optional<std::size_t> {
        return next < read.lists.size() ? std::optional(next++) : std::nullopt;
      },
      [&](std::size_t i) {
        const Candidates list = std::move(read.lists[i]);
        Made made;
        made.list = made_list(read, i, list, extraction, find, sharing);
        for (const Candidate& candidate : list.items) {
          made.quality.push_back(candidate.score.value_or(0));
          made.base.push_back(candidate.log_probability);
          if (candidate.counts) made.counts.push_back(*candidate.counts);
        }
        return made;
      },
      [&](Made&& made) {
        data.best.push_back(made.quality.empty() ? 0 : best_candidate(made.quality, made.base));
        data.lists.push_back(std::move(made.list));
        data.quality.push_back(std::move(made.quality));
        data.base.push_back(std::move(made.base));
        data.counts.push_back(std::move(made.counts));
      });
  return data;
}

}  // namespace copse::hidden
