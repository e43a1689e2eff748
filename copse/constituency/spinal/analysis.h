// A derivation in the numbers of the inventory, and the features of it: what is learnt from.
#pragma once

#include <compare>
#include <span>
#include <string>
#include <vector>

#include "copse/constituency/spinal/derivation.h"
#include "copse/constituency/spinal/features.h"
#include "copse/constituency/spinal/inventory.h"

namespace copse::spinal {

// [0] unused. Positions are kept for the tree; features do not look at them.
struct Analysis {
  std::vector<int> chain, head, adjunction, position;

  int words() const { return static_cast<int>(chain.size()) - 1; }
  bool has(const SpinalArc& arc) const {
    const auto m = static_cast<std::size_t>(arc.m);
    return head[m] == arc.h && adjunction[m] == arc.label;
  }
  bool operator==(const Analysis&) const = default;
};

// Of a derivation whose adjunctions and chains the inventory has.
Analysis analysis_of(const Derivation& derivation, const Inventory& inventory);
// With the tags of the words, all of which the inventory knows.
Derivation derivation_of(const Analysis& analysis, std::span<const std::string> tags,
                         const Inventory& inventory);
// Of what a search found.
Analysis analysis_of(const SpinalParts& parts, const SpinalDerivation& found);

// What an arc of an analysis is scored by: kNobody where there is none.
struct ArcContext {
  int sibling = kNobody;                // the modifier of the same head just before, on that side
  int left = kNobody, right = kNobody;  // the modifier's own outermost ones
  int begin = 0, end = 0;               // of the modifier's tree
  bool operator==(const ArcContext&) const = default;
};
// By word, [0] of nothing.
std::vector<ArcContext> contexts_of(const Analysis& analysis);

// Words that are adjoined elsewhere or otherwise.
std::size_t wrong_adjunctions(const Analysis& found, const Analysis& gold);

// What an analysis in the numbers of an inventory is scored by, in the order of comes_before().
std::vector<RolePart> parts_of(const Analysis& analysis, const Inventory& inventory,
                               bool second_order);
// Those of a that b has not.
std::vector<RolePart> only_in(std::span<const RolePart> a, std::span<const RolePart> b);

// How often a key occurs with a label of Features.
struct KeyPlace {
  FeatureKey key = 0;
  Label label = 0;
  auto operator<=>(const KeyPlace&) const = default;  // NOLINT(modernize-use-nullptr): false alarm
};
struct KeyCount {
  KeyPlace place;
  float count = 0;
};
// f(gold) - f(found), each once and none with 0; parts that both have are passed over.
std::vector<KeyCount> feature_difference(const Features& features, const Inventory& inventory,
                                         const PositionAtoms& atoms, const Analysis& gold,
                                         const Analysis& found, bool second_order);

}  // namespace copse::spinal
