// The features of the parts of one sentence where keys are sums (part_features.h): what a position
// gives to the keys of all templates of a section is summed once, for each role that it can have,
//
//   piece(role, position, template) = sum over the template's atoms there of  r_i v_i
//
// and the key of a part's feature is the sum of its positions' pieces. Whether a template fires is
// one bit for each piece; those of a part are the bits that all of its positions have.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "copse/dependency/part_features.h"

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
  // Those of grand-sibling parts that differ in s alone: visit(number of the sibling, key).
  template <class Visit>
  void for_each_sibling(Part part, std::span<const int> siblings, Visit&& visit);

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

  static void fill(const PositionAtoms& atoms, AtomPlace place, Section& section);
  // Sums and bits of a part, but for what `without` would give.
  void gather(const Section& section, const Part& part, AtomPlace without);
  void look_between(const Part& part);
  // sum(row) for every plain row that fires.
  template <class Sum>
  FeatureKey* append_plain(const Section& section, const Bits* present, const Sum& sum,
                           FeatureKey* out) const;
  FeatureKey* append_each(const Section& section, const Part& part, FeatureKey* out);
  FeatureKey* append_between(const Section& section, std::size_t row, const Part& part,
                             FeatureKey* out) const;
  FeatureKey* append_copies(const PartFeatures::Row& row, FeatureKey key, FeatureKey* out) const;
  static int position(const Part& part, AtomPlace place) {
    const std::array<int, 5> positions{part.g, part.h, part.m, part.s, part.t};
    return positions[static_cast<std::size_t>(place)];
  }

  const PartFeatures* features_ = nullptr;
  const PositionAtoms* atoms_ = nullptr;
  std::array<Section, kTemplateSections> sections_;
  Between between_;
  // Of the part in hand.
  std::array<AtomValue, kPartAtoms> own_{};
  std::vector<std::uint64_t> sums_;
  std::vector<Bits> present_, both_;
  std::vector<FeatureKey> keys_;
};

template <class Sum>
FeatureKey* FeaturePieces::append_plain(const Section& section, const Bits* present, const Sum& sum,
                                        FeatureKey* out) const {
  const auto each = [&](const std::vector<Bits>& copies, auto&& finish) {
    for (std::size_t w = 0; w < section.layout->words; ++w) {
      for (Bits bits = present[w] & copies[w]; bits != 0; bits &= bits - 1) {
        *out++ = finish(sum(64 * w + static_cast<std::size_t>(std::countr_zero(bits))));
      }
    }
  };
  const AtomValue direction = own_[static_cast<std::size_t>(PartAtom::direction)];
  const AtomValue distance = own_[static_cast<std::size_t>(PartAtom::distance)];
  constexpr KeyScheme kSummed = KeyScheme::summed;
  const auto directed = [&](FeatureKey key) {
    return PartFeatures::with_direction(kSummed, key, direction);
  };
  each(section.layout->copies[0], [](FeatureKey key) { return key; });
  each(section.layout->copies[1], directed);
  each(section.layout->copies[2], [&](FeatureKey key) {
    return PartFeatures::with_distance(kSummed, directed(key), distance);
  });
  return out;
}

template <class Visit>
void FeaturePieces::for_each_sibling(Part part, std::span<const int> siblings, Visit&& visit) {
  const Section& section = sections_[static_cast<std::size_t>(PartFamily::gsib)];
  if (section.layout->all == 0) return;
  own_.fill(kAbsent);
  PartFeatures::describe(*atoms_, part, own_.data());
  gather(section, part, AtomPlace::s);
  const auto s = static_cast<std::size_t>(AtomPlace::s);
  for (std::size_t k = 0; k < siblings.size(); ++k) {
    const auto at = static_cast<std::size_t>(siblings[k] + 1);
    const Bits* const there = section.present[s].data() + at * section.layout->words;
    for (std::size_t w = 0; w < section.layout->words; ++w) both_[w] = present_[w] & there[w];
    const std::uint64_t* const pieces = section.sums[s].data() + at * section.layout->width;
    keys_.resize(most(static_cast<int>(PartFamily::gsib), part));
    FeatureKey* end = append_plain(
        section, both_.data(), [&](std::size_t row) { return sums_[row] + pieces[row]; },
        keys_.data());
    for (const FeatureKey* key = keys_.data(); key != end; ++key) visit(k, *key);
  }
  if (section.layout->plain == section.layout->all) return;
  for (std::size_t k = 0; k < siblings.size(); ++k) {
    part.s = siblings[k];
    gather(section, part, AtomPlace::part);
    const FeatureKey* const end = append_each(section, part, keys_.data());
    for (const FeatureKey* key = keys_.data(); key != end; ++key) visit(k, *key);
  }
}

}  // namespace copse
