// The feature templates of a parser, as a table that can be read beside the papers:
//
//   [dep]                                    the parts that the lines below describe
//   copies = alone dir dist                  every template as it is, with the direction of the
//                                            arc, and with direction and distance
//   pair          = h.w m.w                  the forms of head and modifier
//   between       = h.T b.T m.T              one feature for each different tag between them
//   around-right  = h.T h+1.T m-1.T m.T      neighbours, up to two words away
//   agreement     = h.c m.c agree            one for each attribute compared
//   coordination  = g.w m.w   when s.cc      only where the sibling is a conjunction
//
// Sections: dep sib grand gsib tsib stop label. Positions: g h m s t as in inference/part.h, and b
// for each word between h and m (dep and label). Their atoms: position_atoms.h; .T stands for .t in
// one copy of the template and for .c in another. Sets, one feature for each member: h.attr,
// m.attr, b, agree. Of the part itself: dir, dist, verbs, commas, conjunctions (how many stand
// between).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "copse/inference/part.h"
#include "copse/model/feature_key.h"

namespace copse {

// The families of inference/part.h, and labels of arcs.
inline constexpr int kTemplateSections = kPartFamilies + 1;
inline constexpr int kLabelSection = kPartFamilies;

enum class PartAtom : int { direction, distance, verbs, commas, conjunctions, each };
inline constexpr int kPartAtoms = static_cast<int>(PartAtom::each) + 1;

// Whose atoms a template may join.
enum class AtomPlace : std::uint8_t { g, h, m, s, t, between, part };
inline constexpr int kAtomPlaces = 7;

// The set that a template runs through.
enum class EachOf : std::uint8_t {
  nothing,
  word_between,  // words that look the same to the template count once
  head_attribute,
  modifier_attribute,
  agreement
};

struct PartTemplate {
  struct Atom {
    AtomPlace place = AtomPlace::part;
    std::int16_t offset = 0;  // from the atoms of that place
  };
  std::string name;
  std::uint64_t seed = 0;  // of the name
  std::vector<Atom> atoms;
  std::vector<Atom> guards;
  EachOf each = EachOf::nothing;
  bool alone = true, with_direction = false, with_distance = false;
};

struct PartTemplates {
  std::array<std::vector<PartTemplate>, kTemplateSections> sections;

  const std::vector<PartTemplate>& of(PartFamily family) const {
    return sections[static_cast<std::size_t>(family)];
  }
  const std::vector<PartTemplate>& labels() const { return sections[kLabelSection]; }
};

// Throws data_error with file and line for anything that is not as above.
PartTemplates parse_part_templates(std::string_view text, const std::string& file);

// "dep", "label"
std::string name_of_section(int section);

}  // namespace copse
