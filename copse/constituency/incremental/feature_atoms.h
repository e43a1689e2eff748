// Where the values of atoms stand while keys are made: for the files that read and use the tables.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "copse/constituency/incremental/contexts.h"
#include "copse/dependency/position_atoms.h"
#include "copse/model/templates.h"

namespace copse::incremental {

constexpr std::size_t place(int k) {
  return static_cast<std::size_t>(k);
}

// Where the values of atoms stand: labels, words of several roles with five atoms each, the rest,
// then the keys of the templates themselves.
enum LabelAtom : AtomSlot { kL00, kL10, kL01, kL02, kL03, kL20, kL11, kL30, kL21, kLabelAtoms };
inline constexpr std::array<std::string_view, kLabelAtoms> kLabelNames = {
    "L00", "L10", "L01", "L02", "L03", "L20", "L11", "L30", "L21"};
enum Role : AtomSlot { kLK, kLK1, kLK2, kW1, kCL, kLC, kUP, kFW, kCC, kRoles };
inline constexpr std::array<std::string_view, kRoles> kRoleNames = {"LK", "LK1", "LK2", "W1", "CL",
                                                                    "LC", "UP",  "FW",  "CC"};
inline constexpr std::array<std::string_view, 5> kWordNames = {"", "P", "K", "K4", "K6"};
inline constexpr std::array<PositionAtom, 5> kWordAtoms = {
    PositionAtom::lemma, PositionAtom::fine, PositionAtom::cluster, PositionAtom::cluster4,
    PositionAtom::cluster6};
inline constexpr AtomSlot kFirstRole = kLabelAtoms;
inline constexpr AtomSlot kP1 = kFirstRole + kRoles * AtomSlot{kWordAtoms.size()};
inline constexpr AtomSlot kP2 = kP1 + 1, kP3 = kP1 + 2, kLength = kP1 + 3, kAtoms = kP1 + 4;
constexpr AtomSlot slot_of(Role role, std::size_t atom) {
  return kFirstRole + role * AtomSlot{kWordAtoms.size()} + static_cast<AtomSlot>(atom);
}

// The field of each label atom; L00 is no field.
inline constexpr std::array<LabelId NodeContext::*, kLabelAtoms> kLabelFields = {
    nullptr,
    &NodeContext::label,
    &NodeContext::last,
    &NodeContext::last2,
    &NodeContext::last3,
    &NodeContext::up,
    &NodeContext::up_last,
    &NodeContext::upup,
    &NodeContext::upup_last};

// The fields of words that stand in contexts.
struct RoleFields {
  Role role;
  std::uint16_t NodeContext::*word;
  LabelId NodeContext::*tag;
};
inline constexpr std::array<RoleFields, 4> kRoleFields = {{
    {kCL, &NodeContext::head, &NodeContext::head_tag},
    {kLC, &NodeContext::child, &NodeContext::child_tag},
    {kUP, &NodeContext::over, &NodeContext::over_tag},
    {kFW, &NodeContext::first, &NodeContext::first_tag},
}};

// The atoms of a word in a role.
inline void put_word(AtomValue* values, Role role, const AtomValue* atoms) {
  for (std::size_t k = 0; k < kWordAtoms.size(); ++k) {
    values[place(slot_of(role, k))] = atoms[place(static_cast<int>(kWordAtoms[k]))];
  }
}

}  // namespace copse::incremental
