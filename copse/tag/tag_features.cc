#include "copse/tag/tag_features.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "copse/base/error.h"
#include "copse/tag/word_atoms.h"
#include "tag/entity_templates.h"
#include "tag/joint_templates.h"
#include "tag/set_a_templates.h"
#include "tag/set_b_templates.h"

namespace copse {
namespace {

// Slots far beyond those of words.
constexpr AtomSlot kLastTag = 1 << 20;
constexpr AtomSlot kTagBeforeLast = kLastTag + 1;
constexpr AtomSlot kLastClass = kLastTag + 2;
constexpr AtomSlot kClassBeforeLast = kLastTag + 3;

std::optional<AtomSlot> slot_of(std::string_view name) {
  if (name == "t[-1]") return kLastTag;
  if (name == "t[-2]") return kTagBeforeLast;
  if (name == "k[-1]") return kLastClass;
  if (name == "k[-2]") return kClassBeforeLast;
  return word_atom_slot(name);
}

bool remove_slot(std::vector<AtomSlot>& slots, AtomSlot slot) {
  return std::erase(slots, slot) > 0;
}

}  // namespace

int TagFeatures::order() const {
  if (history.empty()) return 0;
  return history.back().second ? 2 : 1;
}

bool TagFeatures::sees_word(const Template& row) {
  return std::ranges::any_of(row.atoms,
                             [](AtomSlot slot) { return slot >= 0 && slot < kWordAtoms; });
}

TagFeatures parse_tag_features(std::string_view table, const std::string& file) {
  TagFeatures features;
  for (Template& row : parse_templates(table, file, slot_of)) {
    if (std::ranges::any_of(row.guards, [](AtomSlot slot) { return slot >= kLastTag; })) {
      throw data_error(fmt::format("template '{}': a tag cannot stand after 'when'", row.name),
                       {file});
    }
    HistoryTemplate history;
    history.second = remove_slot(row.atoms, kTagBeforeLast);
    history.first = remove_slot(row.atoms, kLastTag);
    const bool tags = history.first || history.second;
    const bool before = remove_slot(row.atoms, kClassBeforeLast);
    const bool last = remove_slot(row.atoms, kLastClass);
    history.coarse = before || last;
    if (tags && history.coarse) {
      throw data_error(fmt::format("template '{}': t[...] and k[...] cannot be joined", row.name),
                       {file});
    }
    history.second = history.second || before;
    history.first = history.first || last;
    if (history.first || history.second) {
      history.words = std::move(row);
      features.history.push_back(std::move(history));
    } else {
      features.local.push_back(std::move(row));
    }
  }
  std::ranges::stable_sort(features.history, {}, &HistoryTemplate::second);
  return features;
}

std::string_view tag_feature_table(std::string_view name) {
  struct Table {
    std::string_view name;
    std::string_view text;
  };
  const std::array<Table, 4> tables = {{{"a", embedded::set_a_templates},
                                        {"b", embedded::set_b_templates},
                                        {"joint", embedded::joint_templates},
                                        {"entities", embedded::entity_templates}}};
  const auto found = std::ranges::find(tables, name, &Table::name);
  if (found == tables.end()) {
    throw usage_error(fmt::format("no feature table '{}'; expected a, b, joint or entities", name));
  }
  return found->text;
}

}  // namespace copse
