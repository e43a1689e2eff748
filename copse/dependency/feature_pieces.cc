#include "copse/dependency/feature_pieces.h"

#include <algorithm>
#include <type_traits>

namespace copse {
namespace {

constexpr std::size_t at(AtomPlace place) {
  return static_cast<std::size_t>(place);
}

}  // namespace

void FeaturePieces::fill(const PartFeatures& features, const PositionAtoms& atoms,
                         const std::array<bool, kTemplateSections>& needed) {
  features_ = &features;
  atoms_ = &atoms;
  between_.h = kNobody;
  for (std::size_t k = 0; k < sections_.size(); ++k) {
    Section& section = sections_[k];
    section.rows = &features.compiled_[k];
    section.layout = &section.rows->layout;
    if (section.layout->all == 0 || !needed[k]) continue;
    for (const AtomPlace place : section.layout->places) fill(atoms, place, section);
    if (section.layout->plain < section.layout->all) fill(atoms, AtomPlace::between, section);
  }
}

void FeaturePieces::fill(const PositionAtoms& atoms, AtomPlace place, Section& section) {
  const SummedLayout& layout = *section.layout;
  const auto positions = static_cast<std::size_t>(atoms.words()) + 2;
  auto& sums = section.sums[at(place)];
  auto& present = section.present[at(place)];
  sums.assign(positions * layout.width, 0);
  present.assign(positions * layout.words, ~Bits{0});
  for (std::size_t p = 0; p < positions; ++p) {
    const AtomValue* const values = atoms.at(static_cast<int>(p) - 1);
    std::uint64_t* const sum = sums.data() + p * layout.width;
    Bits* const bits = present.data() + p * layout.words;
    if (place == AtomPlace::h) std::copy(layout.seeds.begin(), layout.seeds.end(), sum);
    for (const auto& [row, offset, factor] : layout.placed[at(place)]) {
      sum[row] += factor * values[offset];
    }
    for (const auto& [offset, rows] : layout.needs[at(place)]) {
      if (values[offset] != kAbsent) continue;
      for (std::size_t w = 0; w < layout.words; ++w) bits[w] &= ~rows[w];
    }
  }
}

template <std::size_t kPositions>
FeaturePieces::Sum<kPositions> FeaturePieces::join(const Section& section, const Part& part) {
  const SummedLayout& layout = *section.layout;
  present_.assign(layout.words, ~Bits{0});
  both_.resize(layout.words);
  Sum<kPositions> out;
  for (std::size_t k = 0; k < kPositions; ++k) {
    const AtomPlace place = layout.places[k];
    out.pieces[k] = pieces_of(section, place, position(part, place));
    require(section, place, position(part, place), present_.data());
  }
  return out;
}

void FeaturePieces::require(const Section& section, AtomPlace place, int position, Bits* present) {
  const std::size_t words = section.layout->words;
  const Bits* const there = section.present[static_cast<std::size_t>(place)].data() +
                            static_cast<std::size_t>(position + 1) * words;
  for (std::size_t w = 0; w < words; ++w) present[w] &= there[w];
}

inline FeatureKey* FeaturePieces::append_copies(std::uint8_t copies, FeatureKey key,
                                                AtomValue direction, AtomValue distance,
                                                FeatureKey* out) {
  constexpr KeyScheme kSummed = KeyScheme::summed;
  if ((copies & 1U) != 0) *out++ = key;
  const FeatureKey directed = PartFeatures::with_direction(kSummed, key, direction);
  if ((copies & 2U) != 0) *out++ = directed;
  if ((copies & 4U) != 0) *out++ = PartFeatures::with_distance(kSummed, directed, distance);
  return out;
}

template <class Row>
FeatureKey* FeaturePieces::append_plain(const Section& section, const Bits* fires, Row sum,
                                        FeatureKey* out) const {
  const AtomValue direction = own_[static_cast<std::size_t>(PartAtom::direction)];
  const AtomValue distance = own_[static_cast<std::size_t>(PartAtom::distance)];
  for (const auto& [copies, rows] : section.layout->copies) {
    for (std::size_t w = 0; w < section.layout->words; ++w) {
      const auto each = [&](auto which) {
        for (Bits bits = fires[w] & rows[w]; bits != 0; bits &= bits - 1) {
          const auto row = 64 * w + static_cast<std::size_t>(__builtin_ctzll(bits));
          out = append_copies(which, sum(row), direction, distance, out);
        }
      };
      // The usual ones have loops of their own.
      if (copies == 2) {
        each(std::integral_constant<std::uint8_t, 2>());
      } else if (copies == 6) {
        each(std::integral_constant<std::uint8_t, 6>());
      } else {
        each(copies);
      }
    }
  }
  return out;
}

bool FeaturePieces::add_own(const Section& section, std::size_t row, FeatureKey& key) const {
  bool has_all = true;
  for (const auto& [atom, factor] : section.layout->own[row]) {
    const AtomValue value = own_[static_cast<std::size_t>(atom)];
    has_all = has_all && value != kAbsent;
    key += factor * value;
  }
  return has_all;
}

std::size_t FeaturePieces::most(int section, const Part& part) const {
  const Section& of = sections_[static_cast<std::size_t>(section)];
  const auto between = static_cast<std::size_t>(part.m < 0 ? 0 : std::abs(part.h - part.m));
  const std::size_t members = std::max<std::size_t>(between, PositionAtoms::kMostAttributes);
  return 3 * (of.layout->plain + (of.layout->all - of.layout->plain) * members);
}

FeatureKey* FeaturePieces::append(int section, const Part& part, FeatureKey* out) {
  const Section& of = sections_[static_cast<std::size_t>(section)];
  if (of.layout->all == 0) return out;
  switch (of.layout->places.size()) {
    case 2:
      return append_part<2>(of, part, out);
    case 3:
      return append_part<3>(of, part, out);
    default:
      return append_part<4>(of, part, out);
  }
}

template <std::size_t kPositions>
FeatureKey* FeaturePieces::append_part(const Section& section, const Part& part, FeatureKey* out) {
  const SummedLayout& layout = *section.layout;
  describe(part);
  const Sum<kPositions> sum = join<kPositions>(section, part);
  for (std::size_t w = 0; w < layout.words; ++w) both_[w] = present_[w] & ~layout.owning_bits[w];
  out = append_plain(section, both_.data(), sum, out);
  for (const std::uint32_t row : layout.owning) {
    FeatureKey key = sum(row);
    const bool fires = (present_[row / 64] >> (row % 64) & 1U) != 0 && add_own(section, row, key);
    if (fires) out = append_copies(section.rows->plain[row].copies, key, out);
  }
  return layout.plain < layout.all ? append_each(section, present_.data(), part, sum, out) : out;
}

template <class Row>
FeatureKey* FeaturePieces::append_each(const Section& section, const Bits* fires, const Part& part,
                                       const Row& sum, FeatureKey* out) {
  const SummedLayout& layout = *section.layout;
  std::array<AtomValue, PositionAtoms::kMostAttributes> values{};
  std::size_t size = 0;
  EachOf last = EachOf::nothing;
  for (std::size_t e = 0; e < layout.all - layout.plain; ++e) {
    const std::size_t row = layout.plain + e;
    FeatureKey key = sum(row);
    if ((fires[row / 64] >> (row % 64) & 1U) == 0 || !add_own(section, row, key)) continue;
    const PartFeatures::Row& of = section.rows->each[e];
    if (of.each == EachOf::word_between) {
      look_between(part);
      out = append_between(section, row, key, part, out);
      continue;
    }
    if (of.each != last) size = PartFeatures::members(last = of.each, *atoms_, part, values);
    for (std::size_t k = 0; k < size; ++k) {
      out = append_copies(of.copies, key + layout.member_factors[e] * values[k], out);
    }
  }
  return out;
}

void FeaturePieces::begin_siblings(const Part& part) {
  const Section& section = sections_[static_cast<std::size_t>(PartFamily::gsib)];
  const SummedLayout& layout = *section.layout;
  if (layout.all == 0) return;
  part_ = part;
  describe(part);
  const Sum<3> sum = join<3>(section, part);
  sums_.resize(layout.width);
  for (std::size_t row = 0; row < layout.width; ++row) sums_[row] = sum(row);
  for (const std::uint32_t row : layout.owning) {
    if (!add_own(section, row, sums_[row])) present_[row / 64] &= ~(Bits{1} << (row % 64));
  }
}

void FeaturePieces::append_sibling(int s, KeyBuffer& out) {
  constexpr auto kSection = static_cast<int>(PartFamily::gsib);
  const Section& section = sections_[kSection];
  if (section.layout->all == 0) return;
  part_.s = s;
  std::copy(present_.begin(), present_.end(), both_.begin());
  require(section, AtomPlace::s, s, both_.data());
  const auto sum = [sums = sums_.data(), pieces = pieces_of(section, AtomPlace::s, s)](
                       std::size_t row) { return sums[row] + pieces[row]; };
  FeatureKey* const room = out.room_for(most(kSection, part_));
  FeatureKey* end = append_plain(section, both_.data(), sum, room);
  if (section.layout->plain < section.layout->all) {
    end = append_each(section, both_.data(), part_, sum, end);
  }
  out.end_at(end);
}

FeatureKey* FeaturePieces::append_between(const Section& section, std::size_t row, FeatureKey key,
                                          const Part& part, FeatureKey* out) const {
  const PartFeatures::Row& of = section.rows->each[row - section.layout->plain];
  const std::size_t words = section.layout->words;
  const Bits* const present = section.present[at(AtomPlace::between)].data() + row / 64;
  const auto take = [&](int b) {
    if ((present[(static_cast<std::size_t>(b) + 1) * words] >> (row % 64) & 1U) == 0) return;
    const std::uint64_t piece = pieces_of(section, AtomPlace::between, b)[row];
    out = append_copies(of.copies, key + piece, out);
  };
  if (of.between >= 0) {
    for (const int b : between_.words[static_cast<std::size_t>(of.between)]) take(b);
    return out;
  }
  const auto [low, high] = std::minmax(part.h, part.m);
  for (int b = low + 1; b < high; ++b) {
    if (!PartFeatures::is_repeated(*section.rows, of, *atoms_, b, low)) take(b);
  }
  return out;
}

void FeaturePieces::look_between(const Part& part) {
  const int step = part.m > part.h ? 1 : -1;
  const bool goes_on =
      between_.h == part.h && (between_.m - part.h) * step > 0 && (part.m - between_.m) * step >= 0;
  if (!goes_on) {
    between_.h = part.h;
    between_.m = part.h + step;
    for (const std::size_t atom : features_->between_atoms_) between_.words[atom].clear();
  }
  // Of equal words the one next to the head is the first.
  const auto is_new = [&](int b, std::size_t atom) {
    const auto which = static_cast<PositionAtom>(atom);
    return step > 0 ? atoms_->same_before(b, which) <= part.h
                    : atoms_->same_after(b, which) >= part.h;
  };
  for (; between_.m != part.m; between_.m += step) {
    const AtomValue* const values = atoms_->at(between_.m);
    for (const std::size_t atom : features_->between_atoms_) {
      if (values[atom] != kAbsent && is_new(between_.m, atom)) {
        between_.words[atom].push_back(between_.m);
      }
    }
  }
}

}  // namespace copse
