#include "copse/rerank/tree_templates.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "copse/base/error.h"
#include "copse/treebank/lines.h"

namespace copse {
namespace {

// `units`: the units that have the atom, a bit each.
struct AtomRow {
  std::string_view name;
  TreeAtom atom;
  unsigned units;
};

constexpr unsigned bit(TreeUnit unit) {
  return 1U << static_cast<unsigned>(unit);
}

constexpr unsigned kAll = (1U << kTreeUnits) - 1;
constexpr unsigned kBigram = bit(TreeUnit::bigram), kTrigram = bit(TreeUnit::trigram),
                   kPpUnit = bit(TreeUnit::pp), kDistanceUnit = bit(TreeUnit::distance);
constexpr unsigned kModifiers = bit(TreeUnit::modifier) | kDistanceUnit;

constexpr std::array<AtomRow, kTreeAtoms> kAtoms = {{
    {"parent", kParent, kAll},
    {"grandparent", kGrandparent, kAll},
    {"rule", kRule, kAll},
    {"above", kAbove, kAll},
    {"side", kSide, kBigram | kModifiers | kPpUnit},
    {"near", kNear, kBigram},
    {"near.word", kNearWord, kBigram},
    {"far", kFar, kBigram},
    {"far.word", kFarWord, kBigram},
    {"first", kFirst, kTrigram},
    {"second", kSecond, kTrigram},
    {"third", kThird, kTrigram},
    {"head", kHead, kModifiers | kPpUnit},
    {"head.word", kHeadWord, kModifiers | kPpUnit},
    {"modifier", kModifier, kModifiers},
    {"adjacent", kAdjacent, kModifiers | kPpUnit},
    {"distance", kDistance, kDistanceUnit},
    {"pp", kPp, kPpUnit},
    {"pp.word", kPpWord, kPpUnit},
    {"object", kObject, kPpUnit},
    {"object.word", kObjectWord, kPpUnit},
    {"closed", kClosed, kAll},
}};

// The first unit that has all atoms of the line.
std::optional<TreeUnit> unit_of(const Template& line) {
  unsigned units = kAll;
  for (const AtomSlot slot : line.atoms) units &= kAtoms[static_cast<std::size_t>(slot)].units;
  for (unsigned unit = 0; unit < kTreeUnits; ++unit) {
    if ((units & (1U << unit)) != 0) return static_cast<TreeUnit>(unit);
  }
  return std::nullopt;
}

std::string_view name_of_line(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos || line[begin] == '#') return {};
  return line.substr(begin, line.find_first_of(" \t=", begin) - begin);
}

}  // namespace

TreeTemplates parse_tree_templates(std::string_view text, const std::string& file) {
  const auto atom = [](std::string_view name) -> std::optional<AtomSlot> {
    const auto at = std::find_if(kAtoms.begin(), kAtoms.end(),
                                 [&](const AtomRow& row) { return row.name == name; });
    if (at == kAtoms.end()) return std::nullopt;
    return at->atom;
  };
  TreeTemplates result;
  for (Template& line : parse_templates(text, file, atom)) {
    const auto unit = unit_of(line);
    if (!unit) {
      throw data_error(fmt::format("the atoms of \"{}\" never stand together", line.name), {file});
    }
    const bool closed =
        std::find(line.guards.begin(), line.guards.end(), kClosed) != line.guards.end();
    if (line.guards.size() > (closed ? 1U : 0U) ||
        std::find(line.atoms.begin(), line.atoms.end(), kClosed) != line.atoms.end()) {
      throw data_error(fmt::format("\"{}\": only \"when closed\" is known here", line.name),
                       {file});
    }
    (closed ? result.closed : result.plain)[static_cast<std::size_t>(*unit)].push_back(
        std::move(line));
  }
  return result;
}

std::string without_group(std::string_view table, std::string_view name) {
  std::string kept;
  bool found = false;
  for_each_line(table, 1, [&](std::string_view line, std::size_t) {
    const std::string_view here = name_of_line(line);
    const bool leave_out =
        !name.empty() && here.starts_with(name) &&
        (here.size() == name.size() || here[name.size()] == '-' || here[name.size()] == '/');
    // "closed" stands for the whole second pass.
    const bool second_pass = name == "closed" && here.ends_with("/closed");
    if (leave_out || second_pass) {
      found = true;
    } else {
      kept += line;
      kept += '\n';
    }
  });
  if (!found) throw usage_error(fmt::format("there are no tree features called \"{}\"", name));
  return kept;
}

}  // namespace copse
