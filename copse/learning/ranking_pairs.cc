#include "copse/learning/ranking_pairs.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "copse/base/error.h"
#include "copse/model/feature_key.h"

namespace copse {
namespace {

template <class Rows>
void count_to_offsets(Rows& rows) {
  std::partial_sum(rows.begin(), rows.end(), rows.begin());
}

}  // namespace

RankingPairs::RankingPairs(const RankingLists& lists, const PairOptions& options) {
  for (std::size_t i = 0; i < lists.size(); ++i) {
    add_list(lists, i, options);
    if (size() > first_.back()) first_.push_back(size());
  }
  transpose(lists.dimension());
  if (options.merge_features) merge_features();
}

void RankingPairs::add_list(const RankingLists& lists, std::size_t list,
                            const PairOptions& options) {
  const std::size_t begin = lists.begin(list), end = lists.end(list);
  if (end - begin < 2) return;
  const std::size_t best = lists.best(list);
  const auto add = [&](std::size_t better, std::size_t worse) {
    const double difference = lists.score(better) - lists.score(worse);
    if (difference <= 0 && !(options.keep_ties && options.uniform)) return;
    add_pair(lists, better, worse, options.uniform ? 1 : difference);
  };
  for (std::size_t c = begin; c < end; ++c) {
    if (c != best) add(best, c);
  }
  if (!options.full_ordering) return;
  std::vector<std::size_t> order(end - begin);
  std::iota(order.begin(), order.end(), begin);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (lists.score(a) != lists.score(b)) return lists.score(a) > lists.score(b);
    return a == best && b != best;
  });
  for (std::size_t r = 0; r + 1 < order.size(); ++r) {
    if (order[r] != best) add(order[r], order[r + 1]);
  }
}

void RankingPairs::add_pair(const RankingLists& lists, std::size_t better, std::size_t worse,
                            double importance) {
  if (size() == std::numeric_limits<Pair>::max()) throw data_error("there are too many candidates");
  const auto good = lists.features(better), bad = lists.features(worse);
  std::set_difference(good.begin(), good.end(), bad.begin(), bad.end(), std::back_inserter(b_));
  b_rows_.push_back(b_.size());
  std::set_difference(bad.begin(), bad.end(), good.begin(), good.end(), std::back_inserter(b_));
  b_rows_.push_back(b_.size());
  importance_.push_back(importance);
  log_ratio_.push_back(lists.log_probability(better) - lists.log_probability(worse));
}

void RankingPairs::transpose(std::size_t features) {
  with_rows_.assign(features + 1, 0);
  against_rows_.assign(features + 1, 0);
  for (std::size_t p = 0; p < size(); ++p) {
    for (const Feature k : plus(p)) ++with_rows_[k + 1];
    for (const Feature k : minus(p)) ++against_rows_[k + 1];
  }
  count_to_offsets(with_rows_);
  count_to_offsets(against_rows_);
  with_.resize(with_rows_.back());
  against_.resize(against_rows_.back());
  std::vector<std::size_t> with_at(with_rows_.begin(), with_rows_.end() - 1);
  std::vector<std::size_t> against_at(against_rows_.begin(), against_rows_.end() - 1);
  for (std::size_t p = 0; p < size(); ++p) {
    for (const Feature k : plus(p)) with_[with_at[k]++] = static_cast<Pair>(p);
    for (const Feature k : minus(p)) against_[against_at[k]++] = static_cast<Pair>(p);
  }
}

void RankingPairs::merge_features() {
  std::vector<std::uint64_t> hashes(features(), 0);
  std::vector<Feature> order;
  for (std::size_t k = 0; k < features(); ++k) {
    if (with(k).empty() && against(k).empty()) continue;
    for (const Pair p : with(k)) hashes[k] = join(hashes[k], 2 * std::uint64_t{p});
    for (const Pair p : against(k)) hashes[k] = join(hashes[k], 2 * std::uint64_t{p} + 1);
    order.push_back(static_cast<Feature>(k));
  }
  std::sort(order.begin(), order.end(), [&](Feature a, Feature b) {
    return hashes[a] != hashes[b] ? hashes[a] < hashes[b] : a < b;
  });
  const auto equal = [&](Feature a, Feature b) {
    return hashes[a] == hashes[b] && std::ranges::equal(with(a), with(b)) &&
           std::ranges::equal(against(a), against(b));
  };
  std::vector<bool> dropped(features(), false);
  for (std::size_t i = 0; i < order.size();) {
    std::size_t j = i + 1;
    for (; j < order.size() && equal(order[i], order[j]); ++j) dropped[order[j]] = true;
    merged_ += j - i - 1;
    i = j;
  }
  if (merged_ == 0) return;
  std::size_t kept = 0, from = 0;
  for (std::size_t row = 1; row < b_rows_.size(); ++row) {
    for (; from < b_rows_[row]; ++from) {
      if (!dropped[b_[from]]) b_[kept++] = b_[from];
    }
    b_rows_[row] = kept;
  }
  b_.resize(kept);
  b_.shrink_to_fit();
  transpose(features());
}

}  // namespace copse
