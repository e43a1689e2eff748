#include "copse/cluster/bigrams.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <numeric>
#include <utility>

#include "copse/base/error.h"
#include "copse/base/group.h"

namespace copse {
namespace {

constexpr std::uint64_t kLargeText = 50'000'000;  // words
constexpr std::uint32_t kOutside = UINT32_MAX;

std::uint32_t first_of(std::uint64_t key) {
  return static_cast<std::uint32_t>(key >> 32);
}
std::uint32_t second_of(std::uint64_t key) {
  return static_cast<std::uint32_t>(key);
}

// By digits of 11 bits, the last first; those in which no two keys differ are passed over.
void sort_keys(std::vector<std::uint64_t>& keys) {
  constexpr unsigned kDigit = 11;
  constexpr std::uint64_t kMask = (std::uint64_t{1} << kDigit) - 1;
  std::uint64_t some = 0;
  std::uint64_t all = ~std::uint64_t{0};
  for (const std::uint64_t key : keys) {
    some |= key;
    all &= key;
  }
  std::vector<std::uint64_t> sorted(keys.size());
  for (unsigned shift = 0; shift < 64; shift += kDigit) {
    if (((some ^ all) >> shift & kMask) == 0) continue;
    std::array<std::size_t, kMask + 2> begin{};
    for (const std::uint64_t key : keys) ++begin[(key >> shift & kMask) + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    for (const std::uint64_t key : keys) sorted[begin[key >> shift & kMask]++] = key;
    keys.swap(sorted);
  }
}

}  // namespace

void BigramCounter::add_word(std::string_view word) {
  const Symbols::Id id = symbols_.add(word);
  if (id == counts_.size()) counts_.push_back(0);
  ++counts_[id];
  ++tokens_;
  if (previous_ != kNoWord) add_pair(previous_, id);
  previous_ = id;
}

void BigramCounter::add_pair(Word first, Word second) {
  constexpr std::size_t kSmallestBuffer = std::size_t{1} << 20;
  recent_.push_back(std::uint64_t{first} << 32 | second);
  if (recent_.size() >= std::max(kSmallestBuffer, pairs_.size())) merge_recent();
}

// Sorting now and then is as fast as a hash table here and takes half the memory.
void BigramCounter::merge_recent() {
  sort_keys(recent_);
  std::vector<Pair> merged;
  merged.reserve(pairs_.size() + recent_.size() / 2);
  const auto add = [&](std::uint64_t key, std::uint64_t count) {
    if (!merged.empty() && merged.back().key == key) {
      merged.back().count += count;
    } else {
      merged.push_back({key, count});
    }
  };
  auto old = pairs_.begin();
  for (const std::uint64_t key : recent_) {
    for (; old != pairs_.end() && old->key <= key; ++old) add(old->key, old->count);
    add(key, 1);
  }
  for (; old != pairs_.end(); ++old) add(old->key, old->count);
  pairs_ = std::move(merged);
  recent_.clear();
}

// The number of words, then for each its count, its length and itself; then the pairs.
std::string BigramCounter::take_bytes() {
  merge_recent();
  std::string out;
  const auto append = [&out](const std::uint64_t number) {
    append_values(out, std::span(&number, 1));
  };
  append(symbols_.size());
  for (Symbols::Id id = 0; id < symbols_.size(); ++id) {
    append(counts_[id]);
    append(symbols_.text(id).size());
    out += symbols_.text(id);
  }
  append_values(out, std::span<const Pair>(pairs_));
  *this = BigramCounter();
  return out;
}

void BigramCounter::add_bytes(std::string_view bytes) {
  const auto take = [&bytes] {
    std::uint64_t number = 0;
    std::memcpy(&number, bytes.data(), sizeof number);
    bytes.remove_prefix(sizeof number);
    return number;
  };
  std::vector<std::uint64_t> ids(take());  // theirs to ours
  for (std::uint64_t& id : ids) {
    const std::uint64_t count = take(), size = take();
    id = symbols_.add(bytes.substr(0, size));
    bytes.remove_prefix(size);
    if (id == counts_.size()) counts_.push_back(0);
    counts_[id] += count;
    tokens_ += count;
  }
  std::vector<Pair> pairs(bytes.size() / sizeof(Pair));
  if (!pairs.empty()) std::memcpy(pairs.data(), bytes.data(), bytes.size());
  for (Pair& pair : pairs) pair.key = ids[first_of(pair.key)] << 32 | ids[second_of(pair.key)];
  std::ranges::sort(pairs, {}, &Pair::key);
  add_sorted(pairs);
}

void BigramCounter::add_sorted(const std::vector<Pair>& pairs) {
  merge_recent();
  std::vector<Pair> merged;
  merged.reserve(pairs_.size() + pairs.size());
  std::ranges::merge(pairs_, pairs, std::back_inserter(merged), {}, &Pair::key, &Pair::key);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < merged.size(); ++i) {
    if (kept > 0 && merged[kept - 1].key == merged[i].key) {
      merged[kept - 1].count += merged[i].count;
    } else {
      merged[kept++] = merged[i];
    }
  }
  merged.resize(kept);
  pairs_ = std::move(merged);
}

std::vector<Symbols::Id> BigramCounter::choose_words(const VocabularyOptions& options) const {
  const std::uint64_t automatic = tokens_ < kLargeText ? 1 : 3;
  const std::uint64_t min_count = options.min_count == 0 ? automatic : options.min_count;
  std::vector<Symbols::Id> chosen;
  for (Symbols::Id id = 0; id < symbols_.size(); ++id) {
    if (counts_[id] >= min_count) chosen.push_back(id);
  }
  std::sort(chosen.begin(), chosen.end(), [&](Symbols::Id a, Symbols::Id b) {
    return counts_[a] != counts_[b] ? counts_[a] > counts_[b] : symbols_.text(a) < symbols_.text(b);
  });
  if (options.max_words > 0 && chosen.size() > options.max_words) chosen.resize(options.max_words);
  return chosen;
}

Bigrams BigramCounter::finish(const VocabularyOptions& options) {
  merge_recent();
  std::vector<std::uint64_t>().swap(recent_);
  const std::vector<Symbols::Id> chosen = choose_words(options);
  std::vector<std::uint32_t> rank(symbols_.size(), kOutside);
  Bigrams bigrams;
  for (const Symbols::Id id : chosen) {
    rank[id] = static_cast<std::uint32_t>(bigrams.words.size());
    bigrams.words.emplace_back(symbols_.text(id));
    bigrams.counts.push_back(counts_[id]);
  }
  add_pairs(rank, bigrams);
  *this = BigramCounter();
  return bigrams;
}

void BigramCounter::add_pairs(std::span<const std::uint32_t> rank, Bigrams& bigrams) {
  const std::size_t words = bigrams.words.size();
  bigrams.left.resize(words);
  bigrams.right.resize(words);
  bigrams.self.resize(words);
  Bigrams::Rows& following = bigrams.following_;
  Bigrams::Rows& preceding = bigrams.preceding_;
  following.begin.assign(words + 1, 0);
  preceding.begin.assign(words + 1, 0);
  // Once to count, once to place, as in a counting sort.
  const auto for_each_kept = [&](auto visit) {
    for (const Pair& pair : pairs_) {
      const std::uint32_t a = rank[first_of(pair.key)];
      const std::uint32_t b = rank[second_of(pair.key)];
      if (a != kOutside && b != kOutside) visit(a, b, pair.count);
    }
  };
  for_each_kept([&](std::uint32_t a, std::uint32_t b, std::uint64_t count) {
    bigrams.left[a] += count;
    bigrams.right[b] += count;
    bigrams.total += count;
    if (a == b) bigrams.self[a] = count;
    if (a > b) ++following.begin[a + 1];
    if (a < b) ++preceding.begin[b + 1];
  });
  for (Bigrams::Rows* rows : {&following, &preceding}) {
    for (std::size_t word = 0; word < words; ++word) rows->begin[word + 1] += rows->begin[word];
    rows->words.resize(rows->begin.back());
    rows->counts.resize(rows->begin.back());
  }
  std::vector<std::size_t> next_following = following.begin;
  std::vector<std::size_t> next_preceding = preceding.begin;
  const auto place = [](Bigrams::Rows& rows, std::size_t at, std::uint32_t word,
                        std::uint64_t count) {
    rows.words[at] = word;
    rows.counts[at] = count;
  };
  for_each_kept([&](std::uint32_t a, std::uint32_t b, std::uint64_t count) {
    if (a > b) place(following, next_following[a]++, b, count);
    if (a < b) place(preceding, next_preceding[b]++, a, count);
  });
}

}  // namespace copse
