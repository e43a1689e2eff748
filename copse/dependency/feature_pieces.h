// The features of the parts of one sentence where keys are sums (part_features.h): what a position
// gives to the keys of all templates of a section is summed once, for each role that it can have,
//
//   piece(role, position, template) = sum over the template's atoms there of  r_i v_i
//
// and the key of a part's feature is the sum of its positions' pieces. Whether a template fires is
// one bit for each piece; those of a part are the bits that all of its positions have.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "copse/dependency/part_features.h"
#include "copse/model/key_buffer.h"

namespace copse {

// Scratch memory of one thread: filled for a sentence, then asked for its parts.
class FeaturePieces {
 public:
  // The features, which must have summed keys, and the atoms must outlive what is asked; only
  // sections that are needed may be asked for.
  void fill(const PartFeatures& features, const PositionAtoms& atoms,
            const std::array<bool, kTemplateSections>& needed);

  // An upper bound on the features of a part.
  std::size_t most(int section, const Part& part) const;
  // Writes the keys of all features of a part, in no particular order; where they end.
  FeatureKey* append(int section, const Part& part, FeatureKey* out);
  // Those of grand-sibling parts that differ in s alone: first all but s, then one s after the other.
  void begin_siblings(const Part& part);
  void append_sibling(int s, KeyBuffer& out);

 private:
  using Bits = SummedLayout::Bits;
  struct Section {
    const PartFeatures::Section* rows = nullptr;
    const SummedLayout* layout = nullptr;
    // [place][1 + position][row]; the seeds are part of h.
    std::array<std::vector<std::uint64_t>, kAtomPlaces> sums;
    std::array<std::vector<Bits>, kAtomPlaces> present;
  };
  // Of the words between a head and a modifier those that differ in an atom, for each atom that a
  // template looks at: they grow as the modifier moves away from its head.
  struct Between {
    int h = kNobody, m = kNobody;
    std::array<std::vector<int>, kPositionAtoms> words;
  };
  // What some positions of a part give to the key of a template.
  template <std::size_t kPositions>
  struct Sum {
    std::array<const std::uint64_t*, kPositions> pieces;
    std::uint64_t operator()(std::size_t row) const {
      std::uint64_t sum = 0;
      for (const std::uint64_t* const piece : pieces) sum += piece[row];
      return sum;
    }
  };

  static void fill(const PositionAtoms& atoms, AtomPlace place, Section& section);
  static int position(const Part& part, AtomPlace place) {
    const std::array<int, 5> positions{part.g, part.h, part.m, part.s, part.t};
    return positions[static_cast<std::size_t>(place)];
  }
  static const std::uint64_t* pieces_of(const Section& section, AtomPlace place, int position) {
    return section.sums[static_cast<std::size_t>(place)].data() +
           static_cast<std::size_t>(position + 1) * section.layout->width;
  }
  // Leaves of the bits those of the templates that the position lacks no atom of.
  static void require(const Section& section, AtomPlace place, int position, Bits* present);
  // The pieces of the first places of the section; present_ becomes the templates whose atoms there
  // are not absent.
  template <std::size_t kPositions>
  Sum<kPositions> join(const Section& section, const Part& part);
  // Adds the atoms of the part itself; false if one of them is absent.
  bool add_own(const Section& section, std::size_t row, FeatureKey& key) const;

  template <std::size_t kPositions>
  FeatureKey* append_part(const Section& section, const Part& part, FeatureKey* out);
  // All copies of the plain rows that `fires` says.
  template <class Row>
  FeatureKey* append_plain(const Section& section, const Bits* fires, Row sum,
                           FeatureKey* out) const;
  FeatureKey* append_copies(std::uint8_t copies, FeatureKey key, FeatureKey* out) const {
    return append_copies(copies, key, own_[static_cast<std::size_t>(PartAtom::direction)],
                         own_[static_cast<std::size_t>(PartAtom::distance)], out);
  }
  static FeatureKey* append_copies(std::uint8_t copies, FeatureKey key, AtomValue direction,
                                   AtomValue distance, FeatureKey* out);
  // The rows that run through a set.
  template <class Row>
  FeatureKey* append_each(const Section& section, const Bits* fires, const Part& part,
                          const Row& sum, FeatureKey* out);
  FeatureKey* append_between(const Section& section, std::size_t row, FeatureKey key,
                             const Part& part, FeatureKey* out) const;
  void look_between(const Part& part);
  void describe(const Part& part) {
    own_.fill(kAbsent);
    PartFeatures::describe(*atoms_, part, own_.data());
  }

  const PartFeatures* features_ = nullptr;
  const PositionAtoms* atoms_ = nullptr;
  std::array<Section, kTemplateSections> sections_;
  Between between_;
  // Of the part in hand; with begin_siblings() sums_ and present_ are of all but s.
  Part part_;
  std::array<AtomValue, kPartAtoms> own_{};
  std::vector<std::uint64_t> sums_;
  std::vector<Bits> present_, both_;
};

}  // namespace copse
