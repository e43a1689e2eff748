#include "copse/rerank/ranking_data.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "copse/base/error.h"
#include "copse/base/stream.h"

namespace copse {
namespace {

// A list after the threads' work.
struct WorkedList {
  Candidates list;
  ListFeatures features;
  FeatureExtremes times;
  std::size_t duplicates = 0;
};

// Reads, grades and extracts by many threads; `take` gets the lists in order.
template <class Take>
void for_each_list(GradedLists& lists, const FeatureSource& source,
                   const FeatureSource::Wanted& wanted, std::uint32_t max_times, int threads,
                   Take&& take) {
  using Item = GradedLists::Item;
  const std::string file = lists.source().name;
  const auto work = [&](Item&& item) {
    auto worked = std::make_unique<WorkedList>();
    const std::size_t number = item.number + 1;
    worked->list = lists.graded(std::move(item));
    worked->duplicates = drop_duplicates(worked->list);
    try {
      worked->features = source.features(worked->list, wanted);
    } catch (const Error& error) {
      throw Error(error.kind(), fmt::format("list {}: {}", number, error.message()), {file, 0, 0},
                  error.hint());
    }
    worked->times = find_extremes(worked->features, max_times);
    return worked;
  };
  stream_in_order<Item, std::unique_ptr<WorkedList>>(
      threads, [&] { return lists.next(); }, work,
      [&](std::unique_ptr<WorkedList>&& worked) { take(*worked); });
}

// `number(feature, times)` is the id of a feature of the list, or kUnknown.
template <class Number>
void add_list(const WorkedList& worked, RankingData& data, Number&& number) {
  std::vector<RankingLists::Feature> ids;
  bool exact = false;
  for (std::size_t c = 0; c < worked.list.items.size(); ++c) {
    const Candidate& candidate = worked.list.items[c];
    ids.clear();
    for (const ListFeatures::Count& count : worked.features.of(c)) {
      for (std::uint32_t times = worked.times.least[count.feature] + 1; times <= count.times;
           ++times) {
        const std::uint32_t id = number(count.feature, times);
        if (id != FeatureDictionary::kUnknown) ids.push_back(id);
      }
    }
    data.lists.add_candidate(candidate.log_probability, *candidate.score, ids);
    if (!candidate.counts) continue;
    data.counts.push_back(*candidate.counts);
    const StratumCounts& counts = *candidate.counts;
    exact = exact || (counts.correct == counts.gold && counts.correct == counts.system);
  }
  data.lists.end_list();
  data.duplicates += worked.duplicates;
  if (!data.counts.empty() && !exact) ++data.without_best;
}

}  // namespace

std::uint32_t FeatureDictionary::find(FeatureKey key, std::uint32_t times) const {
  const auto at = numbers_.find(key_of_times(key, times));
  return at == numbers_.end() ? kUnknown : at->second;
}

// Counts in how many lists features are; the names of those that are in enough of them are made
// where they are needed for the first time.
class DictionaryBuilder {
 public:
  explicit DictionaryBuilder(std::uint32_t min_lists) : min_lists_(min_lists) {}

  std::uint32_t add(const WorkedList& worked, std::uint32_t feature, std::uint32_t times) {
    const FeatureKey key = worked.features.keys[feature];
    const auto [at, is_new] =
        numbers_.emplace(key_of_times(key, times), static_cast<std::uint32_t>(lists_.size()));
    const std::uint32_t number = at->second;
    if (is_new) lists_.push_back(0);
    if (++lists_[number] == min_lists_) {
      kept_.emplace(number, FeatureDictionary::Entry{key, times, worked.features.name(feature)});
    }
    return number;
  }

  // Numbers by falling frequency in `lists`, first come first among equals; unused ones are left
  // out.
  void finish(RankingLists& lists, FeatureDictionary& dictionary) {
    std::vector<std::size_t> frequency(lists_.size(), 0);
    for (std::size_t c = 0; c < lists.candidates(); ++c) {
      for (const RankingLists::Feature f : lists.features(c)) ++frequency[f];
    }
    std::vector<std::uint32_t> order;
    for (std::uint32_t number = 0; number < lists_.size(); ++number) {
      if (lists_[number] >= min_lists_ && frequency[number] > 0) order.push_back(number);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return frequency[a] > frequency[b]; });
    std::vector<RankingLists::Feature> number(lists_.size(), RankingLists::kDropped);
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      number[order[i]] = i;
      FeatureDictionary::Entry& entry = kept_.at(order[i]);
      dictionary.numbers_.emplace(key_of_times(entry.key, entry.times), i);
      dictionary.entries_.push_back(std::move(entry));
    }
    lists.renumber(number, order.size());
  }

 private:
  std::uint32_t min_lists_;
  tsl::robin_map<FeatureKey, std::uint32_t> numbers_;
  std::vector<std::uint32_t> lists_;  // how many have the feature
  std::unordered_map<std::uint32_t, FeatureDictionary::Entry> kept_;
};

RankingData read_training_lists(GradedLists& lists, const FeatureSource& source,
                                const CutoffOptions& options, int threads,
                                FeatureDictionary& dictionary) {
  RankingData data;
  DictionaryBuilder builder(std::max<std::uint32_t>(options.min_lists, 1));
  std::vector<std::size_t> first;      // of a feature's numbers ...
  std::vector<std::uint32_t> numbers;  // ... one for each time
  for_each_list(lists, source, {}, options.max_times, threads, [&](const WorkedList& worked) {
    first.clear();
    numbers.clear();
    for (std::uint32_t f = 0; f < worked.features.keys.size(); ++f) {
      first.push_back(numbers.size());
      for (std::uint32_t times = 1; times <= worked.times.most[f]; ++times) {
        numbers.push_back(builder.add(worked, f, times));
      }
    }
    add_list(worked, data,
             [&](std::uint32_t f, std::uint32_t times) { return numbers[first[f] + times - 1]; });
  });
  builder.finish(data.lists, dictionary);
  data.source = lists.source();
  return data;
}

RankingData read_other_lists(GradedLists& lists, const FeatureSource& source,
                             const CutoffOptions& options, int threads,
                             const FeatureDictionary& dictionary) {
  RankingData data;
  // A feature may be in the dictionary only as "at least twice", if all have it once.
  tsl::robin_map<FeatureKey, bool> keys;
  for (std::uint32_t k = 0; k < dictionary.size(); ++k) keys.emplace(dictionary[k].key, true);
  const auto wanted = [&](FeatureKey key) { return keys.count(key) > 0; };
  for_each_list(lists, source, wanted, options.max_times, threads, [&](const WorkedList& worked) {
    add_list(worked, data, [&](std::uint32_t f, std::uint32_t times) {
      return dictionary.find(worked.features.keys[f], times);
    });
  });
  data.source = lists.source();
  return data;
}

}  // namespace copse
