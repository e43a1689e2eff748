// The table of features of hidden values, compiled: which lines are made for what.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "copse/model/templates.h"

namespace copse::hidden {

// What lines are made for; see data/hidden.features.
enum class Unit : std::uint8_t { word, head_rule, mod_rule, edge };
inline constexpr std::size_t kUnits = 4;

// Slots of atoms.
enum Atom : AtomSlot {
  kUpper,  // u
  kLower,  // v
  kWord,
  kPos,
  kHighest,
  kUp,
  kDown,
  kHeadRule,
  kModRule,
  kAbove,
  kFirst,
  kSecond,
  kParent,
  kSide,
  kAdjacent,
  kCc,
  kPairRule,
  kChain,
  kAtoms
};

using Frame = std::array<AtomValue, kAtoms>;
using TextFrame = std::array<std::string, kAtoms>;

using Templates = std::array<std::vector<Template>, kUnits>;

// Throws data_error with file and line for a line that is wrong, mixes units or lacks v.
Templates parse_hidden_templates(std::string_view text, const std::string& file);
// The built-in table.
std::string_view hidden_template_table();

}  // namespace copse::hidden
