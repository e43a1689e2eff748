#include "copse/dependency/part_templates.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "copse/base/error.h"
#include "copse/dependency/position_atoms.h"
#include "copse/model/templates.h"

namespace copse {
namespace {

constexpr std::array<std::string_view, kTemplateSections> kSections = {
    "dep", "stop", "sib", "grand", "gsib", "tsib", "label"};
// The positions that parts of each section have.
constexpr std::array<std::string_view, kTemplateSections> kPositions = {
    "hmb", "hm", "hms", "ghm", "ghms", "hmst", "hmb"};

constexpr std::size_t kMostAtoms = 64;

// Slots of parse_templates: what an atom is, packed into one number.
constexpr AtomSlot kEachSlot = 1 << 20;
AtomSlot pack(AtomPlace place, int offset) {
  return (static_cast<AtomSlot>(place) << 12) + offset + 2048;
}
PartTemplate::Atom unpack(AtomSlot slot) {
  slot %= kEachSlot;
  return {static_cast<AtomPlace>(slot >> 12), static_cast<std::int16_t>((slot & 4095) - 2048)};
}
AtomSlot pack_each(EachOf each) {
  return static_cast<AtomSlot>(each) * kEachSlot +
         pack(AtomPlace::part, static_cast<int>(PartAtom::each));
}

std::optional<AtomSlot> slot_of_part_atom(std::string_view name) {
  using Entry = std::pair<std::string_view, PartAtom>;
  for (const auto& [atom, value] :
       {Entry{"dir", PartAtom::direction}, Entry{"dist", PartAtom::distance},
        Entry{"verbs", PartAtom::verbs}, Entry{"commas", PartAtom::commas},
        Entry{"conjunctions", PartAtom::conjunctions}}) {
    if (name == atom) return pack(AtomPlace::part, static_cast<int>(value));
  }
  if (name == "agree") return pack_each(EachOf::agreement);
  if (name == "h.attr") return pack_each(EachOf::head_attribute);
  if (name == "m.attr") return pack_each(EachOf::modifier_attribute);
  return std::nullopt;
}

// "m-1.t": position, distance, atom.
std::optional<AtomSlot> slot_of_atom(std::string_view name, int section) {
  if (const auto slot = slot_of_part_atom(name)) return slot;
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos || dot == 0) return std::nullopt;
  const auto atom = position_atom_named(name.substr(dot + 1));
  if (!atom) return std::nullopt;
  const std::string_view where = name.substr(0, dot);
  if (kPositions[static_cast<std::size_t>(section)].find(where[0]) == std::string_view::npos) {
    return std::nullopt;
  }
  int away = 0;
  if (where.size() > 1) {
    const int sign = where[1] == '+' ? 1 : where[1] == '-' ? -1 : 0;
    unsigned distance = 0;
    const char* const last = where.data() + where.size();
    const auto [end, error] = std::from_chars(where.data() + 2, last, distance);
    if (sign == 0 || error != std::errc{} || end != last || distance > kPositionWindow ||
        distance == 0) {
      return std::nullopt;
    }
    away = sign * static_cast<int>(distance);
  }
  const int offset = away * kPositionAtoms + static_cast<int>(*atom);
  const auto place = static_cast<AtomPlace>(std::string_view("ghmstb").find(where[0]));
  if (place != AtomPlace::between) return pack(place, offset);
  return static_cast<AtomSlot>(EachOf::word_between) * kEachSlot + pack(place, offset);
}

struct Copies {
  bool alone = true, direction = false, distance = false;
  auto operator<=>(const Copies&) const = default;  // NOLINT(modernize-use-nullptr): false alarm
};

// Sections share one table of weights: templates of the same name in two of them are different.
PartTemplate compile(const Template& row, const Copies& copies, std::string_view section) {
  if (row.atoms.size() > kMostAtoms || row.guards.size() > kMostAtoms) {
    throw data_error(fmt::format("template '{}' has more than {} atoms", row.name, kMostAtoms));
  }
  PartTemplate out;
  out.name = row.name;
  out.seed = join(row.seed, atom_of(section));
  out.alone = copies.alone;
  out.with_direction = copies.direction;
  out.with_distance = copies.distance;
  const auto take = [&](std::span<const AtomSlot> slots, std::vector<PartTemplate::Atom>& atoms) {
    for (const AtomSlot slot : slots) {
      const auto each = static_cast<EachOf>(slot / kEachSlot);
      if (each != EachOf::nothing) {
        if (out.each != EachOf::nothing && out.each != each) {
          throw data_error(fmt::format("template '{}' runs through two sets", row.name));
        }
        out.each = each;
      }
      atoms.push_back(unpack(slot));
    }
  };
  take(row.atoms, out.atoms);
  take(row.guards, out.guards);
  return out;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

Copies parse_copies(std::string_view names) {
  Copies copies{false, false, false};
  while (!(names = trimmed(names)).empty()) {
    const std::string_view name = names.substr(0, names.find_first_of(" \t\r"));
    names.remove_prefix(name.size());
    if (name == "alone") {
      copies.alone = true;
    } else if (name == "dir") {
      copies.direction = true;
    } else if (name == "dist") {
      copies.distance = true;
    } else {
      throw data_error(fmt::format("no copies '{}'; expected some of: alone dir dist", name));
    }
  }
  if (copies == Copies{false, false, false}) {
    throw data_error("no copies named; expected some of: alone dir dist");
  }
  return copies;
}

int section_named(std::string_view name) {
  const auto found = std::find(kSections.begin(), kSections.end(), name);
  if (found == kSections.end()) {
    throw data_error(
        fmt::format("no section [{}]; expected one of: {}", name, fmt::join(kSections, " ")));
  }
  return static_cast<int>(found - kSections.begin());
}

// The line once with fine and once with coarse tags; the second is empty if that changes nothing.
std::array<std::string, 2> tag_copies(std::string_view line) {
  std::array<std::string, 2> out{std::string(line), {}};
  const std::size_t name_end = line.find_first_of(" \t=");
  if (line.find(".T") == std::string_view::npos || name_end == std::string_view::npos) return out;
  out[1] = fmt::format("{}/coarse{}", line.substr(0, name_end), line.substr(name_end));
  for (std::size_t k = 0; k < 2; ++k) {
    for (std::size_t at = 0; (at = out[k].find(".T", at)) != std::string::npos;) {
      out[k][at + 1] = k == 0 ? 't' : 'c';
    }
  }
  return out;
}

// Texts of equal settings, each with empty lines where it has none of the lines of the file, so
// that messages give the right numbers.
class GroupedLines {
 public:
  struct Group {
    std::array<std::string, 2> texts;
    std::array<std::size_t, 2> lines{};
  };

  void add(int section, const Copies& copies, std::size_t number, std::string_view line) {
    Group& group = groups_[{section, copies}];
    const auto both = tag_copies(line);
    for (std::size_t k = 0; k < 2; ++k) {
      if (both[k].empty()) continue;
      const std::string name = both[k].substr(0, both[k].find_first_of(" \t\r"));
      if (!numbers_.emplace(std::pair(section, name), number).second) {
        throw data_error(fmt::format("a second template named '{}' in [{}]", name,
                                     kSections[static_cast<std::size_t>(section)]));
      }
      group.texts[k].append(number - 1 - group.lines[k], '\n');
      group.texts[k] += both[k] + '\n';
      group.lines[k] = number;
    }
  }
  const auto& groups() const { return groups_; }
  std::size_t number_of(int section, const std::string& name) const {
    return numbers_.at({section, name});
  }

 private:
  std::map<std::pair<int, std::string>, std::size_t> numbers_;  // lines, by name of the template
  std::map<std::pair<int, Copies>, Group> groups_;
};

}  // namespace

std::string name_of_section(int section) {
  return std::string(kSections[static_cast<std::size_t>(section)]);
}

PartTemplates parse_part_templates(std::string_view text, const std::string& file) {
  GroupedLines lines;
  int section = -1;
  Copies copies;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view whole = text.substr(0, end);
    const std::string_view line = trimmed(whole.substr(0, whole.find('#')));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    try {
      if (line.front() == '[' && line.back() == ']') {
        section = section_named(line.substr(1, line.size() - 2));
        copies = {};
      } else if (section < 0) {
        throw data_error("a line before the first section; expected [dep] or the like");
      } else if (const std::size_t is = line.find('=');
                 is != std::string_view::npos && trimmed(line.substr(0, is)) == "copies") {
        copies = parse_copies(line.substr(is + 1));
      } else {
        lines.add(section, copies, number, line);
      }
    } catch (const Error& error) {
      throw error.at({file, number});
    }
  }
  PartTemplates out;
  for (const auto& [setting, group] : lines.groups()) {
    const int of = setting.first;
    const auto at = static_cast<std::size_t>(of);
    const auto names = [of](std::string_view name) { return slot_of_atom(name, of); };
    for (const std::string& each : group.texts) {
      for (const Template& row : parse_templates(each, file, names)) {
        try {
          out.sections[at].push_back(compile(row, setting.second, kSections[at]));
        } catch (const Error& error) {
          throw error.at({file, lines.number_of(of, row.name)});
        }
      }
    }
  }
  return out;
}

}  // namespace copse
