// The table of tree features, compiled: which lines are made for which unit of a rule.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "copse/model/templates.h"

namespace copse {

// What lines are made for; see data/tree.features.
enum class TreeUnit : std::uint8_t { rule, bigram, trigram, modifier, distance, pp };
inline constexpr std::size_t kTreeUnits = 6;

// Slots of atoms.
enum TreeAtom : AtomSlot {
  kParent,
  kGrandparent,
  kRule,
  kAbove,
  kSide,
  kNear,
  kNearWord,
  kFar,
  kFarWord,
  kFirst,
  kSecond,
  kThird,
  kHead,
  kHeadWord,
  kModifier,
  kAdjacent,
  kDistance,
  kPp,
  kPpWord,
  kObject,
  kObjectWord,
  kClosed,
  kTreeAtoms
};

struct TreeTemplates {
  // By unit; plain lines and those "when closed".
  std::array<std::vector<Template>, kTreeUnits> plain, closed;
};

// Throws data_error with file and line for a line that is wrong or mixes units.
TreeTemplates parse_tree_templates(std::string_view text, const std::string& file);

// The table without the lines that a name stands for (see TreeFeatureOptions). Throws usage_error
// when there is none.
std::string without_group(std::string_view table, std::string_view name);

}  // namespace copse
