#include "copse/dependency/feature_pieces.h"

#include <algorithm>

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
    for (const SummedLayout::Placed& atom : layout.placed[at(place)]) {
      const AtomValue value = values[atom.offset];
      sum[atom.row] += atom.factor * value;
      bits[atom.row / 64] &= ~(Bits{value == kAbsent ? 1U : 0U} << (atom.row % 64));
    }
  }
}

void FeaturePieces::gather(const Section& section, const Part& part, AtomPlace without) {
  const SummedLayout& layout = *section.layout;
  sums_.assign(layout.width, 0);
  present_.assign(layout.words, ~Bits{0});
  both_.resize(layout.words);
  for (const AtomPlace place : layout.places) {
    if (place == without) continue;
    const auto p = static_cast<std::size_t>(position(part, place) + 1);
    const std::uint64_t* const pieces = section.sums[at(place)].data() + p * layout.width;
    const Bits* const present = section.present[at(place)].data() + p * layout.words;
    std::uint64_t* const sums = sums_.data();
    for (std::size_t row = 0; row < layout.width; row += SummedLayout::kLanes) {
      for (std::size_t k = 0; k < SummedLayout::kLanes; ++k) sums[row + k] += pieces[row + k];
    }
    for (std::size_t w = 0; w < layout.words; ++w) present_[w] &= present[w];
  }
  for (const SummedLayout::Own& own : section.layout->own) {
    const AtomValue value = own_[static_cast<std::size_t>(own.atom)];
    sums_[own.row] += own.factor * value;
    if (value == kAbsent) present_[own.row / 64] &= ~(Bits{1} << (own.row % 64));
  }
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
  own_.fill(kAbsent);
  PartFeatures::describe(*atoms_, part, own_.data());
  gather(of, part, AtomPlace::part);
  out = append_plain(
      of, present_.data(), [&](std::size_t row) { return sums_[row]; }, out);
  return of.layout->plain < of.layout->all ? append_each(of, part, out) : out;
}

FeatureKey* FeaturePieces::append_copies(const PartFeatures::Row& row, FeatureKey key,
                                         FeatureKey* out) const {
  PartFeatures::visit_copies(row, key, own_.data(), 0,
                             [&](FeatureKey copy, int, FeatureCopy, int) { *out++ = copy; });
  return out;
}

FeatureKey* FeaturePieces::append_each(const Section& section, const Part& part, FeatureKey* out) {
  std::array<AtomValue, PositionAtoms::kMostAttributes> values{};
  std::size_t size = 0;
  EachOf last = EachOf::nothing;
  for (std::size_t e = 0; e < section.layout->all - section.layout->plain; ++e) {
    const std::size_t row = section.layout->plain + e;
    if ((present_[row / 64] >> (row % 64) & 1U) == 0) continue;
    const PartFeatures::Row& of = section.rows->each[e];
    if (of.each == EachOf::word_between) {
      look_between(part);
      out = append_between(section, row, part, out);
      continue;
    }
    if (of.each != last) size = PartFeatures::members(last = of.each, *atoms_, part, values);
    for (std::size_t k = 0; k < size; ++k) {
      out = append_copies(of, sums_[row] + section.layout->member_factors[e] * values[k], out);
    }
  }
  return out;
}

FeatureKey* FeaturePieces::append_between(const Section& section, std::size_t row, const Part& part,
                                          FeatureKey* out) const {
  const PartFeatures::Row& of = section.rows->each[row - section.layout->plain];
  const auto& sums = section.sums[at(AtomPlace::between)];
  const auto& present = section.present[at(AtomPlace::between)];
  const auto take = [&](int b) {
    const auto p = static_cast<std::size_t>(b) + 1;
    if ((present[p * section.layout->words + row / 64] >> (row % 64) & 1U) == 0) return;
    out = append_copies(of, sums_[row] + sums[p * section.layout->width + row], out);
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
  for (; between_.m != part.m; between_.m += step) {
    const AtomValue* const values = atoms_->at(between_.m);
    for (const std::size_t atom : features_->between_atoms_) {
      auto& words = between_.words[atom];
      const auto same = [&](int b) { return atoms_->at(b)[atom] == values[atom]; };
      if (values[atom] != kAbsent && std::ranges::none_of(words, same)) {
        words.push_back(between_.m);
      }
    }
  }
}

}  // namespace copse
