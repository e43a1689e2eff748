// What training has seen: the labels of trees, the kinds of adjunction <X,Y,Z> with their rise, the
// chains of phrases of spines, and which chains a word may have by its tag and by itself.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/base/symbols.h"
#include "copse/constituency/spinal/derivation.h"
#include "copse/inference/spinal_parts.h"

namespace copse::spinal {

using Chain = std::vector<LabelId>;

// Rows of numbers by key, as they are saved: keys ascend.
using ChainLists = std::map<std::string, std::vector<std::uint32_t>, std::less<>>;

class Inventory {
 public:
  static constexpr int kLeastCount = 2;        // of a chain with a tag
  static constexpr int kLeastForUnknown = 10;  // of a chain, for words whose tag is new

  Inventory() = default;
  // words[i] are those of derivations[i].
  Inventory(Symbols labels, std::span<const Derivation> derivations,
            std::span<const std::vector<std::string>> words);
  // As saved. Everything must fit: see check().
  Inventory(Symbols labels, std::vector<SpinalLabel> adjunctions, std::vector<Chain> chains,
            ChainLists by_tag, ChainLists by_word, std::vector<std::uint32_t> for_unknown);
  // What does not fit, in words; empty if all does.
  std::string check() const;

  const Symbols& labels() const { return labels_; }
  const std::vector<SpinalLabel>& adjunctions() const { return adjunctions_; }
  const std::vector<Chain>& chains() const { return chains_; }
  const ChainLists& by_tag() const { return by_tag_; }
  const ChainLists& by_word() const { return by_word_; }
  const std::vector<std::uint32_t>& for_unknown() const { return for_unknown_; }

  // -1 for what was never seen.
  int adjunction(const SpinalLabel& label) const;
  int chain(const Chain& chain) const;

  bool knows_tag(std::string_view tag) const { return by_tag_.find(tag) != by_tag_.end(); }
  // The chains of a word, ascending; never empty.
  std::vector<std::uint32_t> chains_of(std::string_view word, std::string_view tag) const;

 private:
  Symbols labels_;
  std::vector<SpinalLabel> adjunctions_;  // ascending
  std::vector<Chain> chains_;             // ascending
  ChainLists by_tag_, by_word_;
  std::vector<std::uint32_t> for_unknown_;
};

}  // namespace copse::spinal
