// The features of the parts of a sentence: templates applied to atoms, each feature a 64-bit key,
// made of the template's seed and the values v_1 .. v_k of its atoms in one of two ways:
//
//   chained   join(.. join(join(seed, v_1), v_2) .., v_k)       one after the other
//   summed    seed + r_1 v_1 + .. + r_k v_k  mod 2^64           r_i odd, of the template (multilinear
//             hashing; Carter & Wegman 1979): what one position gives to a key is a number of its
//             own, summed once for all parts it is in (feature_pieces.h)
//
// A model says which it has: keys of one kind are not those of the other.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "copse/dependency/part_templates.h"
#include "copse/dependency/position_atoms.h"
#include "copse/inference/part.h"
#include "copse/model/feature_key.h"

namespace copse {

// Which of the copies of a template a feature is.
enum class FeatureCopy : std::uint8_t { alone, direction, distance };

// Distances of McDonald et al. 2005: 1 2 3 4 5 6-10 11+; one more step for very long arcs.
inline constexpr std::size_t kDistanceBins = 8;
inline int distance_bin(int distance) {
  if (distance <= 5) return distance;
  if (distance <= 10) return 6;
  return distance <= 20 ? 7 : 8;
}
// Of words between: 0 1 2 3+.
inline int count_bin(int count) {
  return std::min(count, 3);
}

enum class KeyScheme : std::uint8_t { chained, summed };

// How the templates of a section are worked on where keys are sums (feature_pieces.h): all in one
// row, first those that run through no set.
struct SummedLayout {
  using Bits = std::uint64_t;
  // An atom of the part itself.
  struct Own {
    PartAtom atom;
    std::uint64_t factor;  // 0: a condition
  };
  // An atom of a position, in the row of its template.
  struct Placed {
    std::uint32_t row;
    std::int32_t offset;
    std::uint64_t factor;
  };
  // The templates that do not fire where a position lacks an atom.
  struct Need {
    std::int32_t offset;
    std::vector<Bits> rows;
  };
  // Templates without a set that have the same copies (bits: alone, direction, distance).
  struct Copies {
    std::uint8_t copies;
    std::vector<Bits> rows;
  };
  // Templates are summed four at a time: `width` is a multiple of that.
  static constexpr std::size_t kLanes = 4;
  std::size_t plain = 0, all = 0, width = 0;  // templates without a set; all; with what fills up
  std::size_t words = 0;                      // of bits, one for each template
  std::vector<std::uint64_t> seeds;
  std::array<std::vector<Placed>, kAtomPlaces> placed;
  std::array<std::vector<Need>, kAtomPlaces> needs;
  std::vector<AtomPlace> places;  // the positions of a part
  // By template; and which of those without a set have any.
  std::vector<std::vector<Own>> own;
  std::vector<std::uint32_t> owning;
  std::vector<Bits> owning_bits;
  std::vector<Copies> copies;
  std::vector<std::uint64_t> member_factors;  // of those that run through a set
};

class PartFeatures {
 public:
  PartFeatures() = default;
  explicit PartFeatures(PartTemplates templates, KeyScheme scheme = KeyScheme::chained);

  const PartTemplates& templates() const { return templates_; }
  KeyScheme scheme() const { return scheme_; }

  // visit(key, template number, FeatureCopy) for every feature of a part, in a fixed order.
  template <class Visit>
  void for_each(const PositionAtoms& atoms, const Part& part, Visit&& visit) const {
    for_each_member(
        static_cast<int>(part.family), atoms, part,
        [&](FeatureKey key, int number, FeatureCopy copy, int) { visit(key, number, copy); });
  }
  // Those of a grand-sibling part whose s each of `siblings` (rows of PositionAtoms::at) is in turn:
  // visit(number of the sibling, key). What does not look at s is joined once for all of them.
  template <class Visit>
  void for_each_sibling(const PositionAtoms& atoms, const Part& part,
                        std::span<const AtomValue* const> siblings, Visit&& visit) const;
  // The features that are joined with the label of an arc.
  template <class Visit>
  void for_each_of_label(const PositionAtoms& atoms, int h, int m, Visit&& visit) const {
    for_each_member(
        kLabelSection, atoms, Part{.h = h, .m = m},
        [&](FeatureKey key, int number, FeatureCopy copy, int) { visit(key, number, copy); });
  }
  // The same for any section of the table: visit(key, template number, FeatureCopy, member). The
  // member of the set that the template runs through: the word b, or its place in the list of
  // attributes; 0 if there is no set.
  template <class Visit>
  void for_each_member(int section, const PositionAtoms& atoms, const Part& part,
                       Visit&& visit) const {
    apply(compiled_[static_cast<std::size_t>(section)], atoms, part, visit);
  }

  // What an atom of the part itself stands for, in words: "right", "right:6-10", "2". The members
  // of sets have their own text.
  static std::string text_of(PartAtom atom, const PositionAtoms& atoms, const Part& part);

 private:
  // Templates laid out flat for the inner loop.
  struct Row {
    FeatureKey seed;
    std::uint16_t number;  // in the table
    std::uint8_t atoms, guards;
    EachOf each;
    std::uint8_t copies;  // bits: alone, direction, distance
    KeyScheme scheme;
    std::uint8_t before_s;  // how many atoms come before the first one of s
    std::int8_t between;    // the only atom of the word between that it looks at; -1: several
    std::uint32_t first;    // of its atoms, then its guards
  };
  struct Section {
    std::vector<Row> plain, each;
    std::vector<PartTemplate::Atom> atoms;
    std::vector<std::uint64_t> factors;  // of the atoms, where keys are sums
    SummedLayout layout;                 // likewise
  };
  using Places = std::array<const AtomValue*, kAtomPlaces>;
  friend class FeaturePieces;

  static SummedLayout lay_out_sums(const Section& section);
  // Of the template of row k.
  static void lay_out_atoms(const Section& section, const Row& row, std::size_t k,
                            SummedLayout& out);
  static Section lay_out(const std::vector<PartTemplate>& rows, KeyScheme scheme);
  static FeatureKey join_atoms(const Section& section, const Row& row, FeatureKey key,
                               const PartTemplate::Atom* atom, const PartTemplate::Atom* end,
                               const Places& places) {
    const std::uint64_t* factor = section.factors.data() + (atom - section.atoms.data());
    for (; atom != end; ++atom, ++factor) {
      const AtomValue value = places[static_cast<std::size_t>(atom->place)][atom->offset];
      if (value == kAbsent) return kAbsent;
      key = row.scheme == KeyScheme::summed ? key + *factor * value : join(key, value);
    }
    return key;
  }
  static FeatureKey key_of(const Section& section, const Row& row, const Places& places) {
    const PartTemplate::Atom* atom = section.atoms.data() + row.first;
    const FeatureKey key = join_atoms(section, row, row.seed, atom, atom + row.atoms, places);
    if (key == kAbsent) return kAbsent;
    atom += row.atoms;
    for (const PartTemplate::Atom* const end = atom + row.guards; atom != end; ++atom) {
      if (places[static_cast<std::size_t>(atom->place)][atom->offset] == kAbsent) return kAbsent;
    }
    return key;
  }
  // The copies with a direction and with a distance are looked up together, so they lie together:
  // the distance changes the low half alone, as copy_of() does.
  static FeatureKey with_direction(KeyScheme scheme, FeatureKey key, AtomValue direction) {
    return scheme == KeyScheme::summed ? key + direction : join(key, direction);
  }
  static FeatureKey with_distance(KeyScheme scheme, FeatureKey directed, AtomValue distance) {
    return scheme == KeyScheme::summed ? directed ^ (distance >> 32) : copy_of(directed, distance);
  }
  template <class Visit>
  static void visit_copies(const Row& row, FeatureKey key, const AtomValue* part, int member,
                           Visit&& visit) {
    if (key == kAbsent) return;
    if ((row.copies & 1U) != 0) visit(key, row.number, FeatureCopy::alone, member);
    if ((row.copies & 6U) == 0) return;
    const FeatureKey directed =
        with_direction(row.scheme, key, part[static_cast<int>(PartAtom::direction)]);
    if ((row.copies & 2U) != 0) visit(directed, row.number, FeatureCopy::direction, member);
    if ((row.copies & 4U) != 0) {
      visit(with_distance(row.scheme, directed, part[static_cast<int>(PartAtom::distance)]),
            row.number, FeatureCopy::distance, member);
    }
  }
  // The part's own atoms.
  static void describe(const PositionAtoms& atoms, const Part& part, AtomValue* out);
  // The values that PartAtom::each takes in turn; how many there are.
  static std::size_t members(EachOf each, const PositionAtoms& atoms, const Part& part,
                             std::span<AtomValue> values);

  // Whether a word after `low` and before b looks the same to the template.
  static bool is_repeated(const Section& section, const Row& row, const PositionAtoms& atoms, int b,
                          int low) {
    if (row.between >= 0) {
      return atoms.same_before(b, static_cast<PositionAtom>(row.between)) > low;
    }
    for (int other = b - 1; other > low; --other) {
      if (looks_same(section, row, atoms.at(b), atoms.at(other))) return true;
    }
    return false;
  }
  static bool looks_same(const Section& section, const Row& row, const AtomValue* a,
                         const AtomValue* b);

  template <class Visit>
  static void apply(const Section& section, const PositionAtoms& atoms, const Part& part,
                    Visit&& visit) {
    std::array<AtomValue, kPartAtoms> own{};
    describe(atoms, part, own.data());
    Places places{atoms.at(part.g), atoms.at(part.h), atoms.at(part.m), atoms.at(part.s),
                  atoms.at(part.t), nullptr,          own.data()};
    for (const Row& row : section.plain) {
      visit_copies(row, key_of(section, row, places), own.data(), 0, visit);
    }
    if (section.each.empty()) return;
    apply_each(section, atoms, part, places, own, visit);
  }
  template <class Visit>
  static void apply_each(const Section& section, const PositionAtoms& atoms, const Part& part,
                         Places places, std::array<AtomValue, kPartAtoms>& own, Visit&& visit) {
    std::array<AtomValue, PositionAtoms::kMostAttributes> values{};
    std::size_t size = 0;
    EachOf last = EachOf::nothing;
    for (const Row& row : section.each) {
      if (row.each == EachOf::word_between) {
        const int low = std::min(part.h, part.m);
        const int high = std::max(part.h, part.m);
        for (int b = low + 1; b < high; ++b) {
          if (is_repeated(section, row, atoms, b, low)) continue;
          places[static_cast<std::size_t>(AtomPlace::between)] = atoms.at(b);
          visit_copies(row, key_of(section, row, places), own.data(), b, visit);
        }
        continue;
      }
      if (row.each != last) size = members(last = row.each, atoms, part, values);
      for (std::size_t k = 0; k < size; ++k) {
        own[static_cast<std::size_t>(PartAtom::each)] = values[k];
        visit_copies(row, key_of(section, row, places), own.data(), static_cast<int>(k), visit);
      }
    }
  }

  PartTemplates templates_;
  KeyScheme scheme_ = KeyScheme::chained;
  std::array<Section, kTemplateSections> compiled_;
  std::vector<std::size_t> between_atoms_;  // of words between, each alone in its template
};

template <class Visit>
void PartFeatures::for_each_sibling(const PositionAtoms& atoms, const Part& part,
                                    std::span<const AtomValue* const> siblings,
                                    Visit&& visit) const {
  const Section& section = compiled_[static_cast<std::size_t>(PartFamily::gsib)];
  std::array<AtomValue, kPartAtoms> own{};
  describe(atoms, part, own.data());
  Places places{atoms.at(part.g), atoms.at(part.h), atoms.at(part.m), nullptr,
                atoms.at(part.t), nullptr,          own.data()};
  const AtomValue*& s = places[static_cast<std::size_t>(AtomPlace::s)];
  for (const Row& row : section.plain) {
    const PartTemplate::Atom* const first = section.atoms.data() + row.first;
    const PartTemplate::Atom* const rest = first + row.before_s;
    const PartTemplate::Atom* const guards = first + row.atoms;
    const FeatureKey shared = join_atoms(section, row, row.seed, first, rest, places);
    if (shared == kAbsent) continue;
    for (std::size_t k = 0; k < siblings.size(); ++k) {
      s = siblings[k];
      FeatureKey key = join_atoms(section, row, shared, rest, guards, places);
      for (const PartTemplate::Atom* guard = guards; guard != guards + row.guards; ++guard) {
        if (places[static_cast<std::size_t>(guard->place)][guard->offset] == kAbsent) key = kAbsent;
      }
      visit_copies(row, key, own.data(), 0,
                   [&](FeatureKey each, int, FeatureCopy, int) { visit(k, each); });
    }
  }
  if (section.each.empty()) return;
  for (std::size_t k = 0; k < siblings.size(); ++k) {
    s = siblings[k];
    apply_each(section, atoms, part, places, own,
               [&](FeatureKey key, int, FeatureCopy, int) { visit(k, key); });
  }
}

}  // namespace copse
