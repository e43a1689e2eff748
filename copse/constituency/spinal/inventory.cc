#include "copse/constituency/spinal/inventory.h"

#include <algorithm>
#include <set>
#include <utility>

namespace copse::spinal {
namespace {

template <class T>
int place_of(const std::vector<T>& sorted, const T& value) {
  const auto found = std::lower_bound(sorted.begin(), sorted.end(), value);
  return found == sorted.end() || *found != value ? -1 : static_cast<int>(found - sorted.begin());
}

template <class T>
bool ascends(const std::vector<T>& values) {
  return std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) == values.end();
}

bool fits(const ChainLists& lists, std::size_t chains) {
  return std::ranges::all_of(lists, [&](const auto& row) {
    return !row.second.empty() && ascends(row.second) && row.second.back() < chains;
  });
}

}  // namespace

Inventory::Inventory(Symbols labels, std::span<const Derivation> derivations,
                     std::span<const std::vector<std::string>> words)
    : labels_(std::move(labels)) {
  std::set<SpinalLabel> adjunctions;
  std::map<Chain, int> chains;
  for (const Derivation& each : derivations) {
    const auto grammar = grammar_of(each);
    adjunctions.insert(grammar.begin() + 1, grammar.end());
    for (int m = 1; m <= each.words(); ++m)
      ++chains[each.spines[static_cast<std::size_t>(m)].phrases];
  }
  adjunctions_.assign(adjunctions.begin(), adjunctions.end());
  for (const auto& [chain, count] : chains) {
    if (count >= kLeastForUnknown)
      for_unknown_.push_back(static_cast<std::uint32_t>(chains_.size()));
    chains_.push_back(chain);
  }
  if (for_unknown_.empty()) {  // a handful of trees
    for (std::uint32_t k = 0; k < chains_.size(); ++k) for_unknown_.push_back(k);
  }
  std::map<std::string, std::map<std::uint32_t, int>, std::less<>> of_tag, of_word;
  for (std::size_t i = 0; i < derivations.size(); ++i) {
    for (int m = 1; m <= derivations[i].words(); ++m) {
      const Spine& spine = derivations[i].spines[static_cast<std::size_t>(m)];
      const auto k = static_cast<std::uint32_t>(chain(spine.phrases));
      ++of_tag[std::string(labels_.text(spine.tag))][k];
      ++of_word[words[i][static_cast<std::size_t>(m) - 1]][k];
    }
  }
  for (const auto& [tag, counts] : of_tag) {
    auto& row = by_tag_[tag];
    for (const auto& [k, count] : counts) {
      if (count >= kLeastCount || counts.size() == 1) row.push_back(k);
    }
    if (row.empty()) row.push_back(counts.begin()->first);
  }
  for (const auto& [word, counts] : of_word) {
    auto& row = by_word_[word];
    for (const auto& [k, count] : counts) row.push_back(k);
  }
}

Inventory::Inventory(Symbols labels, std::vector<SpinalLabel> adjunctions,
                     std::vector<Chain> chains, ChainLists by_tag, ChainLists by_word,
                     std::vector<std::uint32_t> for_unknown)
    : labels_(std::move(labels)),
      adjunctions_(std::move(adjunctions)),
      chains_(std::move(chains)),
      by_tag_(std::move(by_tag)),
      by_word_(std::move(by_word)),
      for_unknown_(std::move(for_unknown)) {}

std::string Inventory::check() const {
  const auto is_label = [&](LabelId id) { return id < labels_.size(); };
  if (labels_.size() < 2 || labels_.find(kRootTag) == Symbols::kUnknown ||
      labels_.find(kTopLabel) == Symbols::kUnknown) {
    return "has no labels of the root";
  }
  if (adjunctions_.empty() || !ascends(adjunctions_) || adjunctions_.size() > UINT16_MAX) {
    return "has kinds of adjunction out of order";
  }
  for (const SpinalLabel& each : adjunctions_) {
    if (!is_label(each.x) || !is_label(each.y) || !is_label(each.z)) return "names no label";
  }
  if (chains_.empty() || !ascends(chains_) || chains_.size() > UINT16_MAX) {
    return "has chains out of order";
  }
  for (const Chain& each : chains_) {
    if (!std::ranges::all_of(each, is_label)) return "names no label";
  }
  if (by_tag_.empty() || !fits(by_tag_, chains_.size()) || !fits(by_word_, chains_.size()) ||
      !fits({{"", for_unknown_}}, chains_.size())) {
    return "names no chain";
  }
  return {};
}

int Inventory::adjunction(const SpinalLabel& label) const {
  return place_of(adjunctions_, label);
}

int Inventory::chain(const Chain& chain) const {
  return place_of(chains_, chain);
}

std::vector<std::uint32_t> Inventory::chains_of(std::string_view word, std::string_view tag) const {
  const auto of_tag = by_tag_.find(tag);
  const auto of_word = by_word_.find(word);
  const auto& first = of_tag == by_tag_.end() ? for_unknown_ : of_tag->second;
  if (of_word == by_word_.end()) return first;
  std::vector<std::uint32_t> out;
  std::ranges::set_union(first, of_word->second, std::back_inserter(out));
  return out;
}

}  // namespace copse::spinal
