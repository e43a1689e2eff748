#include "copse/rerank/hidden/templates.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "copse/base/error.h"
#include "rerank/hidden_features_table.h"

namespace copse::hidden {
namespace {

// `units`: the units that have the atom, a bit each.
struct AtomRow {
  std::string_view name;
  unsigned units;
};

constexpr unsigned bit(Unit unit) {
  return 1U << static_cast<unsigned>(unit);
}
constexpr unsigned kOne = bit(Unit::word), kHead = bit(Unit::head_rule), kMod = bit(Unit::mod_rule),
                   kEdge = bit(Unit::edge), kSingle = kOne | kHead | kMod;

constexpr std::array<AtomRow, kAtoms> kRows = {{
    {"u", kEdge},
    {"v", kSingle | kEdge},
    {"word", kSingle},
    {"pos", kSingle},
    {"highest", kSingle},
    {"up", kSingle},
    {"down", kSingle},
    {"head-rule", kHead},
    {"mod-rule", kMod},
    {"above", kHead | kMod | kEdge},
    {"first", kEdge},
    {"second", kEdge},
    {"parent", kEdge},
    {"side", kEdge},
    {"adjacent", kEdge},
    {"cc", kEdge},
    {"pair-rule", kEdge},
    {"chain", kEdge},
}};

bool joins(const Template& line, Atom atom) {
  return std::find(line.atoms.begin(), line.atoms.end(), atom) != line.atoms.end();
}

// The first unit that has all atoms of the line.
std::optional<Unit> unit_of(const Template& line) {
  unsigned units = joins(line, kUpper) ? kEdge : kSingle;
  for (const auto* atoms : {&line.atoms, &line.guards}) {
    for (const AtomSlot slot : *atoms) units &= kRows[static_cast<std::size_t>(slot)].units;
  }
  for (unsigned unit = 0; unit < kUnits; ++unit) {
    if ((units & (1U << unit)) != 0) return static_cast<Unit>(unit);
  }
  return std::nullopt;
}

}  // namespace

Templates parse_hidden_templates(std::string_view text, const std::string& file) {
  const auto atom = [](std::string_view name) -> std::optional<AtomSlot> {
    const auto at = std::find_if(kRows.begin(), kRows.end(),
                                 [&](const AtomRow& row) { return row.name == name; });
    if (at == kRows.end()) return std::nullopt;
    return static_cast<AtomSlot>(at - kRows.begin());
  };
  Templates result;
  for (Template& line : parse_templates(text, file, atom)) {
    const auto unit = unit_of(line);
    if (!unit || !joins(line, kLower)) {
      throw data_error(
          fmt::format("\"{}\" {}", line.name,
                      unit ? "has no hidden value v" : "joins atoms that never stand together"),
          {file});
    }
    result[static_cast<std::size_t>(*unit)].push_back(std::move(line));
  }
  return result;
}

std::string_view hidden_template_table() {
  return embedded::hidden_features_table;
}

}  // namespace copse::hidden
