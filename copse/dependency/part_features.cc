#include "copse/dependency/part_features.h"

#include <algorithm>

namespace copse {
namespace {

// Direction from head to modifier, and from the head's head where the part has it.
int direction_of(const Part& part) {
  if (part.m == kNobody) return part.side == Side::right ? 6 : 7;
  const int own = part.m > part.h ? 1 : 0;
  return part.g == kNobody ? own : 2 + own + (part.h > part.g ? 2 : 0);
}

// The word that a distance is taken from.
int far_end(const Part& part) {
  return part.family == PartFamily::sib && part.s != kNobody ? part.s : part.h;
}

std::string count_text(int count) {
  return count_bin(count) == 3 ? "3+" : std::to_string(count);
}

// The atom of the word between that a template joins; -1 if there are several, or neighbours, or
// conditions on it.
std::int8_t only_atom_between(const PartTemplate& row) {
  int found = -1;
  for (const PartTemplate::Atom& atom : row.guards) {
    if (atom.place == AtomPlace::between) return -1;
  }
  for (const PartTemplate::Atom& atom : row.atoms) {
    if (atom.place != AtomPlace::between) continue;
    if (found >= 0 || atom.offset < 0 || atom.offset >= kPositionAtoms) return -1;
    found = atom.offset;
  }
  return static_cast<std::int8_t>(found);
}

std::uint8_t atoms_before_s(const PartTemplate& row) {
  const auto found = std::find_if(row.atoms.begin(), row.atoms.end(),
                                  [](const auto& atom) { return atom.place == AtomPlace::s; });
  return static_cast<std::uint8_t>(found - row.atoms.begin());
}

// The places of the parts of a section that are positions, as in part_templates.h.
constexpr std::array<std::array<bool, 5>, kTemplateSections> kPlaces = {{
    {false, true, true, false, false},  // dep: h m
    {false, true, true, false, false},  // stop
    {false, true, true, true, false},   // sib: h m s
    {true, true, true, false, false},   // grand: g h m
    {true, true, true, true, false},    // gsib: g h m s
    {false, true, true, true, true},    // tsib: h m s t
    {false, true, true, false, false},  // label
}};

void set_bit(std::vector<SummedLayout::Bits>& bits, std::size_t k) {
  bits[k / 64] |= SummedLayout::Bits{1} << (k % 64);
}

SummedLayout::Copies& with_copies(SummedLayout& layout, std::uint8_t copies) {
  const auto found = std::ranges::find(layout.copies, copies, &SummedLayout::Copies::copies);
  if (found != layout.copies.end()) return *found;
  return layout.copies.emplace_back(copies, std::vector<SummedLayout::Bits>(layout.words));
}

SummedLayout::Need& need_of(std::vector<SummedLayout::Need>& needs, std::int32_t offset,
                            std::size_t words) {
  const auto found = std::ranges::find(needs, offset, &SummedLayout::Need::offset);
  if (found != needs.end()) return *found;
  return needs.emplace_back(offset, std::vector<SummedLayout::Bits>(words));
}

// The numbers that atoms of parts stand for: directions, distances with a direction, counts.
constexpr std::size_t kPartNumbers = 16 + 8 * 16;
constexpr auto kAtomsOfNumbers = [] {
  std::array<AtomValue, kPartNumbers> out{};
  for (std::uint64_t k = 0; k < out.size(); ++k) out[k] = atom_of(k);
  return out;
}();

}  // namespace

PartFeatures::PartFeatures(PartTemplates templates, KeyScheme scheme)
    : templates_(std::move(templates)), scheme_(scheme) {
  for (std::size_t k = 0; k < compiled_.size(); ++k) {
    compiled_[k] = lay_out(templates_.sections[k], scheme);
    if (scheme == KeyScheme::chained) continue;
    SummedLayout& layout = compiled_[k].layout = lay_out_sums(compiled_[k]);
    for (std::size_t place = 0; place < kPlaces[k].size(); ++place) {
      if (kPlaces[k][place]) layout.places.push_back(static_cast<AtomPlace>(place));
    }
    for (const Row& row : compiled_[k].each) {
      if (row.each != EachOf::word_between || row.between < 0) continue;
      const auto atom = static_cast<std::size_t>(row.between);
      if (std::ranges::find(between_atoms_, atom) == between_atoms_.end()) {
        between_atoms_.push_back(atom);
      }
    }
  }
}

SummedLayout PartFeatures::lay_out_sums(const Section& section) {
  SummedLayout out;
  out.plain = section.plain.size();
  out.all = out.plain + section.each.size();
  out.width = (out.all + SummedLayout::kLanes - 1) / SummedLayout::kLanes * SummedLayout::kLanes;
  out.words = (out.all + 63) / 64;
  out.seeds.assign(out.width, 0);
  out.own.resize(out.all);
  out.owning_bits.assign(out.words, 0);
  out.member_factors.assign(section.each.size(), 0);
  for (std::size_t k = 0; k < out.all; ++k) {
    const Row& row = k < out.plain ? section.plain[k] : section.each[k - out.plain];
    out.seeds[k] = row.seed;
    lay_out_atoms(section, row, k, out);
    if (k >= out.plain) continue;
    set_bit(with_copies(out, row.copies).rows, k);
    if (out.own[k].empty()) continue;
    out.owning.push_back(static_cast<std::uint32_t>(k));
    set_bit(out.owning_bits, k);
  }
  return out;
}

void PartFeatures::lay_out_atoms(const Section& section, const Row& row, std::size_t k,
                                 SummedLayout& out) {
  const std::uint32_t guards = row.first + row.atoms;
  for (std::uint32_t a = row.first; a < guards + row.guards; ++a) {
    const std::uint64_t factor = a < guards ? section.factors[a] : 0;
    const auto [place, offset] = section.atoms[a];
    if (place != AtomPlace::part) {
      const auto at = static_cast<std::size_t>(place);
      if (factor != 0) out.placed[at].push_back({static_cast<std::uint32_t>(k), offset, factor});
      set_bit(need_of(out.needs[at], offset, out.words).rows, k);
    } else if (const auto atom = static_cast<PartAtom>(offset); atom == PartAtom::each) {
      out.member_factors[k - out.plain] += factor;
    } else {
      out.own[k].push_back({atom, factor});
    }
  }
}

PartFeatures::Section PartFeatures::lay_out(const std::vector<PartTemplate>& rows,
                                            KeyScheme scheme) {
  Section out;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const PartTemplate& row = rows[k];
    const auto copies = static_cast<std::uint8_t>(
        (row.alone ? 1 : 0) | (row.with_direction ? 2 : 0) | (row.with_distance ? 4 : 0));
    const Row flat{row.seed,
                   static_cast<std::uint16_t>(k),
                   static_cast<std::uint8_t>(row.atoms.size()),
                   static_cast<std::uint8_t>(row.guards.size()),
                   row.each,
                   copies,
                   scheme,
                   atoms_before_s(row),
                   only_atom_between(row),
                   static_cast<std::uint32_t>(out.atoms.size())};
    (row.each == EachOf::nothing ? out.plain : out.each).push_back(flat);
    out.atoms.insert(out.atoms.end(), row.atoms.begin(), row.atoms.end());
    out.atoms.insert(out.atoms.end(), row.guards.begin(), row.guards.end());
    for (std::uint64_t atom = 0; atom < row.atoms.size() + row.guards.size(); ++atom) {
      out.factors.push_back(scramble(row.seed + atom) | 1U);
    }
  }
  std::stable_sort(out.each.begin(), out.each.end(),
                   [](const Row& a, const Row& b) { return a.each < b.each; });
  return out;
}

// Of a condition it matters only whether it holds.
bool PartFeatures::looks_same(const Section& section, const Row& row, const AtomValue* a,
                              const AtomValue* b) {
  const PartTemplate::Atom* const atoms = section.atoms.data() + row.first;
  const auto joins_same = [&](const PartTemplate::Atom& atom) {
    return atom.place != AtomPlace::between || a[atom.offset] == b[atom.offset];
  };
  const auto holds_same = [&](const PartTemplate::Atom& atom) {
    return atom.place != AtomPlace::between ||
           (a[atom.offset] == kAbsent) == (b[atom.offset] == kAbsent);
  };
  return std::all_of(atoms, atoms + row.atoms, joins_same) &&
         std::all_of(atoms + row.atoms, atoms + row.atoms + row.guards, holds_same);
}

void PartFeatures::describe(const PositionAtoms& atoms, const Part& part, AtomValue* out) {
  const auto set = [&](PartAtom atom, int value) {
    out[static_cast<int>(atom)] = kAtomsOfNumbers[static_cast<std::size_t>(value)];
  };
  const int direction = direction_of(part);
  set(PartAtom::direction, direction);
  if (part.m == kNobody) {
    set(PartAtom::distance, direction);
    return;
  }
  const int distance = distance_bin(std::abs(part.m - far_end(part)));
  set(PartAtom::distance, 16 + direction * 16 + distance);
  if (part.family != PartFamily::dep) return;
  const PositionAtoms::Counts between = atoms.counts_between(part.h, part.m);
  set(PartAtom::verbs, count_bin(between.verbs));
  set(PartAtom::commas, count_bin(between.commas));
  set(PartAtom::conjunctions, count_bin(between.conjunctions));
}

std::string PartFeatures::text_of(PartAtom atom, const PositionAtoms& atoms, const Part& part) {
  static constexpr std::array<std::string_view, 8> kDirections = {
      "left",       "right",       "left-left",  "left-right",
      "right-left", "right-right", "right-none", "left-none"};
  static constexpr std::array<std::string_view, 9> kDistances = {"0", "1",    "2",     "3",  "4",
                                                                 "5", "6-10", "11-20", "21+"};
  std::string direction(kDirections[static_cast<std::size_t>(direction_of(part))]);
  if (atom == PartAtom::direction || part.m == kNobody) return direction;
  if (atom == PartAtom::distance) {
    const int bin = distance_bin(std::abs(part.m - far_end(part)));
    return direction + ':' + std::string(kDistances[static_cast<std::size_t>(bin)]);
  }
  const PositionAtoms::Counts between = atoms.counts_between(part.h, part.m);
  switch (atom) {
    case PartAtom::verbs:
      return count_text(between.verbs);
    case PartAtom::commas:
      return count_text(between.commas);
    default:
      return count_text(between.conjunctions);
  }
}

std::size_t PartFeatures::members(EachOf each, const PositionAtoms& atoms, const Part& part,
                                  std::span<AtomValue> values) {
  if (each != EachOf::agreement) {
    const int word = each == EachOf::head_attribute ? part.h : part.m;
    const auto list = atoms.attributes(word);
    std::copy(list.begin(), list.end(), values.begin());
    return list.size();
  }
  std::size_t size = 0;
  for (int k = 0; k < PositionAtoms::kCompared; ++k) {
    const AtomValue head = atoms.compared(part.h, k);
    const AtomValue modifier = atoms.compared(part.m, k);
    if (head == kAbsent && modifier == kAbsent) continue;
    const std::uint64_t how = head == kAbsent       ? 0
                              : modifier == kAbsent ? 1
                              : head == modifier    ? 2
                                                    : 3;
    values[size++] = atom_of(4 * static_cast<std::uint64_t>(k) + how);
  }
  return size;
}

}  // namespace copse
