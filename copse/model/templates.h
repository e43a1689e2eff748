// Feature templates as data. One template per line, a name and the atoms it joins:
//
//   # what the word and its left neighbour look like
//   word            = w[0]
//   word-pair       = w[-1] w[0]
//   prefix-1        = pre1[0]           when rare[0]
//
// "when" names atoms that must be there but do not enter the key. What an atom is called and where
// its value stands is the affair of the room that owns the table (see AtomNames). The name of a
// template, not its position, makes its keys: lines may be moved, added and removed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/model/feature_key.h"

namespace copse {

// Where an atom's value stands relative to the position that features are made for.
using AtomSlot = std::int32_t;

struct Template {
  std::string name;
  std::uint64_t seed = 0;  // of the name
  std::vector<AtomSlot> atoms;
  std::vector<AtomSlot> guards;
};

// The slot of an atom by its name; nothing if there is no such atom.
using AtomNames = std::function<std::optional<AtomSlot>(std::string_view)>;

// Throws data_error with file and line for a malformed line, an unknown atom or a name used twice.
std::vector<Template> parse_templates(std::string_view text, const std::string& file,
                                      const AtomNames& names);

// The key of a template over atom values `origin[slot]`; kAbsent when it does not fire.
inline FeatureKey key_of(const Template& row, const AtomValue* origin) {
  for (const AtomSlot guard : row.guards) {
    if (origin[guard] == kAbsent) return kAbsent;
  }
  FeatureKey key = row.seed;
  for (const AtomSlot atom : row.atoms) {
    if (origin[atom] == kAbsent) return kAbsent;
    key = join(key, origin[atom]);
  }
  return key;
}

}  // namespace copse
